"""Personal messages between two people, and the message settings, in words."""

from dataclasses import dataclass

from django.urls import reverse

from diplomaccloud.accounts.models import DELETED_NAME, name_of
from diplomaccloud.accounts.screen_names import isolate
from diplomaccloud.press.conversations.page import (
    Composer,
    ConversationView,
    Draft,
    PressView,
    make_key,
)
from diplomaccloud.press.conversations.wording import link_conversation, name_conversation
from diplomaccloud.press.page.page import present_messages
from diplomaccloud.press.personal.read import ChoicesFacts
from diplomaccloud.press.table.read import ConversationFacts

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
    name, url = name_of(stored), reverse("press:personal", args=[stored])
    composer = Composer(
        draft=draft or Draft(),
        key=(draft and draft.key) or make_key(),
        action=reverse("press:personal-send", args=[stored]),
        label=f"Message to {isolate(name)}",
    )
    current = ConversationView(
        facts=facts,
        key=stored,
        url=url,
        title=name,
        about=_ABOUT,
        messages=present_messages(
            facts.messages,
            summary.address,
            None,
            read=None if part else facts.read,
            person=name,
            url=url,
        ),
        composer=composer if summary.is_writable else None,
        draft=draft,
        may_act=True,
        is_past=past and facts.has_later,
        blocked=None if name == DELETED_NAME else blocked,
    )
    return PressView(
        url=reverse("press:inbox"), unread=summary.unread, current=current, single=True
    )


@dataclass(frozen=True, slots=True)
class ChoiceLine:
    """A mute or block with a button to end it, whose form sends `game` and `to`."""

    title: str
    place: str
    url: str
    game: str
    to: str


def present_choices(facts: ChoicesFacts) -> dict[str, list[ChoiceLine]]:
    """Return a person's mutes and blocks, by what the page calls them."""
    return {
        "blocked": [
            ChoiceLine(name, "", reverse("press:personal", args=[name]), "", name)
            for name in facts.blocked
        ],
        "seats": [
            ChoiceLine(
                seat.country,
                seat.world,
                reverse("games:detail", args=[seat.slug]),
                seat.slug,
                seat.power,
            )
            for seat in facts.seats
        ],
        "conversations": [
            ChoiceLine(
                name_conversation(row),
                row.world or "Personal",
                link_conversation(row),
                row.slug,
                row.place or row.person,
            )
            for row in facts.conversations
        ],
    }
