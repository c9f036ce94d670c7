"""Viewers, and which games a viewer may see."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Self

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame
from diplomaccloud.games.table.log_models import SaveReceipt, Unrated, find_unrated
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.options import Options
from diplomaccloud.games.table.phase_models import FIRST_DRAFT, Draft, Submission, version_of_lines
from diplomaccloud.games.table.phase_models import Phase as PhaseOfTable
from diplomaccloud.games.visibility.read import (
    Actor,
    Viewer,
    find_game,
    game_by_code,
    is_canceled,
    is_masked,
    make_token,
)
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.setups import Setup
from diplomaccloud.judge.victory import Measure
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What is needed to draw a board of the game's map, all read with the game itself."""

    slug: str
    world: str
    map_hash: str
    edition: str
    is_signed_in: bool


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The facts that every page of a game shows.

    `players` are the powers of each player at the start. `code` is blank unless the viewer may
    share it. `creator` is blank if the name is hidden; `master` is None if the site runs the game.
    `shows_order`: although names are hidden, the record shows in which order the players joined.
    """

    slug: str
    world: str
    map_name: str
    map_hash: str
    status: Status
    private: bool
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
    code: str
    is_creator: bool
    is_master: bool
    is_signed_in: bool
    shows_order: bool


@dataclass(frozen=True, slots=True)
class NewestPhase:
    """The newest phase: the open one, or the last of a finished game."""

    sequence: int
    phase: Phase
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


def read_drafts(seat: Seat, phase: PhaseOfTable) -> tuple[DraftOrders, ...]:
    """Return the drafts that the holder of the seat wrote for the phase; one of them is live."""
    headings: dict[str, tuple[bool, dt.datetime]] = {}
    orders: dict[str, list[Order]] = {}
    for name, live, saved_at, canonical in _rows.read(phase.pk, seat.pk):
        headings.setdefault(name, (bool(live), saved_at))
        own = orders.setdefault(name, [])
        if canonical is not None:
            own.append(order_from_json(canonical))
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


def with_last_save(submissions: QuerySet[Submission], user_id: int) -> QuerySet[Submission]:
    """Return the submissions, each with the newest receipt that the person got for it."""
    own = SaveReceipt.objects.filter(
        phase=OuterRef("phase"), seat=OuterRef("seat"), user=user_id
    ).order_by("-pk")
    return submissions.annotate(
        receipt_digest=Subquery(own.values("digest")[:1]), receipt_at=Subquery(own.values("at")[:1])
    )


def last_save_of(submission: Submission | None) -> LastSave | None:
    """Return the receipt that `with_last_save` read, if there is one."""
    read: dict[str, object] = vars(submission) if submission else {}
    digest, at = read.get("receipt_digest"), read.get("receipt_at")
    return LastSave(digest, at) if isinstance(digest, str) and isinstance(at, dt.datetime) else None


_seats_of_game = PreparedQuery(
    lambda game: (
        Seat.objects.filter(game=game)
        .select_related("user__figures")
        .annotate(was_played=Exists(Tenure.objects.filter(seat=OuterRef("pk")).exclude(user=None)))
        .order_by("pk")
    ),
    int,
)
_submissions = PreparedQuery(
    lambda phase, person: with_last_save(Submission.objects.filter(phase=phase), person), int, int
)


class GameRows:
    """The rows of a game, each read when it is first used.

    `draft` is the name of the viewer's draft to show; by default it is the live one. `by_code` says
    whether only an invitation code opened the game. Raises `NoSuchGame` if the viewer may not see
    the game.
    """

    by_code = False

    def __init__(self, slug: str, viewer: Viewer, *, code: str = "", draft: str = "") -> None:
        self.viewer = viewer
        self._draft = draft
        game = find_game(slug, viewer)
        self.by_code = game is None
        game = game or game_by_code(slug, code)
        if game is None:
            raise GameCanceled if is_canceled(slug) else NoSuchGame
        self.game: Game = game
        self._known_seats: Sequence[Seat] | None = None

    @classmethod
    def of_known(
        cls, game: Game, viewer: Viewer, phase: PhaseOfTable | None, seats: Sequence[Seat]
    ) -> Self:
        """Return the rows of a game whose newest phase and seats have already been read."""
        rows = cls.__new__(cls)
        rows.viewer, rows._draft, rows.game, rows._known_seats = viewer, "", game, seats
        rows.phase = phase
        return rows

    @cached_property
    def chart(self) -> Chart:
        """The map."""
        return self.game.map

    @cached_property
    def board(self) -> Board:
        """The board of the current phase, with the agreed number of centers needed to win."""
        return self.game.board_at(self.position.phase)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers of each player now."""
        return self.game.players_at(self.played_in)

    @cached_property
    def played_in(self) -> Phase:
        """The phase that decides who plays what: in a finished game, the last one processed.

        The phase after it could reveal a coin flip that was never made public, unless the coin flip
        decided the game.
        """
        if self.phase is None or self.phase.processed_at is None:
            return self.position.phase
        judged = Phase.parse(self.phase.name)
        played = set(chain(*self.game.players_at(judged)))
        winners = self.game.ending.winners if self.game.ending else ()
        return judged if played.issuperset(winners) else self.position.phase

    @cached_property
    def colors(self) -> dict[str, str]:
        """The color of every power."""
        return self.game.power_colors(self.seats)

    @cached_property
    def options(self) -> Options:
        """The options of the game."""
        return self.game.options

    @cached_property
    def is_running(self) -> bool:
        """Whether the game has started and is not over."""
        return self.game.status == Status.RUNNING

    @cached_property
    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self.game.status == Status.FINISHED

    @cached_property
    def phases(self) -> QuerySet[PhaseOfTable]:
        """The phases that were not rolled back, up to the newest one that was read."""
        if self.phase is None:
            return self.game.phases.none()
        return self.game.phases.filter(superseded_at=None, sequence__lte=self.phase.sequence)

    @cached_property
    def processed(self) -> QuerySet[PhaseOfTable]:
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
        return self.powers_at(self.own_seat) if self.own_seat else ()

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
    def unrated(self) -> Unrated | None:
        """Why the game is unrated as things stand, or None if it is rated."""
        people = sum(bool(row.user_id or vars(row).get("was_played")) for row in self.seats)
        ending = self.game.ending
        return (
            find_unrated(people, ending.reason, len(ending.winners))
            if ending
            else find_unrated(people)
        )

    @cached_property
    def masked(self) -> bool:
        """Whether the names of the players are hidden: see `names`."""
        return is_masked(self.game)

    @cached_property
    def hides_seats(self) -> bool:
        """Whether the seats of others must look alike: in the waiting room of a masked game."""
        return self.masked and self.game.status == Status.FORMING

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
        """The seats the viewer has held and how each was left; empty if no seat is vacant."""
        if self.viewer.user_id is None or not any(row.vacated_at for row in self.seats):
            return []
        tenures = Tenure.objects.filter(seat__game=self.game, user=self.viewer.user_id)
        return list(tenures.values_list("seat_id", "left"))

    @cached_property
    def phase(self) -> PhaseOfTable | None:
        """The newest phase: the open one, or the last of a finished game.

        A phase that was opened or processed after the game was read is not returned, because the
        page would mix old and new facts.
        """
        if self.game.status == Status.FORMING:
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
    def drafts(self) -> tuple[DraftOrders, ...]:
        """The viewer's own drafts in the open phase: the only read of secret orders.

        Exactly one is live, unless the viewer has nothing to order.
        """
        if self.phase is None or self.own_seat is None or self.phase.processed_at is not None:
            return ()
        return read_drafts(self.own_seat, self.phase)

    @cached_property
    def live_draft(self) -> DraftOrders:
        """The draft that counts."""
        return next((draft for draft in self.drafts if draft.live), EMPTY_DRAFT)

    @cached_property
    def shown_draft(self) -> DraftOrders:
        """The draft to show in the order form."""
        named = (draft for draft in self.drafts if self._draft and draft.name == self._draft)
        return next(named, self.live_draft)

    @cached_property
    def played_with(self) -> dict[str | None, tuple[Power, ...]]:
        """For each power, all powers of the player who has it now."""
        return {power: powers for powers in self.players for power in powers}

    def powers_at(self, seat: Seat) -> tuple[Power, ...]:
        """Return the powers that a seat plays now; none before countries are assigned."""
        return self.played_with.get(seat.power, ())

    def has_surrendered(self, seat: Seat) -> bool:
        """Return whether every country of a seat has surrendered."""
        powers = set(self.powers_at(seat))
        return self.phase is not None and bool(powers) and powers <= set(self.phase.civil_disorder)
