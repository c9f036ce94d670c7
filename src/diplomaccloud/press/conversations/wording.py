"""Conversations and messages in words: authors, excerpts, and why a conversation is closed."""

from django.urls import reverse

from diplomaccloud.accounts.models import name_of
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.press.table.addresses import AttachmentKind
from diplomaccloud.press.table.read import Author, AuthorKind, MessageFacts, Summary
from diplomaccloud.press.table.rules import Why
from diplomaccloud.press.table.wording import TITLES, PressNames

MAX_EXCERPT = 120
ATTACHED = {
    AttachmentKind.NONE: "",
    AttachmentKind.MAP: "A map",
    AttachmentKind.PROPOSAL: "A proposal",
    AttachmentKind.DOCUMENT: "A document",
}
"""What is shown in place of missing text."""


def describe_author(author: Author, names: PressNames | None) -> str:
    """Return the author of a message, such as `Italy (bob)`."""
    if author.is_you:
        return "you"
    match author.kind:
        case AuthorKind.UNSIGNED:
            return Label.UNSIGNED
        case AuthorKind.MASTER:
            return Label.MASTER.heading
        case AuthorKind.PERSON:
            return author.name
    country = name_country(author, names)
    if author.name:
        return f"{country} ({author.name})"
    return f"{country}, {Label.PREVIOUS_PLAYER}" if author.former else country


def describe_briefly(author: Author, names: PressNames | None = None) -> str:
    """Return the author in a list, without the player of a country."""
    if author.is_you:
        return "You"
    return name_country(author, names) or describe_author(author, names)


def describe_message(message: MessageFacts) -> str:
    """Return a message in one line: its subject, the start of its text, or its attachment."""
    return cut_text(message.subject or message.body) or ATTACHED[message.attached]


def cut_text(text: str) -> str:
    """Return the start of a message in one line."""
    line = " ".join(text[: 2 * MAX_EXCERPT].split())
    return line if len(line) <= MAX_EXCERPT else f"{line[: MAX_EXCERPT - 1]}…"


def name_country(author: Author, names: PressNames | None) -> str:
    """Return the country of an author."""
    is_known = names is not None and names.has(author.power)
    return names.country(author.power) if names and is_known else author.country


_NEXT_MOVES = "Press is closed until the next movement phase."
CLOSED = {
    Why.QUIET: "Quiet time for orders. Press reopens with the next movement phase.",
    Why.PAUSED: "The game is paused. Press reopens when it resumes.",
    Why.ORDERS_CLOSED: _NEXT_MOVES,
    Why.RETREATS: _NEXT_MOVES,
    Why.BUILDS: _NEXT_MOVES,
    Why.SUSPENDED: "The game is suspended. Press reopens when it continues.",
    Why.STARTED: "Countries have been assigned, so this conversation can only be read.",
    Why.LEFT: "You no longer play this country. You can still read what you could read before.",
    Why.SILENT: "You have been eliminated. You can still read, and write again "
    "when the game is over.",
    Why.VACANT: "This country has no player, and the next one would not see your message.",
    Why.READER: "Only the players and the game master can write here.",
    Why.LIMITED: (
        "Your press is limited: you can only write notes and messages to the game "
        "master. Your Reports page shows when the limit ends."
    ),
    Why.REFUSED: "This person does not accept messages from you now.",
}
"""Why a conversation has no composer."""
NOT_NOW = "This conversation is closed for now."
"""Used if no reason is known."""


def name_conversation(summary: Summary) -> str:
    """Return the name of a conversation in a list across all games."""
    countries = ", ".join(member.country for member in summary.members)
    return name_of(summary.person) or countries or TITLES[summary.kind]


def link_conversation(summary: Summary) -> str:
    """Return the address of a conversation in a list across all games."""
    if summary.slug:
        return reverse("press:conversation", args=[summary.slug, summary.place])
    return reverse("press:personal", args=[summary.person])
