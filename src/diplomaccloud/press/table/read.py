"""What a viewer may know about conversations, as values without wording, and its rows."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, reduce
from operator import or_
from typing import Final

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.options import Successor
from diplomaccloud.games.visibility.read import Holder, is_masked, person_name, seat_holder
from diplomaccloud.judge.phases import Phase
from diplomaccloud.press.table.addresses import (
    Address,
    AddressKind,
    AttachmentKind,
    key_of_game,
    numbers_of_key,
    seats_address,
)
from diplomaccloud.press.table.models import (
    Conversation,
    HiddenMessage,
    Membership,
    Message,
    PressVersion,
    SeatMute,
)
from diplomaccloud.press.table.periods import Ranges, find_ranges, merge_ranges, plan_conversation
from diplomaccloud.press.table.rules import PressVerdict, Why
from diplomaccloud.press.table.state import (
    Holders,
    PressTable,
    Target,
    build_holders,
    find_past_seat,
)
from diplomaccloud.shared.prepared_queries import PreparedQuery


class AuthorKind(StrEnum):
    """How a message is signed."""

    SEAT = "seat"
    MASTER = "master"
    PERSON = "person"
    UNSIGNED = "unsigned"


@dataclass(frozen=True, slots=True)
class Author:
    """The author of a message: a country, the game master, a person, or unknown.

    `name` is the screen name, blank if it is hidden. `former` says whether the country now has
    another player.
    """

    kind: AuthorKind
    power: str = ""
    country: str = ""
    name: str = ""
    former: bool = False
    is_you: bool = False


@dataclass(frozen=True, slots=True)
class AttachmentFacts:
    """An attachment of a message; each kind has its own subclass."""

    def list_lines(self, map_hash: str) -> Iterator[str]:
        """Return it as lines of plain text. `map_hash` is that of the game's map."""
        raise NotImplementedError


def describe_attachments(attachments: Sequence[AttachmentFacts], map_hash: str) -> str:
    """Return a message's attachments as plain text, for evidence and data downloads."""
    return "\n".join(line for facts in attachments for line in facts.list_lines(map_hash))


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """A message; `number` counts from the first one that the viewer can read.

    `phase` is the newest phase when it was sent, None before the start and outside games. `muted`
    says that the viewer has muted its author's seat. `attached` is the kind of attachment;
    `attachments` has the attachments themselves, on a page of the conversation.
    """

    number: int
    at: dt.datetime
    phase: Phase | None
    author: Author
    subject: str
    body: str
    muted: bool = False
    attached: AttachmentKind = AttachmentKind.NONE
    attachments: tuple[AttachmentFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class WaitingFacts:
    """An unpublished gray message of the viewer."""

    subject: str
    body: str
    published_at: dt.datetime


@dataclass(frozen=True, slots=True)
class MemberFacts:
    """A seat in a conversation; `since` is when another player took over, None if nobody did.

    `color` is that of its first country, in lists across all games.
    """

    power: str
    country: str
    holder: Holder
    vacant: bool
    since: Phase | None
    muted: bool = False
    color: str = ""


class Change(StrEnum):
    """How a seat in a conversation changed hands."""

    VACANT = "vacant"
    LEFT = "left"
    PLAYER = "player"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A change of one seat's holder, without names; a `VACANT` seat has had no player since."""

    at: dt.datetime
    power: str
    change: Change
    phase: Phase


@dataclass(frozen=True, slots=True)
class CountryFacts:
    """One country of a seat: its name and color."""

    name: str
    color: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in a list.

    `members` are the other seats; `person` is the stored name of the other person in a personal
    one. `last` is the newest message that the viewer can read, None if there is none or the viewer
    deleted it. `is_new` says that there are no messages at all. `verdict` and `why` say whether the
    viewer may write now.
    """

    address: Address
    kind: AddressKind
    members: tuple[MemberFacts, ...] = ()
    person: str = ""
    unread: int = 0
    muted: bool = False
    last: MessageFacts | None = None
    active_at: dt.datetime | None = None
    verdict: PressVerdict = PressVerdict.ALLOWED
    why: Why = Why.NOTHING

    @property
    def is_new(self) -> bool:
        """Whether the conversation has no messages yet that the viewer can read."""
        return self.active_at is None

    @property
    def is_writable(self) -> bool:
        """Whether the viewer may write now."""
        return self.verdict is PressVerdict.ALLOWED


@dataclass(frozen=True, slots=True)
class ConversationFacts:
    """Part of a conversation: messages in order, and whether there are more on either side.

    `count` is the number of the newest message, and `read` the number of the last message that
    the viewer has read. `waiting` has the viewer's unpublished gray messages.
    `changes` are the changes of the other seats that belong among these messages, oldest first.
    """

    summary: Summary
    messages: tuple[MessageFacts, ...]
    count: int
    read: int
    has_earlier: bool
    has_later: bool
    waiting: tuple[WaitingFacts, ...] = ()
    changes: tuple[SeatChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Addressees:
    """The recipients that the viewer may write to now: one, several together, everyone, and so on.

    `seats` may be combined in one address. `others` has the conversations of other kinds.
    """

    seats: tuple[MemberFacts, ...]
    others: tuple[Address, ...]


# The members of conversations, and the countries of a game, as named in press.


def list_members(
    table: PressTable, kind: AddressKind, seats: Sequence[Seat]
) -> tuple[MemberFacts, ...]:
    """Return the other members of a conversation between `seats`, in board order."""
    if kind not in (AddressKind.SEATS, AddressKind.MASTER):
        return ()
    order = {str(info.power): rank for rank, info in enumerate(table.game.board.powers)}
    others = [seat for seat in seats if seat != table.seat and seat != find_past_seat(table)]
    hidden = is_masked(table.game)
    return tuple(
        _present_member(table, seat, hidden=hidden)
        for seat in sorted(others, key=lambda row: order[row.power or ""])
    )


def list_changes(table: PressTable, members: Sequence[MemberFacts]) -> list[SeatChange]:
    """Return how the seats of `members` have changed hands, oldest first.

    They follow from the tenures, which the log of the game shows as well, and are not messages: the
    numbers of messages do not depend on them.
    """
    seats = [table.holders.find_power(member.power) for member in members]
    found = [
        change
        for seat in seats
        if seat is not None
        for change in _list_seat_changes(seat.power or "", table.holders.tenures.get(seat.pk, []))
    ]
    return sorted(found, key=lambda change: change.at)


def _list_seat_changes(power: str, tenures: Sequence[Tenure]) -> Iterator[SeatChange]:
    for number, tenure in enumerate(tenures):
        since, until = (getattr(tenure, name, None) for name in ("since_phase", "until_phase"))
        if number and since:
            taken = Change.BOT if tenure.bot else Change.PLAYER
            yield SeatChange(tenure.since_at, power, taken, Phase.parse(since))
        following = tenures[number + 1] if number + 1 < len(tenures) else None
        # A bot that takes the seat in the same instant says enough.
        is_followed = following is not None and following.since_at == tenure.until_at
        if tenure.until_at is not None and until and not is_followed:
            left = Change.VACANT if following is None else Change.LEFT
            yield SeatChange(tenure.until_at, power, left, Phase.parse(until))


def list_groups(table: PressTable) -> tuple[tuple[str, ...], ...]:
    """Return the powers of each seat, in board order; none before the draw."""
    phase = table.newest.phase
    played = phase.played_with if phase else {}
    groups = [played.get(seat.power, ()) for seat in table.holders.seats]
    ranks = {info.power: rank for rank, info in enumerate(table.game.board.powers)}
    return tuple(sorted(filter(None, groups), key=lambda group: ranks[group[0]]))


def list_countries(table: PressTable) -> dict[str, tuple[CountryFacts, ...]]:
    """Return the countries of each seat, by its first power; none before the draw."""
    seats, phase = table.holders.seats, table.newest.phase
    if phase is None:
        return {}
    colors, info = table.game.power_colors(seats), phase.board.power_info
    countries: dict[str, tuple[CountryFacts, ...]] = {}
    for seat in seats:
        powers = phase.played_with.get(seat.power, ())
        if seat.power and len(powers) > 1:
            parts = [CountryFacts(info[power].name, colors[power]) for power in powers]
            countries[seat.power] = tuple(parts)
        elif seat.power:
            countries[seat.power] = (CountryFacts(seat.country_name, colors[seat.power]),)
    return countries


def _present_member(table: PressTable, seat: Seat, *, hidden: bool) -> MemberFacts:
    tenures = table.holders.tenures.get(seat.pk, [])
    since = None
    if tenures and tenures[-1].user_id and tenures[-1].until_at is None and len(tenures) > 1:
        name = getattr(tenures[-1], "since_phase", None)
        since = Phase.parse(name) if name else None
    return MemberFacts(
        power=seat.power or "",
        country=seat.country_name,
        holder=seat_holder(table.game, seat, hidden=hidden),
        vacant=seat.vacated_at is not None,
        since=since,
        muted=bool(tenures) and bool(getattr(tenures[-1], "is_muted", False)),
    )


@dataclass(frozen=True, slots=True)
class AuthorNames:
    """Who is who for one viewer; `holders` is None outside games."""

    game: Game | None
    holders: Holders | None
    user_id: int | None

    def author_of(self, message: Message, kind: AddressKind) -> Author:
        """Return how the message is signed for the viewer."""
        person = message.author
        is_you = person is not None and message.author_id == self.user_id
        if person is None and message.tenure_id is None:
            return Author(AuthorKind.UNSIGNED)
        if self.game is None:
            name = person.screen_name if person else ""
            return Author(AuthorKind.PERSON, name=name, is_you=is_you)
        name = person_name(self.game, person)
        if message.seat_id is None:
            if kind in (AddressKind.PREGAME, AddressKind.NOTES):
                return Author(AuthorKind.PERSON, name=name, is_you=is_you)
            return Author(AuthorKind.MASTER, is_you=is_you)
        if kind is AddressKind.PREGAME:
            return Author(AuthorKind.PERSON, name=name, is_you=is_you)
        seat = self._find_seat(message.seat_id)
        current = self.holders.current(seat) if self.holders and seat else None
        return Author(
            AuthorKind.SEAT,
            power=(seat.power or "") if seat else "",
            country=seat.country_name if seat else "",
            name=name,
            former=current is None or current.pk != message.tenure_id,
            is_you=is_you,
        )

    def _find_seat(self, key: int) -> Seat | None:
        seats = self.holders.seats if self.holders else ()
        return next((seat for seat in seats if seat.pk == key), None)

    def present(self, message: Message, kind: AddressKind, ranges: Ranges) -> MessageFacts:
        """Return the facts of a row that `select_messages` returned."""
        phase = getattr(message, "phase_name", None)
        return MessageFacts(
            number=ranges.shown(message.number),
            at=message.at,
            phase=Phase.parse(phase) if phase else None,
            author=self.author_of(message, kind),
            subject=message.subject,
            body=message.body,
            muted=bool(getattr(message, "is_muted", False)),
            attached=AttachmentKind(message.attached),
        )


def select_messages(user_id: int | None) -> QuerySet[Message]:
    """Return all messages with one person's `is_hidden` and `is_muted`."""
    rows = select_unsigned(user_id).select_related("author").annotate(phase_name=F("phase__name"))
    if user_id is None:
        return rows
    muted = SeatMute.objects.filter(user=user_id, seat=OuterRef("seat"), tenure=OuterRef("tenure"))
    return rows.annotate(is_muted=Exists(muted))


def select_unsigned(user_id: int | None) -> QuerySet[Message]:
    """Return all messages with `is_hidden`, without their authors and phases."""
    if user_id is None:
        return Message.objects.all()
    return Message.objects.annotate(is_hidden=Exists(select_hidden(user_id)))


def select_hidden(user_id: int) -> QuerySet[HiddenMessage]:
    """Return the rows that mark the outer query's message as deleted by this person."""
    return HiddenMessage.objects.filter(user=user_id, message=OuterRef("pk"))


# The rows that decide which conversations of a game, and which parts, a viewer can read.


_NO_SEAT: Final = 0
"""The key of no seat: the query for an empty list would not be prepared."""


class ConversationRows:
    """The conversations of a game with one viewer's rows, loaded when first used.

    `user_id` of the table is 0 for visitors, who are not members of any conversation.
    """

    def __init__(self, table: PressTable) -> None:
        self._table, self._game, self._user_id = table, table.game, table.user_id
        self._version = 0

    @property
    def version(self) -> int:
        """How often the viewer's press in this game has changed, as in `count_changes`."""
        _ = self._rows
        return self._version

    @cached_property
    def readable(self) -> list[tuple[Conversation, list[Membership], Ranges]]:
        """The conversations that the viewer can read, with the viewer's rows."""
        readable = []
        for found in self._rows.values():
            rows, ranges = self._plan(found[0].conversation, found)
            if ranges:
                readable.append((found[0].conversation, rows, ranges))
        return readable

    def find(self, target: Target) -> tuple[Conversation | None, Sequence[Membership], Ranges]:
        """Return a conversation with the viewer's rows and readable ranges."""
        rows = self._rows.get(target.key)
        if not rows:
            return None, [], Ranges()
        return rows[0].conversation, *self._plan(rows[0].conversation, rows)

    def find_newest(self) -> dict[int, Message]:
        """Return the newest message that the viewer can read in each conversation, by its key."""
        if not self.readable:
            return {}
        keys = [conversation.pk for conversation, *_ in self.readable]
        numbers = [ranges.last for *_, ranges in self.readable]
        rows = _messages.read(self._user_id, keys, numbers)
        self._sign(rows)
        return {row.conversation_id: row for row in rows}

    def _sign(self, messages: Sequence[Message]) -> None:
        """Set the authors and `is_muted` of the messages, from the holders' rows."""
        holders = self._table.holders
        people = {seat.user_id: seat.user for seat in holders.seats}
        tenures = [row for rows in holders.tenures.values() for row in rows]
        muted = {row.pk for row in tenures if getattr(row, "is_muted", False)}
        others = {row.author_id for row in messages} - people.keys() - {None}
        if others:
            people |= User.objects.in_bulk(others)
        for message in messages:
            message.author = people.get(message.author_id)
            vars(message)["is_muted"] = message.tenure_id in muted

    @cached_property
    def _rows(self) -> dict[str, list[Membership]]:
        """The viewer's rows by conversation key, in one query.

        The query is the same for any conversation, whether or not it exists.
        """
        conversations: dict[str, Conversation] = {}
        grouped: dict[str, list[Membership]] = {}
        for row in self._read():
            self._version = getattr(row, "version", None) or 0
            row.conversation = conversations.setdefault(row.conversation.key, row.conversation)
            grouped.setdefault(row.conversation.key, []).append(row)
        return grouped

    def _read(self) -> list[Membership]:
        """Return the rows of the viewer, of seats the viewer held, and of public conversations."""
        kinds = (AddressKind.PUBLIC, AddressKind.GRAY, AddressKind.PREGAME)
        common = (key_of_game(self._game.pk, kind) for kind in kinds)
        tenures = self._table.holders.tenures.items()
        held = [seat for seat, rows in tenures if any(row.user_id == self._user_id for row in rows)]
        return _members.read(self._game.pk, self._user_id, held or [_NO_SEAT], *common)

    def _plan(
        self, conversation: Conversation, rows: Sequence[Membership]
    ) -> tuple[list[Membership], Ranges]:
        """Return the viewer's rows as the next message would leave them, and readable ranges."""
        plan = plan_conversation(conversation, rows, self._game, self._table.holders)
        own = [row for row in plan.rows if row.user_id == self._user_id]
        if AddressKind(conversation.kind).is_for_all:
            return own, merge_ranges([(1, conversation.last)])
        return own, find_ranges(conversation, own, self._user_id)


def _select_members(
    game: int, user_id: int, seats: Sequence[int], *common: str
) -> QuerySet[Membership]:
    versions = PressVersion.objects.filter(user=user_id, place=game)
    readable = Q(user=user_id) | Q(seat__in=seats) | Q(conversation__key__in=common)
    rows = Membership.objects.filter(readable, conversation__game=game)
    version = Subquery(versions.values("number"))
    return rows.select_related("conversation").annotate(version=version)


def _select_messages(
    user_id: int, conversations: Sequence[int], numbers: Sequence[int]
) -> QuerySet[Message]:
    """Return one message of each conversation, by its number there."""
    places = zip(conversations, numbers, strict=True)
    wanted = (Q(conversation=conversation, number=number) for conversation, number in places)
    return select_unsigned(user_id).filter(reduce(or_, wanted))


_members = PreparedQuery(_select_members, int, int, list, str, str, str)
_messages = PreparedQuery(_select_messages, int, list, list)


# Who is who in several games, for a viewer's lists across all games.


@dataclass(frozen=True, slots=True)
class Contexts:
    """The seats of games by game key, and the names of people by their keys."""

    user_id: int
    holders: Mapping[int, Holders]
    people: Mapping[int, str] = field(default_factory=dict)

    def names(self, conversation: Conversation) -> AuthorNames:
        """Return who is who in the conversation."""
        game = conversation.game
        return AuthorNames(game, self.holders.get(game.pk) if game else None, self.user_id)

    def address(self, conversation: Conversation, own_seat: int | None) -> Address:
        """Return the viewer's address for the conversation; `own_seat` is the key of the seat."""
        kind = AddressKind(conversation.kind)
        if kind not in (AddressKind.SEATS, AddressKind.MASTER) or (
            kind is AddressKind.MASTER and own_seat
        ):
            return Address(kind)
        others = self._other_seats(conversation, own_seat)
        return seats_address(seat.power for seat in others if seat.power)

    def members(self, conversation: Conversation, own_seat: int | None) -> tuple[MemberFacts, ...]:
        """Return the other seats of a conversation."""
        game, kind = conversation.game, AddressKind(conversation.kind)
        if game is None or kind not in (AddressKind.SEATS, AddressKind.MASTER):
            return ()
        hidden, others = is_masked(game), self._other_seats(conversation, own_seat)
        holders = self.holders.get(game.pk)
        colors = game.power_colors(holders.seats if holders else ())
        return tuple(
            MemberFacts(
                power=seat.power or "",
                country=seat.country_name,
                holder=seat_holder(game, seat, hidden=hidden),
                vacant=seat.vacated_at is not None,
                since=None,
                color=colors.get(seat.power or "", ""),
            )
            for seat in others
        )

    def person(self, conversation: Conversation) -> str:
        """Return the stored name of the other person in a personal conversation, else blank."""
        if conversation.kind != AddressKind.PERSONAL:
            return ""
        (other,) = numbers_of_key(conversation.key) - {self.user_id}
        return self.people.get(other, "")

    def _other_seats(self, conversation: Conversation, own_seat: int | None) -> list[Seat]:
        numbers = numbers_of_key(conversation.key)
        holders = self.holders.get(conversation.game_id or 0)
        return [
            seat
            for seat in (holders.seats if holders else ())
            if seat.number in numbers and seat.pk != own_seat
        ]


def load_contexts(user_id: int, conversations: Collection[Conversation]) -> Contexts:
    """Return who is who in these conversations, in at most two queries."""
    games = {row.game.pk: row.game for row in conversations if row.game is not None}
    keys = {
        key
        for row in conversations
        if row.kind == AddressKind.PERSONAL
        for key in numbers_of_key(row.key)
    }
    people = _people.read(list(keys)) if keys else ()
    return Contexts(
        user_id,
        _load_holders(games) if games else {},
        {person.pk: person.username for person in people},
    )


def _load_holders(games: Mapping[int, Game]) -> dict[int, Holders]:
    tenures: dict[int, list[Tenure]] = {}
    for row in _tenures.read(list(games)):
        tenures.setdefault(row.seat.game_id, []).append(row)
    return {key: build_holders(games[key], found) for key, found in tenures.items()}


_people = PreparedQuery(lambda keys: User.objects.filter(pk__in=keys), list)
_tenures = PreparedQuery(
    lambda games: (
        Tenure.objects.filter(seat__game__in=games).select_related("seat", "user").order_by("pk")
    ),
    list,
)


def select_own_rows(user_id: int) -> QuerySet[Membership]:
    """Return the rows that represent conversations in a person's lists."""
    return with_games(Membership.objects.filter(user=user_id, active_at__isnull=False))


def select_inherited_rows(user_id: int) -> QuerySet[Membership]:
    """Return the rows of a person's seats written while the seat was vacant or had another player.

    No message was sent since, so the person has no row yet. `keep_readable` leaves out games in
    which successors read nothing.
    """
    rows = Membership.objects.filter(last=None, seat__user=user_id)
    # There are usually none, and then the query for the games is skipped.
    return rows.filter(~Q(user=user_id) | Q(user=None)).prefetch_related(fetch_conversations())


def with_games(rows: QuerySet[Membership]) -> QuerySet[Membership]:
    """Return the rows with their conversations and games, without the map texts."""
    related = rows.select_related("conversation__game__chart")
    return related.defer("conversation__game__chart__text")


def fetch_conversations() -> "Prefetch[str, QuerySet[Conversation], str]":
    """Return a prefetch for the conversations of messages, each loaded once with its game.

    Most messages in a list share a few conversations, which a join would build again and again.
    """
    rows = Conversation.objects.select_related("game__chart").defer("game__chart__text")
    return Prefetch("conversation", rows)


def keep_readable(rows: Iterable[Membership]) -> list[Membership]:
    """Return the inherited rows in games whose successors can read the seat's earlier messages.

    The previous player's marks are not passed on: those messages count as read. Each row gets a
    time of activity, since older rows of vacant seats may lack one.
    """
    kept = [
        row
        for row in rows
        if row.conversation.game is not None
        and row.conversation.kind != AddressKind.MASTER
        and row.conversation.game.options.talk.successor is Successor.ARCHIVE
    ]
    for row in kept:
        row.active_at = row.active_at or row.conversation.last_at
        if row.user_id is not None:
            row.read, row.unread, row.muted_at = row.conversation.last, 0, None
    return kept
