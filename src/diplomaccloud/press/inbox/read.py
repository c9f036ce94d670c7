"""A person's messages across all games: conversations, sent and unread ones, search, export."""

import datetime as dt
import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import cast

from django.db.models import (
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    prefetch_related_objects,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from diplomaccloud.accounts.models import name_of
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.read import read_attachments
from diplomaccloud.press.table.addresses import AddressKind, AttachmentKind
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import Conversation, Membership, Message, Send
from diplomaccloud.press.table.periods import Ranges, merge_ranges
from diplomaccloud.press.table.read import (
    AuthorKind,
    Contexts,
    MemberFacts,
    MessageFacts,
    Summary,
    describe_attachments,
    fetch_conversations,
    keep_readable,
    load_contexts,
    select_inherited_rows,
    select_messages,
    select_own_rows,
    select_unsigned,
    with_games,
)
from diplomaccloud.press.table.rules import publication_time
from diplomaccloud.shared.prepared_queries import PreparedQuery

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

    kind: AddressKind
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
    rows = _unread_in_game.read(viewer.user_id, slug) if slug else _unread.read(viewer.user_id)
    return sum(unread for unread, _ in rows)


def _count_together(user: int, **where: object) -> QuerySet[Membership, tuple[int, int]]:
    own, inherited = (rows.filter(**where) for rows in _select_unread(user))
    return own.values_list("unread", "pk").union(inherited.values_list("unread", "pk"))


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


_unread = PreparedQuery(_count_together, int)
_unread_in_game = PreparedQuery(
    lambda user, slug: _count_together(user, conversation__game__slug=slug), int, str
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
    if start.at is None and limit == ENTRIES_PER_PAGE:
        # Few: those of the seats that the person holds.
        of_seats = _newest_of_seats.read(viewer.user_id)
        own = _newest_own.read(viewer.user_id)
    else:
        of_seats = _before(_select_of_seats(viewer.user_id), start, most, by="newest_at")
        own = _before(select_own_rows(viewer.user_id), start, most, by="active_at")
    prefetch_related_objects(of_seats, fetch_conversations())
    inherited = keep_readable(of_seats)
    newer = {row.conversation_id for row in inherited}
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


def _select_of_seats(user_id: int) -> QuerySet[Membership]:
    newest = Coalesce("active_at", "conversation__last_at")
    return select_inherited_rows(user_id).prefetch_related(None).annotate(newest_at=newest)


def _before(rows: QuerySet[Membership], start: _Cursor, most: int, *, by: str) -> list[Membership]:
    """Return the rows from the cursor on, newest first by the field `by`."""
    found = rows.filter(**{f"{by}__lte": start.at}) if start.at is not None else rows
    return list(_select_newest(found, most, by=by))


def _select_newest(rows: QuerySet[Membership], most: int, *, by: str) -> QuerySet[Membership]:
    return rows.order_by(f"-{by}", "-pk")[:most]


_newest_of_seats = PreparedQuery(
    lambda user: _select_newest(_select_of_seats(user), ENTRIES_PER_PAGE + 1, by="newest_at"), int
)
_newest_own = PreparedQuery(
    lambda user: _select_newest(select_own_rows(user), ENTRIES_PER_PAGE + 1, by="active_at"), int
)


def _count_shown(times: Sequence[dt.datetime | None], start: _Cursor) -> int:
    """Return how many of the entries, starting with those at the cursor, were already shown."""
    return min(start.shown, sum(at == start.at for at in times)) if start.at else 0


def _find_newest(user_id: int, rows: Sequence[Membership]) -> dict[int, Message]:
    if not rows:
        return {}
    # Few rows end before their conversation does; one short condition covers all the others.
    ongoing = [row.conversation_id for row in rows if row.last is None]
    if len(ongoing) == len(rows):
        return {row.conversation_id: row for row in _newest_messages.read(user_id, ongoing)}
    wanted = _is_newest(ongoing)
    for row in rows:
        if row.last is not None:
            wanted |= Q(conversation=row.conversation_id, number=row.last)
    return {row.conversation_id: row for row in select_messages(user_id).filter(wanted)}


def _is_newest(conversations: Sequence[int]) -> Q:
    return Q(conversation__in=conversations, number=F("conversation__last"))


_newest_messages = PreparedQuery(
    lambda user, conversations: select_messages(user).filter(_is_newest(conversations)), int, list
)


def _present_row(contexts: Contexts, row: Membership, newest: Message | None) -> InboxEntry:
    conversation = row.conversation
    game, kind = conversation.game, AddressKind(conversation.kind)
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
    if start.at is None and limit == ENTRIES_PER_PAGE:
        rows = _newest_sends.read(viewer.user_id)
    else:
        rows = list(_select_sends(viewer.user_id, start, start.shown + limit + 1))
    rows = rows[_count_shown([row.at for row in rows], start) :]
    page = rows[:limit]
    # A join would build a game and its map for each row, and mostly they are the same few.
    keys = {row.game_id for row in page if row.game_id is not None}
    games = {row.pk: row for row in (_games.read(list(keys)) if keys else ())}
    for row in page:
        row.game = games.get(row.game_id or 0)
    found: dict[int, list[Message]] = {}
    for message in _messages_of_sends.read(viewer.user_id, [row.pk for row in page]):
        # It is the game of its send.
        message.conversation.game = games.get(message.conversation.game_id or 0)
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


def _select_sends(user_id: int, start: _Cursor, most: int) -> QuerySet[Send]:
    sends = Send.objects.filter(author=user_id).select_related("waiting")
    if start.at is not None:
        sends = sends.filter(at__lte=start.at)
    return sends.order_by("-at", "-pk")[:most]


def _select_messages_of(user_id: int, sends: Sequence[int]) -> QuerySet[Message]:
    rows = select_unsigned(user_id).filter(send__in=sends)
    return rows.select_related("conversation").order_by("pk")


_newest_sends = PreparedQuery(
    lambda user: _select_sends(user, _Cursor(), ENTRIES_PER_PAGE + 1), int
)
_games = PreparedQuery(
    lambda keys: (
        Game.objects.filter(pk__in=keys).select_related("chart").defer("chart__text").order_by()
    ),
    list,
)
_messages_of_sends = PreparedQuery(_select_messages_of, int, list)


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
        copies=copies or (SentCopy(AddressKind.GRAY, "gray"),),
        published_at=publication_time(waiting.at) if waiting else None,
        attached=AttachmentKind(messages[0].attached if messages else ""),
    )


def _present_copy(contexts: Contexts, conversation: Conversation, own: int | None) -> SentCopy:
    kind = AddressKind(conversation.kind)
    if kind is AddressKind.PERSONAL:
        return SentCopy(kind, "", person=contexts.person(conversation))
    members = contexts.members(conversation, own)
    return SentCopy(kind, str(contexts.address(conversation, own)), members)


# Searching and exporting everything that a person can read, with names masked as on pages.


MAX_HITS = 50
MAX_SEARCH = 100
"""The maximum length of a search text."""
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A matching message and its conversation; `slug` is blank for a personal one.

    `document` is the text of the message's document if that matches.
    """

    slug: str
    world: str
    kind: AddressKind
    address: str
    members: tuple[MemberFacts, ...]
    person: str
    message: MessageFacts
    document: str = ""


def search(viewer: Viewer, text: str, *, slug: str = "") -> tuple[SearchHit, ...]:
    """Return the newest messages with `text` that the person can read, in all games or in one.

    A message also has the text of the document that it shows. Returns at most `MAX_HITS`, and
    nothing for a blank or overlong text.
    """
    wanted = " ".join(text.split())
    if viewer.user_id is None or not wanted or len(wanted) > MAX_SEARCH:
        return ()
    inherited = keep_readable(select_inherited_rows(viewer.user_id))
    rows = _select_readable(viewer.user_id, inherited)
    rows = rows.prefetch_related(None)
    if slug:
        rows = rows.filter(conversation__game__slug=slug)
    found = _find_newest_hits(rows, wanted)
    prefetch_related_objects(found, fetch_conversations())
    conversations = {row.conversation_id: row.conversation for row in found}
    library = _Library.load(viewer.user_id, list(conversations.values()), inherited)
    return tuple(library.present(row) for row in found)


def _find_newest_hits(rows: QuerySet[Message], wanted: str) -> list[Message]:
    """Return the newest of the messages that have the text themselves or in a document."""
    # In one condition, the database would look for a document of every message.
    said = rows.filter(Q(body__icontains=wanted) | Q(subject__icontains=wanted))
    shown = rows.filter(
        attached=AttachmentKind.DOCUMENT, document__document__text__icontains=wanted
    ).annotate(document_text=F("document__document__text"))
    # The second query comes last, since its rows have more.
    found = {
        row.pk: row for part in (said, shown) for row in part.order_by("-at", "-pk")[:MAX_HITS]
    }
    return sorted(found.values(), key=lambda row: (row.at, row.pk), reverse=True)[:MAX_HITS]


def export(viewer: Viewer) -> Iterator[str]:
    """Yield a line of JSON for each message that the person can currently read, by conversation.

    Names are masked as on the pages, and deleted messages are left out.
    """
    if viewer.user_id is None:
        return
    inherited = keep_readable(select_inherited_rows(viewer.user_id))
    own = Conversation.objects.filter(memberships__user=viewer.user_id).values("pk")
    keys = {row.conversation_id for row in inherited}
    conversations = Conversation.objects.filter(Q(pk__in=own) | Q(pk__in=keys))
    for key in list(conversations.order_by("pk").values_list("pk", flat=True)):
        messages = _select_readable(viewer.user_id, inherited).filter(conversation=key)
        library: _Library | None = None
        with closing(_stream(messages.order_by("number"))) as rows:
            while chunk := list(islice(rows, _CHUNK)):
                game = chunk[0].conversation.game
                if library is None:
                    library = _Library.load(viewer.user_id, [chunk[0].conversation], inherited)
                carried = read_attachments(chunk, viewer.user_id)
                map_hash = game.chart.content_hash if game else ""
                for row in chunk:
                    text = describe_attachments(carried.get(row.pk, ()), map_hash)
                    yield json.dumps(_to_json(library.present(row), text), ensure_ascii=False)


def _stream(rows: QuerySet[Message]) -> Generator[Message]:
    """Return the rows one by one; close it, so that no open cursor keeps a snapshot."""
    return cast("Generator[Message]", rows.iterator(chunk_size=_CHUNK))


def _select_readable(user_id: int, inherited: list[Membership]) -> QuerySet[Message]:
    """Return the messages that the person can read and has not deleted."""
    own = Membership.objects.filter(user=user_id, first__lte=OuterRef("number"))
    own = own.filter(Q(last=None) | Q(last__gte=OuterRef("number")))
    readable = Q(Exists(own.filter(conversation=OuterRef("conversation"))))
    readable |= Q(conversation__in={row.conversation_id for row in inherited})
    mine = Membership.objects.filter(user=user_id).values("conversation")
    rows = select_messages(user_id).filter(
        Q(conversation__in=mine) | Q(conversation__in={row.conversation_id for row in inherited})
    )
    related = rows.filter(readable).exclude(hidden__user=user_id).select_related("author")
    return related.prefetch_related(fetch_conversations())


@dataclass(frozen=True, slots=True)
class _Library:
    """The viewer's readable ranges in some conversations, and the viewer's seats."""

    contexts: Contexts
    ranges: dict[int, Ranges]
    seats: dict[int, int | None]

    @classmethod
    def load(
        cls, user_id: int, conversations: list[Conversation], inherited: list[Membership]
    ) -> "_Library":
        keys = {row.pk for row in conversations}
        rows = list(with_games(Membership.objects.filter(user=user_id, conversation__in=keys)))
        parts: dict[int, list[tuple[int, int]]] = {}
        for row in rows:
            last = row.conversation.last if row.last is None else row.last
            parts.setdefault(row.conversation_id, []).append((row.first, last))
        for row in inherited:
            parts.setdefault(row.conversation_id, []).append((1, row.conversation.last))
        return cls(
            load_contexts(user_id, conversations),
            {key: merge_ranges(found) for key, found in parts.items()},
            {row.conversation_id: row.seat_id for row in (*inherited, *rows)},
        )

    def present(self, row: Message) -> SearchHit:
        """Return the message as the viewer sees it."""
        conversation, contexts = row.conversation, self.contexts
        game, kind = conversation.game, AddressKind(conversation.kind)
        seat = self.seats.get(row.conversation_id)
        names = contexts.names(conversation)
        return SearchHit(
            slug=game.slug if game else "",
            world=game.world if game else "",
            kind=kind,
            address=str(contexts.address(conversation, seat)) if game else "",
            members=contexts.members(conversation, seat),
            person=contexts.person(conversation),
            message=names.present(row, kind, self.ranges[row.conversation_id]),
            document=getattr(row, "document_text", ""),
        )


def _to_json(hit: SearchHit, attached_text: str) -> dict[str, object]:
    message, author = hit.message, hit.message.author
    signed = {
        AuthorKind.SEAT: author.power,
        AuthorKind.MASTER: "game master",
        AuthorKind.PERSON: author.name,
        AuthorKind.UNSIGNED: "unsigned",
    }
    return {
        "game": hit.slug,
        "world": hit.world,
        "conversation": hit.address or name_of(hit.person),
        "number": message.number,
        "at": message.at.isoformat(),
        "phase": str(message.phase) if message.phase else "",
        "author": signed[author.kind],
        "name": author.name,
        "subject": message.subject,
        "text": message.body,
        "attached": str(message.attached),
        "attached_text": attached_text,
    }
