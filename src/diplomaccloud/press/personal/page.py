"""Personal messages between two people, and the message settings, in words."""

from dataclasses import dataclass

from django.urls import reverse

from diplomaccloud.accounts.models import DELETED_NAME, name_of
from diplomaccloud.press.conversations.page import (
    Composer,
    ConversationView,
    Draft,
    PressView,
    make_key,
)
from diplomaccloud.press.conversations.wording import CLOSED, NOT_NOW, name_conversation
from diplomaccloud.press.page.page import present_messages
from diplomaccloud.press.personal.read import ChoicesFacts
from diplomaccloud.press.table.addresses import Address, AddressKind
from diplomaccloud.press.table.read import ConversationFacts
from diplomaccloud.press.table.wording import ICONS

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
        key=(draft and draft.key) or make_key(),
        unsent=url,
        draft=draft or Draft(),
        icon=ICONS[AddressKind.PERSONAL],
    )
    first = facts.messages[0].number if facts.messages else 0
    current = ConversationView(
        key=stored,
        url=url,
        title=name,
        flags=(),
        icon=ICONS[AddressKind.PERSONAL],
        about=_ABOUT,
        notes=(),
        messages=present_messages(
            facts.messages,
            Address(AddressKind.PERSONAL),
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


# A person's mutes, blocks and settings, in words.


@dataclass(frozen=True, slots=True)
class ChoiceLine:
    """A mute or block with a button to end it, whose form sends `game` and `to`."""

    title: str
    place: str
    url: str
    game: str
    to: str


@dataclass(frozen=True, slots=True)
class ChoicesView:
    """The settings page."""

    accepts_personal: bool
    blocked: tuple[ChoiceLine, ...]
    seats: tuple[ChoiceLine, ...]
    conversations: tuple[ChoiceLine, ...]


def present_choices(facts: ChoicesFacts) -> ChoicesView:
    """Return a person's choices."""
    return ChoicesView(
        facts.accepts_personal,
        tuple(
            ChoiceLine(name, "", reverse("press:personal", args=[name]), "", name)
            for name in facts.blocked
        ),
        tuple(
            ChoiceLine(
                seat.country,
                seat.world,
                reverse("games:detail", args=[seat.slug]),
                seat.slug,
                seat.power,
            )
            for seat in facts.seats
        ),
        tuple(
            ChoiceLine(
                name_conversation(row.kind, row.members, row.person),
                row.world or "Personal",
                reverse("press:conversation", args=[row.slug, row.address])
                if row.slug
                else reverse("press:personal", args=[row.person]),
                row.slug,
                row.address or row.person,
            )
            for row in facts.conversations
        ),
    )
