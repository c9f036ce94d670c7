"""A person's mutes, blocks and settings, in words."""

from dataclasses import dataclass

from django.urls import reverse

from diplomaccloud.press.presenters.inbox import name_conversation
from diplomaccloud.press.viewpoint.mutes import ChoicesFacts


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
