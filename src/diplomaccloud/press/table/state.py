"""A game's press for one person: its phase, the seats' holders, and where the person may write."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Final

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.table.errors import NoSuchPlayer
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.options import Press, Successor
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.table.addresses import (
    Address,
    AddressKind,
    key_of_game,
    key_of_master,
    key_of_notes,
    key_of_seats,
    numbers_of_key,
    seats_address,
)
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import Block, PressLimit, PressSettings, SeatMute
from diplomaccloud.press.table.rules import (
    WRITING_MOVES,
    PressPhase,
    PressState,
    PressVerdict,
    Why,
    decide,
    find_state,
)
from diplomaccloud.schedule import DeadlineMove, move_from_json
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class NewestPhase:
    """The newest phase of a game, None before the start, with the moves of its deadline.

    The moves are oldest first and decide who may speak.
    """

    phase: Phase | None
    moves: tuple[DeadlineMove, ...] = ()

    def state_at(self, game: Game, at: dt.datetime) -> PressState:
        """Return what the game allows at a point in time."""
        phase = self.phase
        facts = None
        if phase is not None:
            closed = phase.locked_at is not None or phase.processed_at is not None
            facts = PressPhase(phase.judge_phase.stage, phase.deadline, closed, self.moves)
        return find_state(
            facts,
            over=game.status == Status.FINISHED,
            suspended=bool(game.suspended_reason),
            writing=game.options.talk.writing,
            at=at,
        )


def load_phase_of_game(slug: str) -> NewestPhase:
    """Return the newest phase of a game, along with the game itself, in one query."""
    return _join_moves(_newest_of_slug.read(slug))


def _select_newest(rows: QuerySet[Phase], **of: object) -> QuerySet[Phase]:
    """Return the newest phase of a game; `rows` adds joins."""
    newest = Phase.objects.filter(superseded_at=None, **of).order_by("-sequence").values("pk")[:1]
    return _with_moves(rows.filter(pk=Subquery(newest)))


def _with_moves(rows: QuerySet[Phase]) -> QuerySet[Phase]:
    """Return each phase once for each of its moves, oldest first, or once without any."""
    kinds = [kind.value for kind in WRITING_MOVES]
    moves = rows.annotate(move=FilteredRelation("log", condition=Q(log__kind__in=kinds)))
    return moves.annotate(move_data=F("move__data")).order_by("move__pk")


_newest_of_game = PreparedQuery(lambda game: _select_newest(Phase.objects.all(), game=game), int)
_newest_of_slug = PreparedQuery(
    lambda slug: _select_newest(
        Phase.objects.select_related(
            "game__chart", "game__creator", "game__master", "game__standing"
        ).defer("game__chart__text"),
        game__slug=slug,
    ),
    str,
)


def _join_moves(rows: Sequence[Phase]) -> NewestPhase:
    """Return the phase that all these rows belong to, None without rows."""
    moved = filter(None, (getattr(row, "move_data", None) for row in rows))
    return NewestPhase(
        rows[0] if rows else None, tuple(move_from_json(data["moved"]) for data in moved)
    )


@dataclass(frozen=True, slots=True)
class Holders:
    """The seats of a game and who has held them; `tenures` are by seat, oldest first.

    Before the start there are no tenures, and the seats are those of the waiting room. `muted_by`
    are the players who have muted the person for whom this was loaded, and `limited_until` is the
    end of that person's latest press limit, None if there never was one.
    """

    seats: Sequence[Seat]
    tenures: dict[int, list[Tenure]] = field(default_factory=dict)
    muted_by: frozenset[int] = frozenset()
    limited_until: dt.datetime | None = None

    def find_seat(self, user_id: int | None) -> Seat | None:
        """Return the seat that the person holds."""
        return next((row for row in self.seats if user_id and row.user_id == user_id), None)

    def find_power(self, power: str) -> Seat | None:
        """Return the seat that has `power` as its first power."""
        return next((row for row in self.seats if row.power == power), None)

    def current(self, seat: Seat) -> Tenure | None:
        """Return the current tenure, of a person or a bot; None if the seat is vacant."""
        tenures = self.tenures.get(seat.pk, ())
        return next((tenure for tenure in tenures if tenure.until_at is None), None)

    @property
    def all_tenures(self) -> list[Tenure]:
        """The tenures of all seats."""
        return list(chain.from_iterable(self.tenures.values()))

    def has_held(self, user_id: int | None) -> bool:
        """Return whether the person has held a seat at any time since the start."""
        return self.find_seat(user_id) is not None or any(
            user_id and tenure.user_id == user_id for tenure in self.all_tenures
        )


def load_holders(
    game: Game, *, viewer: int | None = None, sender: int | None = None, with_since: bool = True
) -> Holders:
    """Return who holds and held the seats of the game, in one query.

    With the key of a `viewer`, each tenure has more attributes: `since_phase` and `until_phase`,
    the names of the phases in which it started and ended, unless `with_since` is false, and
    `is_muted`, whether the viewer has muted its seat. With the key of a `sender`, the result
    includes who has muted that person.
    """
    if game.started_at is None:
        waiting = game.seats.select_related("user").order_by("pk")
        seats = list(waiting.annotate(limited_until=find_limit(viewer or sender, game.pk)))
        return Holders(seats, limited_until=seats[0].limited_until if seats else None)
    if viewer is not None:
        query = _tenures_since if with_since else _tenures
        return build_holders(game, query.read(game.pk, viewer))
    rows = _select_tenures(game.pk)
    if sender is not None:
        rows = rows.annotate(limited_until=find_limit(sender, game.pk))
        rows = rows.annotate(mutes_sender=_find_mutes(game, sender))
    return build_holders(game, list(rows))


def _select_tenures(game: int) -> QuerySet[Tenure]:
    rows = Tenure.objects.filter(seat__game=game).select_related("seat", "user")
    return rows.order_by("pk")


def _select_for_viewer(game: int, viewer: int, *, with_since: bool) -> QuerySet[Tenure]:
    muted = SeatMute.objects.filter(user=viewer, tenure=OuterRef("pk"))
    rows = _select_tenures(game).annotate(is_muted=Exists(muted))
    if with_since:
        rows = rows.annotate(
            since_phase=_name_phase(game, "since_at"), until_phase=_name_phase(game, "until_at")
        )
    return rows.annotate(limited_until=find_limit(viewer, game))


def _name_phase(game: int, at: str) -> Subquery:
    """Return an expression for the name of the phase that was open at the time in the column."""
    opened = Phase.objects.filter(game=game, opens_at__lte=OuterRef(at))
    return Subquery(opened.order_by("-opens_at", "-sequence").values("name")[:1])


_tenures = PreparedQuery(partial(_select_for_viewer, with_since=False), int, int)
_tenures_since = PreparedQuery(partial(_select_for_viewer, with_since=True), int, int)
_tenures_of_seats = PreparedQuery(
    lambda seats, viewer, game: (
        Tenure.objects.filter(seat__in=seats)
        .order_by("pk")
        .annotate(limited_until=find_limit(viewer, game))
    ),
    list,
    int,
    int,
)


def load_holders_of_seats(game: Game, seats: Sequence[Seat], *, viewer: int) -> Holders:
    """Return the same as `load_holders`, from seats that are already loaded with their players.

    The seats must be all seats of the game. If one has changed hands since, they are loaded again.
    The tenures have neither `since_phase` nor `is_muted`.
    """
    known = {seat.pk: seat for seat in seats}
    if game.started_at is None or not known:
        return load_holders(game, viewer=viewer)
    rows = _tenures_of_seats.read(list(known), viewer, game.pk)
    lasting = {row.seat_id: row for row in rows if row.until_at is None}
    if any(seat.user_id != getattr(lasting.get(seat.pk), "user_id", None) for seat in seats):
        return load_holders(game, viewer=viewer)
    for row in rows:
        row.seat = known[row.seat_id]
        if row.until_at is None:
            row.user = row.seat.user
    return build_holders(game, rows)


def build_holders(game: Game, rows: Sequence[Tenure]) -> Holders:
    """Return who holds and held the seats of the game, from its tenures in order."""
    tenures: dict[int, list[Tenure]] = {}
    seats: dict[int, Seat] = {}
    for row in rows:
        seat = row.seat = seats.setdefault(row.seat_id, row.seat)
        seat.game = game
        if row.until_at is None:
            # Avoids loading the same person again.
            seat.user = row.user
        tenures.setdefault(row.seat_id, []).append(row)
    muted_by = {row.user_id for row in rows if getattr(row, "mutes_sender", False)}
    return Holders(
        sorted(seats.values(), key=lambda seat: seat.number or 0),
        tenures,
        frozenset(key for key in muted_by if key is not None),
        getattr(rows[0], "limited_until", None) if rows else None,
    )


def find_limit(user_id: int | None, game_id: int | None) -> Subquery:
    """Return an expression for the end of a person's latest press limit; NULL if there is none.

    This includes limits in the game and limits everywhere.
    """
    limits = PressLimit.objects.filter(Q(game=None) | Q(game=game_id), user=user_id)
    return Subquery(limits.order_by("-until").values("until")[:1])


def _find_mutes(game: Game, sender: int) -> Exists | Q:
    """Return an expression for whether the holder of a tenure has muted the sender's seat.

    In a named game, blocking the person counts as well. In an anonymous game, that would tell the
    holder who has the seat.
    """
    mutes = Exists(
        SeatMute.objects.filter(
            user=OuterRef("user"), seat__game=game, tenure__user=sender, tenure__until_at=None
        )
    )
    if game.options.anonymous:
        return mutes
    return mutes | Exists(Block.objects.filter(user=OuterRef("user"), blocked=sender))


def is_out_of_game(seat: Seat, phase: Phase | None) -> bool:
    """Return whether every country of the seat is eliminated or has surrendered."""
    if phase is None:
        return False
    powers = set(phase.powers_of(seat))
    if powers <= set(phase.civil_disorder):
        return True
    position = phase.position if phase.processed_at is None else phase.resolution.next
    return not powers.intersection(players_left(position))


# A game's press for one person: its conversations, and where the person may write.


TALK_OF_SEATS: Final = frozenset({AddressKind.SEATS, AddressKind.PUBLIC, AddressKind.GRAY})
"""The kinds that eliminated players can only read, if the players agreed on that."""
FREE_OF_LIMITS: Final = frozenset({AddressKind.NOTES, AddressKind.MASTER})
"""Where a person can still write while press is limited after a report."""


@dataclass(frozen=True)
class PressTable:
    """A game, its seats and its newest phase, for one person, or for the bot of `bot_seat`."""

    game: Game
    user_id: int
    holders: Holders
    newest: NewestPhase
    bot_seat: Seat | None = None

    @cached_property
    def seat(self) -> Seat | None:
        """The person's seat, or the bot's."""
        return self.bot_seat or self.holders.find_seat(self.user_id)

    @cached_property
    def tenure(self) -> Tenure | None:
        """The person's tenure; None without a seat, and before the start."""
        return self.holders.current(self.seat) if self.seat else None

    @cached_property
    def is_master(self) -> bool:
        """Whether the person is the game master without a seat."""
        return self.game.master_id == self.user_id and self.seat is None

    def has_neutral_master(self) -> bool:
        """Return whether the game master is a person who never held a seat here."""
        master = self.game.master_id
        return master is not None and not self.holders.has_held(master)


@dataclass(frozen=True, slots=True)
class Target:
    """The conversation for a message, as its sender addresses it."""

    address: Address
    kind: AddressKind
    key: str
    seats: tuple[Seat, ...] = ()


def load_table(game: Game, user_id: int) -> PressTable:
    """Return the game as this person sees it, in two queries."""
    holders = load_holders(game, sender=user_id)
    rows = _newest_of_game.read(game.pk) if game.started_at is not None else []
    for row in rows:
        row.game = game
    return PressTable(game, user_id, holders, _join_moves(rows))


def find_target(table: PressTable, address: Address) -> Target:
    """Return the conversation at a person's `address`; raise `NoSuchConversation`.

    For a person who once held a seat, an address of seats is relative to that seat.
    """
    game_id, kind = table.game.pk, address.kind
    match kind:
        case AddressKind.PUBLIC | AddressKind.GRAY | AddressKind.PREGAME:
            return Target(address, kind, key_of_game(game_id, kind))
        case AddressKind.NOTES:
            return Target(address, kind, key_of_notes(game_id, table.user_id))
        case AddressKind.PERSONAL:
            raise NoSuchConversation
    seat, others = find_past_seat(table), _list_seats(table, address)
    if seat in others:
        raise NoSuchConversation
    if address.kind is AddressKind.MASTER and seat is not None:
        return Target(
            address, AddressKind.MASTER, key_of_master(game_id, seat.number or 0), (seat,)
        )
    if seat is None and table.is_master and len(others) == 1:
        key = key_of_master(game_id, others[0].number or 0)
        return Target(address, AddressKind.MASTER, key, others)
    if seat is None or not others:
        raise NoSuchConversation
    return Target(address, AddressKind.SEATS, _key_of(game_id, (seat, *others)), others)


def _list_seats(table: PressTable, address: Address) -> tuple[Seat, ...]:
    """Return the seats with these powers; raise `NoSuchConversation` unless there are all."""
    seats = tuple(table.holders.find_power(power) for power in address.powers)
    known = tuple(seat for seat in seats if seat is not None and seat.number is not None)
    if len(known) < len(seats):
        raise NoSuchConversation
    return known


def _key_of(game_id: int, seats: Iterable[Seat]) -> str:
    return key_of_seats(game_id, [seat.number or 0 for seat in seats])


def find_private(table: PressTable, address: Address) -> Target:
    """Return the conversation whose members are exactly the seats in the address.

    Raises `NoSuchConversation` unless there are two seats or more.
    """
    seats = _list_seats(table, address)
    if address.kind is not AddressKind.SEATS or not seats[1:]:
        raise NoSuchConversation
    return Target(address, AddressKind.SEATS, _key_of(table.game.pk, seats), seats)


def find_past_seat(table: PressTable) -> Seat | None:
    """Return the person's seat, or else the last one the person held."""
    if table.seat is not None:
        return table.seat if table.seat.number is not None else None
    held = [row for row in table.holders.all_tenures if row.user_id == table.user_id]
    return max(held, key=lambda tenure: tenure.pk).seat if held else None


def address_of(table: PressTable, kind: str, key: str) -> Address:
    """Return the person's address for the conversation of a key; raise `NoSuchConversation`."""
    own_seat = find_past_seat(table)
    if kind not in (AddressKind.SEATS, AddressKind.MASTER) or (
        kind == AddressKind.MASTER and own_seat is not None
    ):
        return Address(AddressKind(kind))
    numbers = numbers_of_key(key) - {own_seat.number if own_seat else None}
    powers = [seat.power for seat in table.holders.seats if seat.number in numbers and seat.power]
    if not powers:
        raise NoSuchConversation
    return seats_address(powers)


Judgment = tuple[PressVerdict, Why]
_ALLOWED: Final = (PressVerdict.ALLOWED, Why.NOTHING)


def judge_target(table: PressTable, target: Target, state: PressState, at: dt.datetime) -> Judgment:
    """Return whether the person may send a message to the conversation at `at`, and why not.

    If any check finds it absent, it is absent. Otherwise the first reason that closes it counts.
    """
    until = table.holders.limited_until
    is_limited = until is not None and at < until and target.kind not in FREE_OF_LIMITS
    judgments = (
        _judge_kind(table, target.kind),
        (PressVerdict.CLOSED, Why.LIMITED) if is_limited else _ALLOWED,
        _judge_person(table, target.kind),
        decide(table.game.options.press, target.kind, state),
        _judge_vacancy(table, target),
    )
    for verdict in (PressVerdict.ABSENT, PressVerdict.CLOSED):
        if reason := next((row for row in judgments if row[0] is verdict), None):
            return reason
    return _ALLOWED


def _judge_person(table: PressTable, kind: AddressKind) -> Judgment:
    seat, has_held = table.seat, table.holders.has_held(table.user_id)
    if kind is AddressKind.NOTES:
        is_member = table.is_master or seat is not None or has_held
        return _ALLOWED if is_member else (PressVerdict.ABSENT, Why.READER)
    if seat is not None:
        silent = table.game.options.talk.silent and kind in TALK_OF_SEATS
        is_over = table.game.finished_at is not None
        if silent and not is_over and is_out_of_game(seat, table.newest.phase):
            return PressVerdict.CLOSED, Why.SILENT
        return _ALLOWED
    if table.is_master and kind is not AddressKind.SEATS:
        return _ALLOWED if kind is not AddressKind.GRAY else (PressVerdict.CLOSED, Why.READER)
    return (PressVerdict.CLOSED, Why.LEFT) if has_held else (PressVerdict.ABSENT, Why.READER)


def _judge_kind(table: PressTable, kind: AddressKind) -> Judgment:
    options = table.game.options
    if kind is AddressKind.GRAY and not options.talk.gray:
        return PressVerdict.ABSENT, Why.NOTHING
    if kind is AddressKind.MASTER and not table.has_neutral_master():
        return PressVerdict.ABSENT, Why.NO_MASTER
    if kind is AddressKind.PREGAME and (options.press is Press.NONE or options.anonymous):
        return PressVerdict.ABSENT, Why.NOTHING
    return _ALLOWED


def _judge_vacancy(table: PressTable, target: Target) -> Judgment:
    """Return whether the other seat of a pair can get messages while it is vacant."""
    is_vacant = False
    if target.kind is AddressKind.MASTER and table.is_master:
        is_vacant = target.seats[0].user_id is None
    elif target.kind is AddressKind.SEATS and target.address.is_pair:
        is_blank = table.game.options.talk.successor is Successor.BLANK
        is_vacant = is_blank and target.seats[0].vacated_at is not None
    return (PressVerdict.CLOSED, Why.VACANT) if is_vacant else _ALLOWED


# Who may write personal messages to whom.


def find_person(name: str, user_id: int) -> User:
    """Return the other person with this screen name; raise `NoSuchPlayer`."""
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=make_key(name))
    person = people.exclude(pk=user_id).first()
    if person is None:
        raise NoSuchPlayer("There is no other player with this screen name.")
    return person


def accepts_message(user_id: int, addressee_id: int, now: dt.datetime) -> bool:
    """Return whether the addressee now accepts a personal message from the other person.

    A block looks the same as not accepting any personal messages.
    """
    if PressSettings.objects.filter(user=addressee_id, personal=False).exists():
        return False
    if Block.objects.filter(user=addressee_id, blocked=user_id).exists():
        return False
    return not _share_silent_game(user_id, addressee_id, now)


def _share_silent_game(user_id: int, other_id: int, now: dt.datetime) -> bool:
    """Return whether both play in a running named game that now forbids messages between them.

    Anonymous games never count, because the refusal would reveal who plays in them.
    """
    theirs = Seat.objects.filter(user=other_id, finished_at=None).values("game")
    games = Game.objects.filter(
        seats__user=user_id, seats__finished_at=None, pk__in=theirs, status=Status.RUNNING
    )
    limited = {
        game.pk: game
        for game in games.distinct()
        if not game.options.anonymous and game.options.press is not Press.FULL
    }
    if not limited:
        return False
    newest = Phase.objects.filter(game=OuterRef("game"), superseded_at=None)
    last = Subquery(newest.order_by("-sequence").values("pk")[:1])
    rows: dict[int, list[Phase]] = {}
    for row in _with_moves(Phase.objects.filter(game__in=limited, pk=last)):
        row.game = limited[row.game_id]
        rows.setdefault(row.game_id, []).append(row)
    states = ((limited[key], _join_moves(phases)) for key, phases in rows.items())
    return any(
        decide(game.options.press, AddressKind.SEATS, phase.state_at(game, now))[0]
        is not PressVerdict.ALLOWED
        for game, phase in states
    )


# Whether a game master may look at private conversations, for both actions and pages.


LOOK: Final = "look"
"""The kind of a look's entry in the log."""
PLAYED: Final = "A game master who plays or has played in this game cannot read private messages."


def may_look(table: PressTable) -> bool:
    """Return whether the person is the game master of a game with this option.

    A game master who ever held a seat may not look either, but sees the reason.
    """
    return table.game.options.talk.master_reads and table.game.master_id == table.user_id
