"""One game for one viewer: `Reader`, whose values every page shows, and the rows behind it.

Rooms read more with functions that take a `Reader`. Only modules called `read` see the rows.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from itertools import chain
from typing import Self, TypeVar, cast

from django.db.models import Case, Exists, OuterRef, QuerySet, Subquery, Value, When

from diplomaccloud.endings import Measure
from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame
from diplomaccloud.games.table.log_models import LogEntry, SaveReceipt, Unrated, find_unrated
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.options import Options, Watch
from diplomaccloud.games.table.phase_models import (
    FIRST_DRAFT,
    Draft,
    Phase,
    Submission,
    version_of_lines,
)
from diplomaccloud.games.visibility.read import (
    Actor,
    Viewer,
    creator_name,
    find_game,
    game_by_code,
    invited_games,
    is_canceled,
    is_masked,
    make_token,
    require_master,
)
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import order_from_json
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.schedule import MoveKind
from diplomaccloud.setups import Setup
from diplomaccloud.shared.prepared_queries import PreparedQuery

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The facts that every page of a game shows, all read with the game itself.

    `players` are the powers of each player at the start. `creator` is blank if the name is hidden;
    `master` is None if the site runs the game. `shows_order`: although names are hidden, the record
    shows in which order the players joined.
    """

    slug: str
    world: str
    map_name: str
    map_hash: str
    status: Status
    private: bool
    rated: bool
    suspended: bool
    frozen: bool
    options: Options
    rules: RuleSet
    setup: Setup | None
    players: tuple[tuple[Power, ...], ...]
    centers_to_win: int
    measure: Measure
    creator: str
    master: Actor | None
    is_creator: bool
    is_master: bool
    is_signed_in: bool
    shows_order: bool


@dataclass(frozen=True, slots=True)
class NewestPhase:
    """The newest phase: the open one, or the last of a finished game."""

    sequence: int
    phase: JudgePhase
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    fixed_deadline: bool
    locked: bool


@dataclass(frozen=True, slots=True)
class OwnSubmission:
    """What the viewer has submitted for the open phase; `locked` if a grace period locked it."""

    saved_at: dt.datetime | None = None
    ready: bool = False
    by_conditions: bool = False
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who was invited and has not joined yet."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class DraftOrders:
    """A draft and its orders; `saved_at` is None for a draft that is not stored yet."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    orders: tuple[Order, ...] = ()

    @property
    def text(self) -> str:
        """The orders in canonical form, sorted, one per line, as on a receipt."""
        return "\n".join(sorted(str(order) for order in self.orders))

    @property
    def version(self) -> str:
        """A hash of the orders, for the form that shows them."""
        return version_of_lines(map(str, self.orders))


EMPTY_DRAFT = DraftOrders(FIRST_DRAFT, True, None)

_rows = PreparedQuery(
    lambda phase, seat: (
        Draft.objects.filter(phase=phase, seat=seat)
        .held()
        .order_by("pk", "orders__pk")
        .values_list("name", "live", "saved_at", "orders__canonical")
    ),
    int,
    int,
)


def read_drafts(seat: Seat, phase: Phase) -> tuple[DraftOrders, ...]:
    """Return the drafts that the holder of the seat wrote for the phase; one of them is live."""
    headings: dict[str, tuple[bool, dt.datetime]] = {}
    orders: dict[str, list[Order]] = {}
    for name, live, saved_at, canonical in _rows.read(phase.pk, seat.pk):
        headings.setdefault(name, (bool(live), saved_at))
        written = orders.setdefault(name, [])
        if canonical is not None:
            written.append(order_from_json(canonical))
    drafts = tuple(
        DraftOrders(name, live, saved_at, tuple(orders[name]))
        for name, (live, saved_at) in headings.items()
    )
    return drafts if any(draft.live for draft in drafts) else (EMPTY_DRAFT, *drafts)


@dataclass(frozen=True, slots=True)
class LastSave:
    """The digest and the time of the newest signed receipt."""

    digest: str
    at: dt.datetime


def _select_submissions(phase: int, user_id: int) -> QuerySet[Submission]:
    """Return the submissions, each with the newest receipt that the person got for it."""
    receipts = SaveReceipt.objects.filter(
        phase=OuterRef("phase"), seat=OuterRef("seat"), user=user_id
    ).order_by("-pk")
    return Submission.objects.filter(phase=phase).annotate(
        receipt_digest=Subquery(receipts.values("digest")[:1]),
        receipt_at=Subquery(receipts.values("at")[:1]),
    )


_seats_of_game = PreparedQuery(
    lambda game: (
        Seat.objects.filter(game=game)
        .select_related("user__figures")
        .annotate(was_played=Exists(Tenure.objects.filter(seat=OuterRef("pk")).exclude(user=None)))
        .order_by("pk")
    ),
    int,
)
_submissions = PreparedQuery(_select_submissions, int, int)

_MAX_NEWEST = 200
"""More than anyone shows; the changes of the open deadline are read even if there are more."""


def _select_newest(game: int, phase: int) -> QuerySet[LogEntry]:
    moves = When(phase=phase, kind__in=[kind.value for kind in MoveKind], then=Value(1))
    entries = LogEntry.objects.filter(game=game).select_related("by")
    return entries.annotate(moved=Case(moves, default=Value(0))).order_by("-moved", "-pk")[
        :_MAX_NEWEST
    ]


_newest_entries = PreparedQuery(_select_newest, int, int)


class GameRows:
    """The rows of a game, each read when it is first used.

    `seats` are the rows of the seats, if they are already known.
    """

    def __init__(self, game: Game, viewer: Viewer, seats: Sequence[Seat] | None = None) -> None:
        self.game, self.viewer, self._known_seats = game, viewer, seats
        self.is_forming = game.status == Status.FORMING
        self.is_running = game.status == Status.RUNNING
        self.is_finished = game.status == Status.FINISHED

    @cached_property
    def options(self) -> Options:
        """What was agreed; read when it is needed, so that a record survives damaged options."""
        return self.game.options

    @cached_property
    def masked(self) -> bool:
        """Whether the names of the players are hidden."""
        return is_masked(self.game)

    @cached_property
    def hides_seats(self) -> bool:
        """Whether seats of others must look alike: in the waiting room of a masked game."""
        return self.masked and self.is_forming

    @cached_property
    def board(self) -> Board:
        """The board of the current phase, with the agreed number of centers needed to win."""
        return self.game.board_at(self.position.phase)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers of each player now."""
        return self.game.players_at(self.played_in)

    @cached_property
    def played_in(self) -> JudgePhase:
        """The phase that decides who plays what: in a finished game, the last one processed.

        The phase after it could reveal a coin flip that was never made public, unless the coin flip
        decided the game.
        """
        if self.phase is None or self.phase.processed_at is None:
            return self.position.phase
        judged = JudgePhase.parse(self.phase.name)
        played = set(chain(*self.game.players_at(judged)))
        winners = self.game.ending.winners if self.game.ending else ()
        return judged if played.issuperset(winners) else self.position.phase

    @cached_property
    def phases(self) -> QuerySet[Phase]:
        """The phases that were not rolled back, up to the newest one that was read."""
        if self.phase is None:
            return self.game.phases.none()
        return self.game.phases.filter(superseded_at=None, sequence__lte=self.phase.sequence)

    @cached_property
    def processed(self) -> QuerySet[Phase]:
        """The phases that were processed when the newest was read, so that all reads agree."""
        return self.phases.filter(sequence__lte=self.last_processed).exclude(processed_at=None)

    @cached_property
    def last_processed(self) -> int:
        """The greatest number that a phase in `processed` can have; 0 if there is none."""
        if self.phase is None:
            return 0
        return self.phase.sequence - (self.phase.processed_at is None)

    @cached_property
    def own_powers(self) -> tuple[Power, ...]:
        """The viewer's powers; none before countries are assigned."""
        return self.played_with.get(self.own_seat.power, ()) if self.own_seat else ()

    @cached_property
    def seats(self) -> list[Seat]:
        """The seats in board order, or in order of arrival before countries are assigned.

        While names are hidden, that order would tell who has which seat in the waiting room, so
        people come in the order of their tokens, and then bots.
        """
        rows = self._known_seats
        if rows is None:
            rows = _seats_of_game.read(self.game.pk)
            for row in rows:
                row.game = self.game
        if self.hides_seats:
            return sorted(rows, key=lambda row: (bool(row.bot), make_token(row)))
        ranks = {str(info.power): rank for rank, info in enumerate(self.board.powers)}
        return sorted(rows, key=lambda row: ranks.get(row.power or "", 0))

    @cached_property
    def own_seat(self) -> Seat | None:
        """The viewer's seat."""
        if self.viewer.user_id is None:
            return None
        return next((row for row in self.seats if row.user_id == self.viewer.user_id), None)

    @cached_property
    def tenures(self) -> list[Tenure]:
        """The tenures of all seats, newest first."""
        rows = Tenure.objects.filter(seat__game=self.game).select_related("user")
        return list(rows.order_by("-pk"))

    @cached_property
    def past_seats(self) -> list[tuple[int, str]]:
        """The seats the viewer has held and how each was left; empty if there is none to take."""
        has_free = self.options.bots_give_way or any(row.vacated_at for row in self.seats)
        if self.viewer.user_id is None or not has_free:
            return []
        tenures = Tenure.objects.filter(seat__game=self.game, user=self.viewer.user_id)
        return list(tenures.values_list("seat_id", "left"))

    @cached_property
    def phase(self) -> Phase | None:
        """The newest phase: the open one, or the last of a finished game.

        A phase that was opened or processed after the game was read is not returned, because the
        page would mix old and new facts.
        """
        if self.is_forming:
            return None
        phase = self.game.newest_phase()
        if phase is not None and self.is_running:
            phase.processed_at = phase.results = None
        return phase

    @cached_property
    def position(self) -> Position:
        """The current position; before the start, the starting position."""
        if self.phase is None:
            return self.game.starting_position
        if self.phase.processed_at is not None:
            return self.phase.resolution.next
        return self.phase.position

    @cached_property
    def powers_to_order(self) -> frozenset[Power]:
        """The powers that have something to order in the open phase."""
        if not self.is_running:
            return frozenset()
        disorder = set(self.phase.civil_disorder) if self.phase else set()
        return powers_to_order(self.board, self.position) - disorder

    @cached_property
    def submissions(self) -> dict[int, Submission]:
        """The submissions for the open phase, by seat key."""
        if self.phase is None or not self.is_running:
            return {}
        if self.viewer.user_id is None:
            submissions = list(self.phase.submissions.all())
        else:
            submissions = _submissions.read(self.phase.pk, self.viewer.user_id)
        for row in submissions:
            row.phase = self.phase
        return {row.seat_id: row for row in submissions}

    @cached_property
    def played_with(self) -> dict[str | None, tuple[Power, ...]]:
        """For each power, all powers of the player who has it now; empty for None."""
        return {power: powers for powers in self.players for power in powers}

    def has_surrendered(self, seat: Seat) -> bool:
        """Return whether every country of a seat has surrendered."""
        powers = set(self.played_with.get(seat.power, ()))
        return self.phase is not None and bool(powers) and powers <= set(self.phase.civil_disorder)

    @cached_property
    def newest_entries(self) -> list[LogEntry]:
        """The newest lines of the log, newest first, with every deadline change of the open phase.

        There are none before the start.
        """
        if self.is_forming:
            return []
        if self.phase is None:
            return list(self.game.log.select_related("by").order_by("-pk")[:_MAX_NEWEST])
        newest = _newest_entries.read(self.game.pk, self.phase.pk)
        for entry in newest:
            entry.game = self.game
        return sorted(newest, key=lambda entry: -entry.pk)


class Reader:
    """One game for one viewer; each part is read when it is first used.

    `draft` is the name of the viewer's draft to show, by default the live one, and `code` may open
    a private game. Raises `NoSuchGame` if the viewer may not see the game. `rows` are for modules
    called `read`: database rows never leave these. They read more about the game with functions
    that take the reader.

    `by_code` says whether only an invitation code opened the game, which opens no other page of it.
    `version` is the number of public events, which grows whenever a page changes for everyone. For
    `masked` and `hides_seats` see `GameRows`.
    """

    def __init__(self, slug: str, viewer: Viewer, *, code: str = "", draft: str = "") -> None:
        game, by_code = find_game(slug, viewer), False
        if game is None:
            game, by_code = game_by_code(slug, code), True
        if game is None:
            raise GameCanceled if is_canceled(slug) else NoSuchGame
        self._read(GameRows(game, viewer), by_code=by_code, draft=draft)

    @classmethod
    def of_known(
        cls, game: Game, viewer: Viewer, phase: Phase | None, seats: Sequence[Seat]
    ) -> Self:
        """Return a reader of a game whose newest phase and seats have been read before."""
        reader = cls.__new__(cls)
        reader._read(GameRows(game, viewer, seats))
        reader.rows.phase = phase
        return reader

    def _read(self, rows: GameRows, *, by_code: bool = False, draft: str = "") -> None:
        self.rows, self.by_code, self._draft = rows, by_code, draft
        self.known: dict[object, object] = {}
        self.version = rows.game.version
        self.is_forming, self.is_running = rows.is_forming, rows.is_running
        self.is_finished = rows.is_finished

    @property
    def masked(self) -> bool:
        """Whether the names of the players are hidden."""
        return self.rows.masked

    @property
    def hides_seats(self) -> bool:
        """Whether seats of others must look alike: in the waiting room of a masked game."""
        return self.rows.hides_seats

    @cached_property
    def game(self) -> GameFacts:
        """The facts that every page of the game shows."""
        game, user_id = self.rows.game, self.rows.viewer.user_id
        return GameFacts(
            slug=game.slug,
            world=game.world,
            map_name=game.chart.name,
            map_hash=game.chart.content_hash,
            status=Status(game.status),
            private=game.private,
            rated=game.rated,
            suspended=bool(game.suspended_reason),
            frozen=game.is_frozen,
            options=self.rows.options,
            rules=game.rules,
            setup=game.setup,
            players=game.players,
            centers_to_win=game.centers_to_win,
            measure=game.measure,
            creator=creator_name(game),
            master=require_master(game),
            is_creator=user_id is not None and user_id == game.creator_id,
            is_master=user_id is not None and user_id == game.master_id,
            is_signed_in=user_id is not None,
            shows_order=self.masked and game.started_at is not None and not game.seat_secret,
        )

    @cached_property
    def code(self) -> str:
        """The code that opens a private game, blank unless the viewer may share it."""
        return self.rows.game.code if self.has_seat or self.game.is_creator else ""

    @cached_property
    def is_public(self) -> bool:
        """Whether everyone may watch the game."""
        return not self.game.private and self.game.options.watch is Watch.ANYONE

    @cached_property
    def unrated(self) -> Unrated | None:
        """Why the game is unrated as things stand, or None if it is rated."""
        game, seats = self.rows.game, self.rows.seats
        people = sum(bool(row.user_id or vars(row).get("was_played")) for row in seats)
        ending = game.ending
        if ending is None:
            return find_unrated(people)
        return find_unrated(people, ending.reason, len(ending.winners))

    @cached_property
    def chart(self) -> Chart:
        """The map."""
        return self.rows.game.map

    @cached_property
    def board(self) -> Board:
        """The board of the current phase."""
        return self.rows.board

    @cached_property
    def starting_board(self) -> Board:
        """The board at the start of the game."""
        return self.rows.game.board

    @cached_property
    def position(self) -> Position:
        """The current position; before the start, the starting position."""
        return self.rows.position

    @cached_property
    def colors(self) -> Mapping[str, str]:
        """The color of every power."""
        return self.rows.game.power_colors(self.rows.seats)

    @cached_property
    def phase(self) -> NewestPhase | None:
        """The newest phase, or None before the start."""
        row = self.rows.phase
        if row is None:
            return None
        return NewestPhase(
            sequence=row.sequence,
            phase=JudgePhase.parse(row.name),
            opens_at=row.opens_at,
            due_at=row.due_at,
            adjudicate_at=row.adjudicate_at,
            fixed_deadline=row.fixed_deadline,
            locked=row.locked_at is not None,
        )

    @cached_property
    def idle_powers(self) -> tuple[Power, ...]:
        """The powers on the board that nobody plays."""
        return self.rows.game.idle_powers_at(self.rows.played_in)

    @cached_property
    def countries(self) -> Mapping[int, tuple[str, tuple[Power, ...]]]:
        """By seat key: the country name that the player chose, or blank, and the powers."""
        rows = self.rows
        return {row.pk: (row.country, rows.played_with.get(row.power, ())) for row in rows.seats}

    @cached_property
    def has_seat(self) -> bool:
        """Whether the viewer plays in the game."""
        return self.rows.own_seat is not None

    @cached_property
    def own_powers(self) -> tuple[Power, ...]:
        """The viewer's powers; none before countries are assigned."""
        return self.rows.own_powers

    @cached_property
    def own_country(self) -> str:
        """The name that the viewer chose for their country, or blank."""
        return self.rows.own_seat.country if self.rows.own_seat else ""

    @cached_property
    def own_color_choices(self) -> Mapping[str, str]:
        """The colors that the viewer chose, by power."""
        return self.rows.own_seat.colors if self.rows.own_seat else {}

    @cached_property
    def must_order(self) -> bool:
        """Whether the viewer has something to order in the open phase."""
        return bool(self.rows.powers_to_order.intersection(self.own_powers))

    @cached_property
    def own_submission(self) -> OwnSubmission:
        """What the viewer has submitted for the open phase."""
        seat = self.rows.own_seat
        row = self.rows.submissions.get(seat.pk) if seat else None
        if row is None:
            return OwnSubmission()
        return OwnSubmission(
            row.saved_at,
            row.ready_at is not None,
            row.by_conditional_orders,
            locked=self._is_kept_in_grace(row),
        )

    def _is_kept_in_grace(self, row: Submission) -> bool:
        phase, seat = self.rows.phase, self.rows.own_seat
        if phase is None or seat is None:
            return False
        return phase.is_kept_in_grace(seat, row, lambda: self.live_draft.orders)

    @cached_property
    def drafts(self) -> tuple[DraftOrders, ...]:
        """The viewer's own drafts for the open phase: the only read of secret orders.

        Exactly one is live, unless the viewer has nothing to order.
        """
        seat, phase = self.rows.own_seat, self.rows.phase
        if phase is None or seat is None or phase.processed_at is not None:
            return ()
        return read_drafts(seat, phase)

    @cached_property
    def live_draft(self) -> DraftOrders:
        """The viewer's draft that counts."""
        return next((draft for draft in self.drafts if draft.live), EMPTY_DRAFT)

    @cached_property
    def shown_draft(self) -> DraftOrders:
        """The viewer's draft to show in the order form."""
        named = (draft for draft in self.drafts if draft.name == self._draft)
        return next(named, self.live_draft)

    @cached_property
    def has_played_vacant(self) -> bool:
        """Whether the game has a vacant seat, and the viewer has held a seat in it before."""
        return bool(self.rows.past_seats)

    @cached_property
    def has_left(self) -> bool:
        """Whether the game has a vacant seat, and the viewer has left a seat in it for good.

        Not so if an appeal undid that.
        """
        return any(departure for _, departure in self.rows.past_seats)

    @cached_property
    def has_surrendered(self) -> bool:
        """Whether the game is running and every country of the viewer has surrendered."""
        seat = self.rows.own_seat
        return self.is_running and seat is not None and self.rows.has_surrendered(seat)

    @cached_property
    def is_invited(self) -> bool:
        """Whether the viewer has been invited."""
        return self.rows.game.pk in invited_games(self.rows.viewer)

    def read_last_save(self) -> LastSave | None:
        """Return the viewer's newest signed receipt for the open phase."""
        seat = self.rows.own_seat
        row = self.rows.submissions.get(seat.pk) if seat else None
        digest, at = getattr(row, "receipt_digest", None), getattr(row, "receipt_at", None)
        return LastSave(digest, at) if digest and at else None


def read_once(read: Callable[[Reader], _Value]) -> Callable[[Reader], _Value]:
    """Return the function with its answers kept by their readers, since a page asks repeatedly."""

    @wraps(read)
    def read_or_recall(reader: Reader) -> _Value:
        if read not in reader.known:
            reader.known[read] = read(reader)
        return cast("_Value", reader.known[read])

    return read_or_recall
