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
    FROM_BOT = "from bot"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A change of one seat's holder, without names; a `VACANT` seat has had no player since.

    With `FROM_BOT`, a person took the seat of a bot.
    """

    at: dt.datetime
    power: str
    change: Change
    phase: Phase


@dataclass(frozen=True, slots=True)
class Flag:
    """One country of a seat: its name, its color, and the letters on badges of many powers."""

    country: str
    color: str
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in a list.

    `members` are the other seats; `person` is the stored name of the other person in a personal
    one. `last` is the newest message that the viewer can read, None if there is none or the viewer
    deleted it. `is_new` says that there are no messages at all. `verdict` and `why` say whether the
    viewer may write now, but not in lists across all games; only these have the game's `slug` and
    `world`, blank for a personal conversation.
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
    slug: str = ""
    world: str = ""

    @property
    def place(self) -> str:
        """The last part of the conversation's URL in its game; blank for a personal one."""
        return "" if self.kind is AddressKind.PERSONAL else str(self.address)

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

    @property
    def last(self) -> int:
        """The number of the last message in this part; without any, of the newest one."""
        return self.messages[-1].number if self.messages else self.count


@dataclass(frozen=True, slots=True)
class Addressees:
    """The recipients that the viewer may write to now: one, several together, everyone, and so on.

    `seats` may be combined in one address. `others` has the conversations of other kinds.
    """

    seats: tuple[MemberFacts, ...]
    others: tuple[Address, ...]


def list_members(
    table: PressTable, kind: AddressKind, seats: Sequence[Seat]
) -> tuple[MemberFacts, ...]:
    """Return the other members of a conversation between `seats`, in board order."""
    if kind not in (AddressKind.SEATS, AddressKind.MASTER):
        return ()
    order = {str(info.power): rank for rank, info in enumerate(table.game.board.powers)}
    own_seats = (table.seat, find_past_seat(table))
    return tuple(
        _present_member(table.game, seat, table.holders.tenures.get(seat.pk, ()))
        for seat in sorted(seats, key=lambda row: order[row.power or ""])
        if seat not in own_seats
    )


def list_changes(table: PressTable, members: Sequence[MemberFacts]) -> list[SeatChange]:
    """Return how the seats of `members` have changed hands, oldest first.

    They follow from the tenures, which the log of the game shows as well, and are not messages: the
    numbers of messages do not depend on them.
    """
    changes: list[SeatChange] = []
    for member in members:
        if (seat := table.holders.find_power(member.power)) is not None:
            changes += _list_seat_changes(member.power, table.holders.tenures.get(seat.pk, []))
    return sorted(changes, key=lambda change: change.at)


def _list_seat_changes(power: str, tenures: Sequence[Tenure]) -> Iterator[SeatChange]:
    for number, tenure in enumerate(tenures):
        since, until = (getattr(tenure, name, None) for name in ("since_phase", "until_phase"))
        if number and since:
            taken = Change.BOT if tenure.bot else Change.PLAYER
            if not tenure.bot and tenures[number - 1].bot:
                taken = Change.FROM_BOT
            yield SeatChange(tenure.since_at, power, taken, Phase.parse(since))
        following = tenures[number + 1] if number + 1 < len(tenures) else None
        # A bot that takes the seat in the same instant says enough.
        is_followed = following is not None and following.since_at == tenure.until_at
        if tenure.until_at is not None and until and not is_followed:
            change = Change.VACANT if following is None else Change.LEFT
            yield SeatChange(tenure.until_at, power, change, Phase.parse(until))


def _present_member(
    game: Game, seat: Seat, tenures: Sequence[Tenure] = (), color: str = ""
) -> MemberFacts:
    """Return a seat; without its `tenures`, it has no `since` and no `muted`."""
    since = None
    if tenures and tenures[-1].user_id and tenures[-1].until_at is None and len(tenures) > 1:
        name = getattr(tenures[-1], "since_phase", None)
        since = Phase.parse(name) if name else None
    return MemberFacts(
        power=seat.power or "",
        country=seat.country_name,
        holder=seat_holder(game, seat, hidden=is_masked(game)),
        vacant=seat.vacated_at is not None,
        since=since,
        muted=bool(tenures) and bool(getattr(tenures[-1], "is_muted", False)),
        color=color,
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
        name, is_note = person_name(self.game, person), kind is AddressKind.NOTES
        if kind is AddressKind.PREGAME or (is_note and message.seat_id is None):
            return Author(AuthorKind.PERSON, name=name, is_you=is_you)
        if message.seat_id is None:
            return Author(AuthorKind.MASTER, is_you=is_you)
        seats = self.holders.seats if self.holders else ()
        seat = next((seat for seat in seats if seat.pk == message.seat_id), None)
        current = self.holders.current(seat) if self.holders and seat else None
        return Author(
            AuthorKind.SEAT,
            power=(seat.power or "") if seat else "",
            country=seat.country_name if seat else "",
            name=name,
            former=current is None or current.pk != message.tenure_id,
            is_you=is_you,
        )

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
        self._plans: dict[int, tuple[list[Membership], Ranges]] = {}

    @property
    def version(self) -> int:
        """How often the viewer's press in this game has changed, as in `count_changes`."""
        _ = self._rows
        return self._version

    @cached_property
    def readable(self) -> list[tuple[Conversation, list[Membership], Ranges]]:
        """The conversations that the viewer can read, with the viewer's rows."""
        readable = []
        for members in self._rows.values():
            conversation = members[0].conversation
            rows, ranges = self._plan(conversation, members)
            if ranges:
                readable.append((conversation, rows, ranges))
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
        # The authors and their mutes are known from the holders' rows.
        holders = self._table.holders
        people = {seat.user_id: seat.user for seat in holders.seats}
        muted = {row.pk for row in holders.all_tenures if getattr(row, "is_muted", False)}
        if others := {row.author_id for row in rows} - people.keys() - {None}:
            people |= User.objects.in_bulk(others)
        for row in rows:
            row.author = people.get(row.author_id)
            vars(row)["is_muted"] = row.tenure_id in muted
        return {row.conversation_id: row for row in rows}

    @cached_property
    def _rows(self) -> dict[str, list[Membership]]:
        """The rows of the viewer, of seats the viewer held, and of public conversations, by key.

        The query is the same for any conversation, whether or not it exists.
        """
        kinds = (AddressKind.PUBLIC, AddressKind.GRAY, AddressKind.PREGAME)
        common = (key_of_game(self._game.pk, kind) for kind in kinds)
        tenures = self._table.holders.tenures.items()
        held = [seat for seat, rows in tenures if any(row.user_id == self._user_id for row in rows)]
        conversations: dict[str, Conversation] = {}
        grouped: dict[str, list[Membership]] = {}
        for row in _members.read(self._game.pk, self._user_id, held or [_NO_SEAT], *common):
            self._version = getattr(row, "version", None) or 0
            row.conversation = conversations.setdefault(row.conversation.key, row.conversation)
            grouped.setdefault(row.conversation.key, []).append(row)
        return grouped

    def _plan(
        self, conversation: Conversation, rows: Sequence[Membership]
    ) -> tuple[list[Membership], Ranges]:
        """Return the viewer's rows as the next message would leave them, and readable ranges."""
        # Planned once: a plan ends rows in place, so the next would begin where it left off.
        if conversation.pk not in self._plans:
            plan = plan_conversation(conversation, rows, self._game, self._table.holders)
            viewer_rows = [row for row in plan.rows if row.user_id == self._user_id]
            if AddressKind(conversation.kind).is_for_all:
                ranges = merge_ranges([(1, conversation.last)])
            else:
                ranges = find_ranges(conversation, viewer_rows, self._user_id)
            self._plans[conversation.pk] = viewer_rows, ranges
        return self._plans[conversation.pk]


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
    places = zip(conversations, numbers, strict=True)
    wanted = (Q(conversation=conversation, number=number) for conversation, number in places)
    return select_unsigned(user_id).filter(reduce(or_, wanted))


_members = PreparedQuery(_select_members, int, int, list, str, str, str)
_messages = PreparedQuery(_select_messages, int, list, list)


@dataclass(frozen=True, slots=True)
class Contexts:
    """Who is who in several games: seats by game key, and the names of people by their keys."""

    user_id: int
    holders: Mapping[int, Holders]
    people: Mapping[int, str] = field(default_factory=dict)

    def present(self, message: Message, ranges: Ranges | None = None) -> MessageFacts:
        """Return a message; without the viewer's `ranges`, as if it was the only one."""
        conversation = message.conversation
        game = conversation.game
        names = AuthorNames(game, self.holders.get(game.pk) if game else None, self.user_id)
        alone = Ranges(((message.number, message.number),))
        return names.present(
            message, AddressKind(conversation.kind), alone if ranges is None else ranges
        )

    def summarize(
        self,
        conversation: Conversation,
        own_seat: int | None,
        row: Membership | None = None,
        last: MessageFacts | None = None,
    ) -> Summary:
        """Return a conversation without whether the viewer may write there.

        `own_seat` is the key of the viewer's seat, and `row` the viewer's row.
        """
        game, kind = conversation.game, AddressKind(conversation.kind)
        is_of_seats = kind in (AddressKind.SEATS, AddressKind.MASTER)
        holders = self.holders.get(game.pk) if game else None
        seats, numbers = holders.seats if holders else (), numbers_of_key(conversation.key)
        others = [seat for seat in seats if seat.number in numbers and seat.pk != own_seat]
        colors = game.power_colors(seats) if game and is_of_seats else {}
        is_addressed = is_of_seats and not (kind is AddressKind.MASTER and own_seat)
        person = numbers - {self.user_id} if kind is AddressKind.PERSONAL else ()
        return Summary(
            address=seats_address(seat.power for seat in others if seat.power)
            if is_addressed
            else Address(kind),
            kind=kind,
            members=tuple(
                _present_member(game, seat, color=colors.get(seat.power or "", ""))
                for seat in others
                if game and is_of_seats
            ),
            person=next((self.people.get(key, "") for key in person), ""),
            unread=row.unread if row else 0,
            muted=row is not None and row.muted_at is not None,
            last=last,
            active_at=row.active_at if row else None,
            slug=game.slug if game else "",
            world=game.world if game else "",
        )


def load_contexts(user_id: int, conversations: Collection[Conversation]) -> Contexts:
    """Return who is who in these conversations, in at most two queries."""
    games = {row.game.pk: row.game for row in conversations if row.game is not None}
    personal = [row.key for row in conversations if row.kind == AddressKind.PERSONAL]
    keys = set().union(*map(numbers_of_key, personal))
    tenures: dict[int, list[Tenure]] = {}
    for row in _tenures.read(list(games)) if games else ():
        tenures.setdefault(row.seat.game_id, []).append(row)
    return Contexts(
        user_id,
        {key: build_holders(games[key], rows) for key, rows in tenures.items()},
        {row.pk: row.username for row in (_people.read(list(keys)) if keys else ())},
    )


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
