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
    describe_briefly,
    describe_message,
    link_conversation,
    name_conversation,
)
from diplomaccloud.press.inbox.read import InboxPage, SearchHit, SentEntry, SentPage, count_unread
from diplomaccloud.press.table.read import Flag, MemberFacts
from diplomaccloud.press.table.wording import ICONS, SPOKEN
from diplomaccloud.schedule.descriptions import join_words


@dataclass(frozen=True, slots=True)
class InboxView:
    """A tab of the Messages page: `tab` is `inbox`, `sent` or `search`."""

    tab: str
    lines: tuple[ConversationLine, ...] = ()
    next_url: str = ""
    text: str = ""


def present_inbox(page: InboxPage) -> InboxView:
    """Return a page of conversations."""
    lines = [
        ConversationLine(
            url=link_conversation(row),
            title=name_conversation(row),
            flags=_list_flags(row.members),
            icon=ICONS[row.kind],
            author=describe_briefly(row.last.author) if row.last else "",
            excerpt=describe_message(row.last) if row.last else "",
            at=row.active_at,
            unread=row.unread,
            muted=row.muted,
            place=row.world or "Personal",
        )
        for row in page.entries
    ]
    return InboxView("inbox", tuple(lines), next_url=_next(reverse("press:inbox"), page.cursor))


def present_sent(page: SentPage) -> InboxView:
    """Return a page of sent messages."""
    lines = tuple(map(_present_sent, page.entries))
    return InboxView("sent", lines, next_url=_next(reverse("press:sent"), page.cursor))


def present_search(text: str, hits: Iterable[SearchHit]) -> InboxView:
    """Return the search results, each with a link to its message."""
    lines = []
    for hit in hits:
        row, number = hit.summary, hit.message.number
        url = link_conversation(row)
        lines.append(
            ConversationLine(
                url=f"{url}?before={number + 1}#m{number}",
                title=name_conversation(row),
                flags=_list_flags(row.members),
                icon=ICONS[row.kind],
                author=describe_briefly(hit.message.author),
                excerpt=_describe_hit(hit, text),
                at=hit.message.at,
                place=row.world or "Personal",
            )
        )
    return InboxView("search", tuple(lines), text=text)


def _present_sent(entry: SentEntry) -> ConversationLine:
    names = [
        SPOKEN[row.kind] if row.kind in SPOKEN and not row.members else name_conversation(row)
        for row in entry.copies
    ]
    note = ""
    if entry.published_at is not None:
        note = f"Published at {entry.published_at.astimezone(dt.UTC):%H:%M} UTC"
    elif len(entry.copies) > 1:
        note = "To each separately"
    return ConversationLine(
        title=f"To {join_words(names)}",
        url=reverse("press:list", args=[entry.slug])
        if len(entry.copies) > 1
        else link_conversation(entry.copies[0]),
        place=entry.world or "Personal",
        excerpt=cut_text(entry.subject or entry.body) or ATTACHED[entry.attached],
        at=entry.at,
        author=note,
    )


def _list_flags(members: Sequence[MemberFacts]) -> tuple[Flag, ...]:
    return tuple(Flag(member.country, member.color) for member in members)


def _next(url: str, cursor: str) -> str:
    return f"{url}?{urlencode({'from': cursor})}" if cursor else ""


def _describe_hit(hit: SearchHit, text: str) -> str:
    """Return an excerpt of the message or its document around the match, and its attachment."""
    is_said = text.lower() in hit.message.body.lower()
    body = hit.message.body if is_said else hit.document or hit.message.body
    place = max(body.lower().find(text.lower()) - 40, 0)
    excerpt = f"{'…' if place else ''}{cut_text(body[place:])}"
    return " · ".join(filter(None, (excerpt, ATTACHED[hit.message.attached])))


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
