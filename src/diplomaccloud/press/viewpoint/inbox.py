"""A person's messages across all games: conversations, sent messages and unread counts."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet, Subquery, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from diplomaccloud.games.viewpoint import Viewer
from diplomaccloud.press.addresses import AttachmentKind, Kind
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models import Conversation, Membership, Message, Send
from diplomaccloud.press.ranges import Ranges
from diplomaccloud.press.rules import publication_time
from diplomaccloud.press.viewpoint.contexts import (
    Contexts,
    keep_readable,
    load_contexts,
    select_inherited_rows,
    select_own_rows,
)
from diplomaccloud.press.viewpoint.facts import MemberFacts, Summary
from diplomaccloud.press.viewpoint.messages import select_messages, select_unsigned

ENTRIES_PER_PAGE = 30
_MAX_SHOWN = 500
"""More entries than share exactly the same time; a page reads all of these again."""


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """A conversation in the list across all games; `slug` and `world` are blank if personal.

    The summary does not say whether the viewer may write.
    """

    slug: str
    world: str
    summary: Summary


@dataclass(frozen=True, slots=True)
class InboxPage:
    """Conversations, newest first, and the cursor for the next page; blank at the end."""

    entries: tuple[InboxEntry, ...]
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class SentCopy:
    """The recipients of one copy: other seats, a person, or neither for everyone."""

    kind: Kind
    address: str
    members: tuple[MemberFacts, ...] = ()
    person: str = ""


@dataclass(frozen=True, slots=True)
class SentEntry:
    """A message that the viewer sent, with all its copies.

    `published_at` is when a gray message will be published, None for others and afterward.
    """

    slug: str
    world: str
    at: dt.datetime
    subject: str
    body: str
    copies: tuple[SentCopy, ...]
    published_at: dt.datetime | None = None
    attached: AttachmentKind = AttachmentKind.NONE


@dataclass(frozen=True, slots=True)
class SentPage:
    """Sent messages, newest first, and the cursor for the next page; blank at the end."""

    entries: tuple[SentEntry, ...]
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class _Cursor:
    """A place in a list sorted by time: how many entries with exactly this time were shown.

    It contains no row keys.
    """

    at: dt.datetime | None = None
    shown: int = 0

    def __str__(self) -> str:
        return f"{self.at.isoformat()}~{self.shown}" if self.at else ""

    def after(self, times: Sequence[dt.datetime]) -> "_Cursor":
        """Return the place after entries with these times, which are sorted."""
        last = times[-1]
        same = sum(at == last for at in times)
        return _Cursor(last, same + (self.shown if self.at == last else 0))


def is_cursor(text: str) -> bool:
    """Return whether the text is blank or a valid cursor."""
    return not text or _parse_cursor(text).at is not None


def _parse_cursor(text: str) -> _Cursor:
    """Return the cursor; an invalid one gives the first page."""
    at, _, shown = text.partition("~")
    try:
        instant, count = dt.datetime.fromisoformat(at), int(shown)
        if instant.tzinfo is None or not 0 <= count <= _MAX_SHOWN:
            return _Cursor()
        # The first and last days of the calendar don't exist in every time zone.
        return _Cursor(instant.astimezone(dt.UTC), count)
    except (ValueError, OverflowError):
        return _Cursor()


def count_unread(viewer: Viewer, slug: str = "") -> int:
    """Return the person's number of unread messages, in all games or in one, in one query.

    Muted conversations do not count.
    """
    if viewer.user_id is None:
        return 0
    own, inherited = _select_unread(viewer.user_id)
    if slug:
        own, inherited = (rows.filter(conversation__game__slug=slug) for rows in (own, inherited))
    rows = own.values_list("unread", "pk").union(inherited.values_list("unread", "pk"))
    return sum(unread for unread, _ in rows)


def build_counter(user_id: int) -> Combinable:
    """Return an expression that counts the person's unread messages."""
    own, inherited = _select_unread(user_id)
    return _add_up(own, "user") + _add_up(inherited, "seat__user")


def _select_unread(user: int) -> tuple[QuerySet[Membership], QuerySet[Membership]]:
    """Return the rows with unread messages of a person, and of the person's seats while vacant."""
    unread = Membership.objects.filter(unread__gt=0).order_by()
    return (
        unread.filter(user=user, active_at__isnull=False, muted_at=None),
        unread.filter(user=None, last=None, seat__user=user),
    )


def _add_up(rows: QuerySet[Membership], owner: str) -> Coalesce:
    sums = rows.values(owner).annotate(total=Sum("unread")).values("total")
    return Coalesce(Subquery(sums), 0)


def read_inbox(viewer: Viewer, *, cursor: str = "", limit: int = ENTRIES_PER_PAGE) -> InboxPage:
    """Return a page of the person's conversations across all games, newest first."""
    if viewer.user_id is None:
        raise NoSuchConversation
    start = _parse_cursor(cursor)
    most = start.shown + limit + 1
    # Few: those of the seats that the person holds.
    rows_of_seats = select_inherited_rows(viewer.user_id).annotate(
        newest_at=Coalesce("active_at", "conversation__last_at")
    )
    inherited = keep_readable(_before(rows_of_seats, start, most, by="newest_at"))
    newer = {row.conversation_id for row in inherited}
    own = _before(select_own_rows(viewer.user_id), start, most, by="active_at")
    rows = [*inherited, *(row for row in own if row.conversation_id not in newer)]
    rows.sort(key=lambda row: (row.active_at, row.pk), reverse=True)
    rows = rows[_count_shown([row.active_at for row in rows], start) :]
    page = rows[:limit]
    contexts = load_contexts(viewer.user_id, [row.conversation for row in page])
    newest = _find_newest(viewer.user_id, page)
    entries = tuple(_present_row(contexts, row, newest.get(row.conversation_id)) for row in page)
    times = [row.active_at for row in page if row.active_at is not None]
    more = len(rows) > limit
    return InboxPage(entries, str(start.after(times)) if more else "")


def _before(rows: QuerySet[Membership], start: _Cursor, most: int, *, by: str) -> list[Membership]:
    """Return the rows from the cursor on, newest first by the field `by`."""
    found = rows.order_by(f"-{by}", "-pk")
    if start.at is not None:
        found = found.filter(**{f"{by}__lte": start.at})
    return list(found[:most])


def _count_shown(times: Sequence[dt.datetime | None], start: _Cursor) -> int:
    """Return how many of the entries, starting with those at the cursor, were already shown."""
    return min(start.shown, sum(at == start.at for at in times)) if start.at else 0


def _find_newest(user_id: int, rows: Sequence[Membership]) -> dict[int, Message]:
    if not rows:
        return {}
    # Few rows end before their conversation does; one short condition covers all the others.
    ongoing = [row.conversation_id for row in rows if row.last is None]
    wanted = Q(conversation__in=ongoing, number=F("conversation__last"))
    for row in rows:
        if row.last is not None:
            wanted |= Q(conversation=row.conversation_id, number=row.last)
    return {row.conversation_id: row for row in select_messages(user_id).filter(wanted)}


def _present_row(contexts: Contexts, row: Membership, newest: Message | None) -> InboxEntry:
    conversation = row.conversation
    game, kind = conversation.game, Kind(conversation.kind)
    last = None
    if newest is not None and not getattr(newest, "is_hidden", False):
        ranges = Ranges(((newest.number, newest.number),))
        last = contexts.names(conversation).present(newest, kind, ranges)
    summary = Summary(
        address=contexts.address(conversation, row.seat_id),
        kind=kind,
        members=contexts.members(conversation, row.seat_id),
        person=contexts.person(conversation),
        unread=row.unread,
        muted=row.muted_at is not None,
        last=last,
        active_at=row.active_at,
    )
    return InboxEntry(game.slug if game else "", game.world if game else "", summary)


def read_sent(viewer: Viewer, *, cursor: str = "", limit: int = ENTRIES_PER_PAGE) -> SentPage:
    """Return a page of the person's sent messages in all games, newest first."""
    if viewer.user_id is None:
        raise NoSuchConversation
    start = _parse_cursor(cursor)
    sends = Send.objects.filter(author=viewer.user_id)
    sends = sends.select_related("game__chart", "waiting").defer("game__chart__text")
    if start.at is not None:
        sends = sends.filter(at__lte=start.at)
    rows = list(sends.order_by("-at", "-pk")[: start.shown + limit + 1])
    rows = rows[_count_shown([row.at for row in rows], start) :]
    page = rows[:limit]
    messages = select_unsigned(viewer.user_id).filter(send__in=page).order_by("pk")
    found: dict[int, list[Message]] = {}
    # Messages use the game of their send, since a join would build the game and map for each row.
    games = {row.game_id: row.game for row in page}
    for message in messages.select_related("conversation"):
        message.conversation.game = games[message.conversation.game_id]
        if not getattr(message, "is_hidden", False):
            found.setdefault(message.send_id, []).append(message)
    conversations = {
        row.conversation_id: row.conversation for rows in found.values() for row in rows
    }
    contexts = load_contexts(viewer.user_id, list(conversations.values()))
    seats = _own_seats(viewer.user_id, contexts)
    entries = (_present_send(contexts, row, found.get(row.pk, []), seats) for row in page)
    more = len(rows) > limit
    return SentPage(
        tuple(entry for entry in entries if entry is not None),
        str(start.after([row.at for row in page])) if more else "",
    )


def _own_seats(user_id: int, contexts: Contexts) -> dict[int, int]:
    """Return the key of the person's current or past seat in each game."""
    return {
        game: seat
        for game, holders in contexts.holders.items()
        for seat, tenures in holders.tenures.items()
        if any(tenure.user_id == user_id for tenure in tenures)
    }


def _present_send(
    contexts: Contexts, send: Send, messages: Sequence[Message], seats: dict[int, int]
) -> SentEntry | None:
    waiting = getattr(send, "waiting", None)
    if not messages and waiting is None:
        return None
    game, text = send.game, messages[0] if messages else send
    own = seats.get(send.game_id or 0)
    copies = tuple(_present_copy(contexts, row.conversation, own) for row in messages)
    return SentEntry(
        slug=game.slug if game else "",
        world=game.world if game else "",
        at=send.at,
        subject=text.subject,
        body=text.body,
        copies=copies or (SentCopy(Kind.GRAY, "gray"),),
        published_at=publication_time(waiting.at) if waiting else None,
        attached=AttachmentKind(messages[0].attached if messages else ""),
    )


def _present_copy(contexts: Contexts, conversation: Conversation, own: int | None) -> SentCopy:
    kind = Kind(conversation.kind)
    if kind is Kind.PERSONAL:
        return SentCopy(kind, "", person=contexts.person(conversation))
    members = contexts.members(conversation, own)
    return SentCopy(kind, str(contexts.address(conversation, own)), members)
