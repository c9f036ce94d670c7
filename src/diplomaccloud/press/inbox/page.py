"""Messages across all games, in words: conversations, sent messages, and search results."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from diplomaccloud.accounts.models import User
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.page import ConversationLine
from diplomaccloud.press.conversations.wording import (
    ATTACHED,
    cut_text,
    describe_author,
    describe_message,
    name_conversation,
)
from diplomaccloud.press.inbox.read import (
    InboxPage,
    SearchHit,
    SentCopy,
    SentEntry,
    SentPage,
    count_unread,
)
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.read import Author, MemberFacts
from diplomaccloud.press.table.wording import ICONS, SPOKEN, Flag
from diplomaccloud.schedule.descriptions import join_words


@dataclass(frozen=True, slots=True)
class SentLine:
    """A message that the person sent; `note` is an additional remark."""

    title: str
    url: str
    place: str
    excerpt: str
    at: dt.datetime
    note: str = ""


@dataclass(frozen=True, slots=True)
class InboxView:
    """A tab of the Messages page: `tab` is `inbox`, `sent` or `search`."""

    tab: str
    lines: tuple[ConversationLine, ...] = ()
    sent: tuple[SentLine, ...] = ()
    next_url: str = ""
    text: str = ""


def present_inbox(page: InboxPage) -> InboxView:
    """Return a page of conversations."""
    lines = []
    for entry in page.entries:
        row = entry.summary
        last = row.last
        name = name_conversation(row.kind, row.members, row.person)
        address = "" if row.kind is AddressKind.PERSONAL else str(row.address)
        lines.append(
            ConversationLine(
                key=f"{entry.slug} {address or row.person}",
                url=_url(entry.slug, address, row.person),
                title=name,
                flags=_list_flags(row.members),
                icon=ICONS[row.kind],
                author=_shorten(last.author) if last else "",
                excerpt=describe_message(last) if last else "",
                at=row.active_at,
                unread=row.unread,
                muted=row.muted,
                place=entry.world or "Personal",
            )
        )
    return InboxView("inbox", tuple(lines), next_url=_next(reverse("press:inbox"), page.cursor))


def present_sent(page: SentPage) -> InboxView:
    """Return a page of sent messages."""
    return InboxView(
        "sent",
        sent=tuple(_present_sent(entry) for entry in page.entries),
        next_url=_next(reverse("press:sent"), page.cursor),
    )


def present_search(text: str, hits: Iterable[SearchHit]) -> InboxView:
    """Return the search results, each with a link to its message."""
    lines = []
    for hit in hits:
        url = _url(hit.slug, hit.address, hit.person)
        number = hit.message.number
        lines.append(
            ConversationLine(
                key=f"{url} {number}",
                url=f"{url}?before={number + 1}#m{number}",
                title=name_conversation(hit.kind, hit.members, hit.person),
                flags=_list_flags(hit.members),
                icon=ICONS[hit.kind],
                author=_shorten(hit.message.author),
                excerpt=_describe_hit(hit, text),
                at=hit.message.at,
                place=hit.world or "Personal",
            )
        )
    return InboxView("search", tuple(lines), text=text)


def _present_sent(entry: SentEntry) -> SentLine:
    names = [_name_copy(copy) for copy in entry.copies]
    note = ""
    if entry.published_at is not None:
        note = f"Published at {entry.published_at.astimezone(dt.UTC):%H:%M} UTC"
    elif len(entry.copies) > 1:
        note = "To each separately"
    return SentLine(
        title=f"To {join_words(names)}",
        url=_url_of_copy(entry.slug, entry.copies),
        place=entry.world or "Personal",
        excerpt=cut_text(entry.subject or entry.body) or ATTACHED[entry.attached],
        at=entry.at,
        note=note,
    )


def _name_copy(copy: SentCopy) -> str:
    if copy.kind in SPOKEN and not copy.members:
        return SPOKEN[copy.kind]
    return name_conversation(copy.kind, copy.members, copy.person)


def _url_of_copy(slug: str, copies: Sequence[SentCopy]) -> str:
    if len(copies) != 1:
        return reverse("press:list", args=[slug])
    return _url(slug, copies[0].address, copies[0].person)


def _list_flags(members: Sequence[MemberFacts]) -> tuple[Flag, ...]:
    return tuple(Flag(member.country, member.color) for member in members)


def _url(slug: str, address: str, person: str) -> str:
    if not slug:
        return reverse("press:personal", args=[person])
    return reverse("press:conversation", args=[slug, address])


def _next(url: str, cursor: str) -> str:
    return f"{url}?{urlencode({'from': cursor})}" if cursor else ""


def _shorten(author: Author) -> str:
    if author.is_you:
        return "You"
    return author.country or describe_author(author, None)


def _describe_hit(hit: SearchHit, text: str) -> str:
    """Return an excerpt of the message or its document around the match, and its attachment."""
    is_said = text.lower() in hit.message.body.lower()
    body = hit.message.body if is_said else hit.document or hit.message.body
    excerpt, attached = _cut_around(body, text), ATTACHED[hit.message.attached]
    return " · ".join(part for part in (excerpt, attached) if part)


def _cut_around(body: str, text: str) -> str:
    """Return the part of a message around the search text."""
    place = max(body.lower().find(text.lower()) - 40, 0)
    return f"{'…' if place else ''}{cut_text(body[place:])}"


# The link to Messages in every page header, with the unread count.


@dataclass(frozen=True, slots=True)
class InboxLink:
    """The address of Messages and the number of unread messages."""

    url: str
    unread: int


def present_inbox_link(user: User | AnonymousUser) -> InboxLink | None:
    """Return the link; None for visitors and guests, who have no messages."""
    if not isinstance(user, User) or user.guest:
        return None
    number = getattr(user, "unread_messages", None)
    if number is None:
        # A person who has just logged in was loaded without the counts.
        number = count_unread(viewer_of(user))
    return InboxLink(reverse("press:inbox"), number)
