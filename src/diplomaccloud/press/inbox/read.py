"""A person's messages across all games: conversations, sent and unread ones, search, export."""

import datetime as dt
import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
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
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.read import read_attachments
from diplomaccloud.press.table.addresses import GRAY, AttachmentKind
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import Conversation, Membership, Message, Send
from diplomaccloud.press.table.periods import merge_ranges
from diplomaccloud.press.table.read import (
    AuthorKind,
    Contexts,
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
class InboxPage:
    """Conversations, newest first, and the cursor for the next page; blank at the end."""

    entries: tuple[Summary, ...]
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class SentEntry:
    """A message that the viewer sent, with the conversations of all its copies.

    `published_at` is when a gray message will be published, None for others and afterward.
    """

    slug: str
    world: str
    at: dt.datetime
    subject: str
    body: str
    copies: tuple[Summary, ...]
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

    def count_shown(self, times: Iterable[dt.datetime | None]) -> int:
        """Return how many entries, starting with those at the cursor, were already shown."""
        return min(self.shown, sum(at == self.at for at in times)) if self.at else 0


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


def list_unread(user_id: int) -> list[tuple[str, str]]:
    """Return the slugs of the person's unfinished games with unread messages, and how many."""
    counts: Counter[str] = Counter()
    for slug, unread, _ in _unread_by_game.read(user_id):
        counts[slug] += unread
    return [
        (slug, "1 new message" if number == 1 else f"{number} new messages")
        for slug, number in counts.items()
    ]


def build_counter(user_id: int) -> Combinable:
    """Return an expression that counts the person's unread messages."""
    own_total, inherited = (
        rows.values(owner).annotate(total=Sum("unread")).values("total")
        for rows, owner in zip(_select_unread(user_id), ("user", "seat__user"), strict=True)
    )
    return Coalesce(Subquery(own_total), 0) + Coalesce(Subquery(inherited), 0)


def _select_unread(user: int) -> tuple[QuerySet[Membership], QuerySet[Membership]]:
    """Return the rows with unread messages of a person, and of the person's seats while vacant."""
    unread = Membership.objects.filter(unread__gt=0).order_by()
    return (
        unread.filter(user=user, active_at__isnull=False, muted_at=None),
        unread.filter(user=None, last=None, seat__user=user),
    )


def _count_together(user: int, **where: object) -> QuerySet[Membership, tuple[int, int]]:
    own_rows, inherited = (rows.filter(**where) for rows in _select_unread(user))
    return own_rows.values_list("unread", "pk").union(inherited.values_list("unread", "pk"))


def _count_by_game(user: int) -> QuerySet[Membership, tuple[str, int, int]]:
    seats = Seat.objects.filter(user=user, finished_at=None).values("game")
    own_rows, inherited = (
        rows.filter(conversation__game__in=seats).values_list(
            "conversation__game__slug", "unread", "pk"
        )
        for rows in _select_unread(user)
    )
    return own_rows.union(inherited)


_unread_by_game = PreparedQuery(_count_by_game, int)
_unread = PreparedQuery(_count_together, int)
_unread_in_game = PreparedQuery(
    lambda user, slug: _count_together(user, conversation__game__slug=slug), int, str
)


def read_inbox(viewer: Viewer, *, cursor: str = "", limit: int = ENTRIES_PER_PAGE) -> InboxPage:
    """Return a page of the person's conversations across all games, newest first."""
    if viewer.user_id is None:
        raise NoSuchConversation
    start = _parse_cursor(cursor)
    most = start.shown + limit + 1
    if start.at is None and limit == ENTRIES_PER_PAGE:
        # Few: those of the seats that the person holds.
        of_seats = _newest_of_seats.read(viewer.user_id)
        of_user = _newest_own.read(viewer.user_id)
    else:
        rows_of_seats = _select_of_seats(viewer.user_id)
        of_seats = list(_select_newest(rows_of_seats, "newest_at", most, start.at))
        of_user = list(_select_newest(select_own_rows(viewer.user_id), "active_at", most, start.at))
    prefetch_related_objects(of_seats, fetch_conversations())
    inherited = keep_readable(of_seats)
    newer = {row.conversation_id for row in inherited}
    rows = [*inherited, *(row for row in of_user if row.conversation_id not in newer)]
    rows.sort(key=lambda row: (row.active_at, row.pk), reverse=True)
    rows = rows[start.count_shown(row.active_at for row in rows) :]
    page = rows[:limit]
    contexts = load_contexts(viewer.user_id, [row.conversation for row in page])
    newest = _find_newest(viewer.user_id, page)
    entries = []
    for row in page:
        message, last = newest.get(row.conversation_id), None
        if message is not None and not getattr(message, "is_hidden", False):
            message.conversation = row.conversation
            last = contexts.present(message)
        entries.append(contexts.summarize(row.conversation, row.seat_id, row, last))
    times = [row.active_at for row in page if row.active_at is not None]
    more = len(rows) > limit
    return InboxPage(tuple(entries), str(start.after(times)) if more else "")


def _select_of_seats(user_id: int) -> QuerySet[Membership]:
    newest = Coalesce("active_at", "conversation__last_at")
    return select_inherited_rows(user_id).prefetch_related(None).annotate(newest_at=newest)


def _select_newest(
    rows: QuerySet[Membership], by: str, most: int, until: dt.datetime | None = None
) -> QuerySet[Membership]:
    """Return the rows until a time, newest first by the field `by`."""
    if until is not None:
        rows = rows.filter(**{f"{by}__lte": until})
    return rows.order_by(f"-{by}", "-pk")[:most]


_newest_of_seats = PreparedQuery(
    lambda user: _select_newest(_select_of_seats(user), "newest_at", ENTRIES_PER_PAGE + 1), int
)
_newest_own = PreparedQuery(
    lambda user: _select_newest(select_own_rows(user), "active_at", ENTRIES_PER_PAGE + 1), int
)


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


def read_sent(viewer: Viewer, *, cursor: str = "") -> SentPage:
    """Return a page of the person's sent messages in all games, newest first."""
    if viewer.user_id is None:
        raise NoSuchConversation
    start = _parse_cursor(cursor)
    if start.at is None:
        rows = _newest_sends.read(viewer.user_id)
    else:
        rows = list(_select_sends(viewer.user_id, start.shown + ENTRIES_PER_PAGE + 1, start.at))
    rows = rows[start.count_shown(row.at for row in rows) :]
    page = rows[:ENTRIES_PER_PAGE]
    # A join would build a game and its map for each row, and mostly they are the same few.
    keys = {row.game_id for row in page if row.game_id is not None}
    games = {row.pk: row for row in (_games.read(list(keys)) if keys else ())}
    for row in page:
        row.game = games.get(row.game_id or 0)
    sent: dict[int, list[Message]] = {}
    for message in _messages_of_sends.read(viewer.user_id, [row.pk for row in page]):
        # It is the game of its send.
        message.conversation.game = games.get(message.conversation.game_id or 0)
        if not getattr(message, "is_hidden", False):
            sent.setdefault(message.send_id, []).append(message)
    conversations = {
        row.conversation_id: row.conversation for rows in sent.values() for row in rows
    }
    contexts = load_contexts(viewer.user_id, list(conversations.values()))
    # The key of the person's current or past seat in each game.
    seats = {
        game: tenure.seat_id
        for game, holders in contexts.holders.items()
        for tenure in holders.all_tenures
        if tenure.user_id == viewer.user_id
    }
    entries = (
        _present_send(contexts, row, sent.get(row.pk, []), seats.get(row.game_id or 0))
        for row in page
    )
    more = len(rows) > ENTRIES_PER_PAGE
    return SentPage(
        tuple(entry for entry in entries if entry is not None),
        str(start.after([row.at for row in page])) if more else "",
    )


def _select_sends(
    user_id: int, most: int = ENTRIES_PER_PAGE + 1, until: dt.datetime | None = None
) -> QuerySet[Send]:
    sends = Send.objects.filter(author=user_id).select_related("waiting")
    if until is not None:
        sends = sends.filter(at__lte=until)
    return sends.order_by("-at", "-pk")[:most]


_newest_sends = PreparedQuery(_select_sends, int)
_games = PreparedQuery(
    lambda keys: (
        Game.objects.filter(pk__in=keys).select_related("chart").defer("chart__text").order_by()
    ),
    list,
)
_messages_of_sends = PreparedQuery(
    lambda user, sends: (
        select_unsigned(user).filter(send__in=sends).select_related("conversation").order_by("pk")
    ),
    int,
    list,
)


def _present_send(
    contexts: Contexts, send: Send, messages: Sequence[Message], own_seat: int | None
) -> SentEntry | None:
    waiting = getattr(send, "waiting", None)
    if not messages and waiting is None:
        return None
    game, text = send.game, messages[0] if messages else send
    copies = tuple(contexts.summarize(row.conversation, own_seat) for row in messages)
    return SentEntry(
        slug=game.slug if game else "",
        world=game.world if game else "",
        at=send.at,
        subject=text.subject,
        body=text.body,
        copies=copies or (Summary(GRAY, GRAY.kind, slug=game.slug if game else ""),),
        published_at=publication_time(waiting.at) if waiting else None,
        attached=AttachmentKind(messages[0].attached if messages else ""),
    )


# Searching and exporting everything that a person can read, with names masked as on pages.


MAX_HITS = 50
MAX_SEARCH = 100
"""The maximum length of a search text."""
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A matching message and its conversation.

    `document` is the text of the message's document if that matches.
    """

    summary: Summary
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
    # In one condition, the database would look for a document of every message.
    said = rows.filter(Q(body__icontains=wanted) | Q(subject__icontains=wanted))
    shown = rows.filter(
        attached=AttachmentKind.DOCUMENT, document__document__text__icontains=wanted
    ).annotate(document_text=F("document__document__text"))
    # The second query comes last, since its rows have more.
    matching = {
        row.pk: row for part in (said, shown) for row in part.order_by("-at", "-pk")[:MAX_HITS]
    }
    newest = sorted(matching.values(), key=lambda row: (row.at, row.pk), reverse=True)[:MAX_HITS]
    prefetch_related_objects(newest, fetch_conversations())
    conversations = {row.conversation_id: row.conversation for row in newest}
    library = _Library(viewer.user_id, list(conversations.values()), inherited)
    return tuple(library.present(row) for row in newest)


def export(viewer: Viewer) -> Iterator[str]:
    """Yield a line of JSON for each message that the person can currently read, by conversation.

    Names are masked as on the pages, and deleted messages are left out.
    """
    if viewer.user_id is None:
        return
    inherited = keep_readable(select_inherited_rows(viewer.user_id))
    own_keys = Conversation.objects.filter(memberships__user=viewer.user_id).values("pk")
    keys = {row.conversation_id for row in inherited}
    conversations = Conversation.objects.filter(Q(pk__in=own_keys) | Q(pk__in=keys))
    for key in list(conversations.order_by("pk").values_list("pk", flat=True)):
        messages = _select_readable(viewer.user_id, inherited).filter(conversation=key)
        library: _Library | None = None
        stream = messages.order_by("number").iterator(chunk_size=_CHUNK)
        # Closed, so that no open cursor keeps a snapshot.
        with closing(cast("Generator[Message]", stream)) as rows:
            while chunk := list(islice(rows, _CHUNK)):
                game = chunk[0].conversation.game
                if library is None:
                    library = _Library(viewer.user_id, [chunk[0].conversation], inherited)
                carried = read_attachments(chunk, viewer.user_id)
                map_hash = game.chart.content_hash if game else ""
                for row in chunk:
                    text = describe_attachments(carried.get(row.pk, ()), map_hash)
                    yield json.dumps(_to_json(library.present(row), text), ensure_ascii=False)


def _select_readable(user_id: int, inherited: list[Membership]) -> QuerySet[Message]:
    memberships = Membership.objects.filter(user=user_id, first__lte=OuterRef("number"))
    memberships = memberships.filter(Q(last=None) | Q(last__gte=OuterRef("number")))
    readable = Q(Exists(memberships.filter(conversation=OuterRef("conversation"))))
    readable |= Q(conversation__in={row.conversation_id for row in inherited})
    mine = Membership.objects.filter(user=user_id).values("conversation")
    rows = select_messages(user_id).filter(
        Q(conversation__in=mine) | Q(conversation__in={row.conversation_id for row in inherited})
    )
    related = rows.filter(readable).exclude(hidden__user=user_id).select_related("author")
    return related.prefetch_related(fetch_conversations())


class _Library:
    """The viewer's readable ranges in some conversations, and the viewer's seats."""

    def __init__(
        self, user_id: int, conversations: list[Conversation], inherited: list[Membership]
    ) -> None:
        keys = {row.pk for row in conversations}
        rows = list(with_games(Membership.objects.filter(user=user_id, conversation__in=keys)))
        parts: dict[int, list[tuple[int, int]]] = {}
        for row in rows:
            last = row.conversation.last if row.last is None else row.last
            parts.setdefault(row.conversation_id, []).append((row.first, last))
        for row in inherited:
            parts.setdefault(row.conversation_id, []).append((1, row.conversation.last))
        self._contexts = load_contexts(user_id, conversations)
        self._ranges = {key: merge_ranges(ranges) for key, ranges in parts.items()}
        self._seats = {row.conversation_id: row.seat_id for row in (*inherited, *rows)}

    def present(self, row: Message) -> SearchHit:
        """Return the message as the viewer sees it."""
        key = row.conversation_id
        return SearchHit(
            self._contexts.summarize(row.conversation, self._seats.get(key)),
            self._contexts.present(row, self._ranges[key]),
            getattr(row, "document_text", ""),
        )


def _to_json(hit: SearchHit, attached_text: str) -> dict[str, object]:
    message, author, summary = hit.message, hit.message.author, hit.summary
    signed = {
        AuthorKind.SEAT: author.power,
        AuthorKind.MASTER: "game master",
        AuthorKind.PERSON: author.name,
        AuthorKind.UNSIGNED: "unsigned",
    }
    return {
        "game": summary.slug,
        "world": summary.world,
        "conversation": summary.place or name_of(summary.person),
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
