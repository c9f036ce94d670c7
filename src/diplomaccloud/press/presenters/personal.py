"""Personal messages between two people, in words."""

from dataclasses import replace

from django.urls import reverse

from diplomaccloud.accounts.models import DELETED_NAME, name_of
from diplomaccloud.press.addresses import Address, Kind
from diplomaccloud.press.presenters.messages import present_messages
from diplomaccloud.press.presenters.names import ICONS
from diplomaccloud.press.presenters.page import Composer, ConversationView, Draft, PressView
from diplomaccloud.press.presenters.press_page import CLOSED, NOT_NOW, make_key
from diplomaccloud.press.viewpoint import ConversationFacts

_ABOUT = "Only the two of you can read this. Personal messages are outside of games."


def present_personal(
    facts: ConversationFacts,
    *,
    draft: Draft | None = None,
    part: bool = False,
    past: bool = False,
    blocked: bool,
) -> PressView:
    """Return the conversation with a person; `blocked` says whether the viewer blocks that person.

    A `part` has no mark for unread messages; `past` is a page of old messages.
    """
    summary, stored = facts.summary, facts.summary.person
    name = name_of(stored)
    url = reverse("press:personal", args=[stored])
    composer = Composer(
        action=reverse("press:personal-send", args=[stored]),
        to=stored,
        label=f"Message to {name}",
        title=name,
        key=make_key(),
        unsent=url,
        icon=ICONS[Kind.PERSONAL],
    )
    if draft:
        composer = replace(
            composer,
            key=draft.key or composer.key,
            subject=draft.subject,
            body=draft.body,
            error=draft.error,
        )
    first = facts.messages[0].number if facts.messages else 0
    current = ConversationView(
        key=stored,
        url=url,
        title=name,
        flags=(),
        icon=ICONS[Kind.PERSONAL],
        about=_ABOUT,
        notes=(),
        messages=present_messages(
            facts.messages,
            Address(Kind.PERSONAL),
            None,
            read=None if part else facts.read,
            person=name,
            url=url,
        ),
        first=first,
        last=facts.messages[-1].number if facts.messages else facts.count,
        more=facts.has_later,
        older_url=f"{url}?before={first}" if facts.has_earlier and first else "",
        muted=summary.muted,
        may_mute=bool(facts.count),
        composer=composer if summary.is_writable else None,
        closed=CLOSED.get(summary.why, NOT_NOW),
        draft=draft if draft and not summary.is_writable else None,
        read=facts.read,
        may_act=True,
        actions_url=url,
        newest_url=url if past and facts.has_later else "",
        blocked=None if name == DELETED_NAME else blocked,
    )
    return PressView(
        slug="",
        url=reverse("press:inbox"),
        new_url="",
        live_url="/live/messages",
        lines=(),
        unread=summary.unread,
        current=current,
        single=True,
    )
