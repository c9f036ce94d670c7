"""Messages as bubbles, with dividers between phases."""

from collections.abc import Iterable, Sequence

from diplomaccloud.accounts.models import DELETED_NAME
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.games.seats.page import NO_COLOR
from diplomaccloud.press.addresses import Address, AttachmentKind, Kind
from diplomaccloud.press.presenters.attachments import present_attachments
from diplomaccloud.press.presenters.names import Names, describe_time, title_phase
from diplomaccloud.press.presenters.page import MessageView, WaitingView
from diplomaccloud.press.presenters.text import render_text
from diplomaccloud.press.viewpoint import Author, AuthorKind, MessageFacts, WaitingFacts
from diplomaccloud.schedule.descriptions import join_words

MAX_EXCERPT = 120
ATTACHED = {
    AttachmentKind.NONE: "",
    AttachmentKind.MAP: "A map",
    AttachmentKind.PROPOSAL: "A proposal",
    AttachmentKind.DOCUMENT: "A document",
}
"""What is shown in place of missing text."""


def present_messages(
    facts: Sequence[MessageFacts],
    address: Address,
    names: Names | None,
    *,
    codes: frozenset[str] = frozenset(),
    url: str = "",
    read: int | None = None,
    person: str = "",
) -> tuple[MessageView, ...]:
    """Return the messages in order; the first one after `read` by another author is marked.

    Outside games, `names` is None and `person` is the other person. `url` is the conversation's.
    """
    views = []
    divider, marked = "", read is None
    for message in facts:
        title = title_phase(message.phase)
        is_first = not marked and message.number > (read or 0) and not message.author.is_you
        marked = marked or is_first
        is_seat = message.author.kind is AuthorKind.SEAT and not message.author.is_you
        views.append(
            MessageView(
                number=message.number,
                heading=_describe_direction(message.author, address, names, person),
                author=describe_author(message.author, names),
                color=_color(message.author, names),
                yours=message.author.is_you,
                body=render_text(message.body, codes),
                at=message.at,
                when=describe_time(message.at),
                subject=message.subject,
                divider=title if title != divider else "",
                level=4 if title else 3,  # below the divider, or the conversation's title
                first_unread=is_first,
                note="muted" if message.muted else "",
                attachments=present_attachments(message.attachments, f"{url}{message.number}/"),
                seat=message.author.power if is_seat else "",
                seat_country=_country(message.author, names) if is_seat else "",
                muted=message.muted,
                person=_find_person(message.author) if is_seat else "",
            )
        )
        divider = title
    return tuple(views)


def present_waiting(
    facts: Iterable[WaitingFacts], codes: frozenset[str]
) -> tuple[WaitingView, ...]:
    """Return the viewer's gray messages that are not published yet."""
    return tuple(
        WaitingView(
            waiting.subject,
            render_text(waiting.body, codes),
            waiting.published_at,
            describe_time(waiting.published_at),
        )
        for waiting in facts
    )


def describe_author(author: Author, names: Names | None) -> str:
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
    country = _country(author, names)
    if author.name:
        return f"{country} ({author.name})"
    return f"{country}, {Label.PREVIOUS_PLAYER}" if author.former else country


def describe_message(message: MessageFacts) -> str:
    """Return a message in one line: its subject, the start of its text, or its attachment."""
    return cut_text(message.subject or message.body) or ATTACHED[message.attached]


def cut_text(text: str) -> str:
    """Return the start of a message in one line."""
    line = " ".join(text[: 2 * MAX_EXCERPT].split())
    return line if len(line) <= MAX_EXCERPT else f"{line[: MAX_EXCERPT - 1]}…"


def _describe_direction(author: Author, address: Address, names: Names | None, person: str) -> str:
    """Return who writes to whom, for screen readers, such as `Italy to you`."""
    speaker = "You" if author.is_you else _speaker(author, names)
    if address.kind in (Kind.PUBLIC, Kind.GRAY, Kind.PREGAME):
        return f"{speaker} to everyone"
    if address.kind is Kind.NOTES:
        return "Your note"
    if names is None:
        return f"{speaker} to {person if author.is_you else 'you'}"
    others = [power for power in address.powers if power != author.power]
    listed = [names.country(power) for power in others] or [Label.MASTER]
    if author.is_you:
        return f"{speaker} to {join_words(listed)}"
    return f"{speaker} to {join_words(['you', *map(names.country, others)])}"


def _speaker(author: Author, names: Names | None) -> str:
    if author.kind is AuthorKind.SEAT:
        return _country(author, names)
    return describe_author(author, names)


def _country(author: Author, names: Names | None) -> str:
    is_known = names is not None and names.has(author.power)
    return names.country(author.power) if names and is_known else author.country


def _find_person(author: Author) -> str:
    """Return the name of a person who can be blocked; blank if it is hidden or deleted."""
    return "" if author.name == DELETED_NAME else author.name


def _color(author: Author, names: Names | None) -> str:
    return names.color(author.power) if names and author.power else NO_COLOR
