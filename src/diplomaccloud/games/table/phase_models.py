"""Phases, what players submit and bots plan for them, and what shows afterward who took part.

Players submit drafts of orders, conditional orders, ready marks, draw votes, and that they are done
talking. Receipts and attendances stay when the phase has been locked and processed.
"""

import datetime as dt
import hashlib
import marshal
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.table.fields import TypedJSONField, TypedModel
from diplomaccloud.games.table.models import Game, Seat, Status, StoredRules, holder_since
from diplomaccloud.games.table.options import Press
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import (
    order_from_json,
    order_to_json,
    position_from_json,
    position_to_json,
    resolution_from_json,
    resolution_to_json,
)
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.units import Unit
from diplomaccloud.record.commitments import bot_seed, judge_seed
from diplomaccloud.schedule import Deadline, MoveKind, Timer, move_from_json

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_LEASE = dt.timedelta(minutes=10)
"""A lease that lasts longer was written before the clock was set back, and is ignored."""
_SealedBots = list[dict[str, object]] | None
_PLAIN: Final = 2
"""A version of marshal that writes equal data as equal bytes."""


@lru_cache(maxsize=512)
def _read_position(data: bytes) -> Position:
    """Decode a position from marshaled JSON; cached, since each position is read many times."""
    return position_from_json(marshal.loads(data))  # noqa: S302 - written by us


@dataclass(frozen=True, slots=True)
class MissingOrders:
    """Units without an order, and how many builds (or, if negative, disbands) each power owes."""

    units: tuple[Unit, ...]
    adjustments: Mapping[Power, int]


NOTHING_MISSING = MissingOrders((), {})


class PhaseQuerySet(models.QuerySet["Phase"]):
    """Filters of phases."""

    def in_play(self) -> "PhaseQuerySet":
        """Return the open phases of running games that are not suspended."""
        # SQLite uses an index on a boolean column only if the query compares it with a value.
        return self.filter(
            open__in=[True],
            processed_at=None,
            superseded_at=None,
            game__status=Status.RUNNING,
            game__suspended_reason="",
        )

    def unleased(self, now: dt.datetime) -> "PhaseQuerySet":
        """Return the phases that no worker has claimed."""
        stale = Q(lease_until__gt=now + MAX_LEASE)
        return self.filter(Q(lease_until=None) | Q(lease_until__lt=now) | stale)

    def due(self, now: dt.datetime) -> "PhaseQuerySet":
        """Return the phases that can be claimed now; some may still be waiting for bots."""
        free = self.in_play().unleased(now).filter(adjudicate_at__lte=now)
        return free.exclude(bot_plans__until__gt=now)

    def to_lock(self, now: dt.datetime) -> "PhaseQuerySet":
        """Return the phases whose orders must be locked now, some time before adjudication."""
        return self.in_play().filter(locked_at=None, due_at__lte=now, adjudicate_at__gt=now)


class Phase(TypedModel):
    """One phase: its position at the start and, once processed, its results.

    `position` and `results` are stored as JSON; with `rule_set`, `engine` and `map_hash` they
    are enough to adjudicate the phase again. `civil_disorder` names the powers without a player
    and the reasons: surrendered, abandoned, removed. `sequence` numbers the phases of a game in the
    order in which they were opened and is never reused: a game that is rolled back continues on a
    new `branch`, and the phases left behind get `superseded_at`.

    Orders are accepted until `due_at`; `locked_at` is when they were locked. The phase is processed
    at `adjudicate_at`, which may be later. With `fixed_deadline`, it is not processed early when
    everyone is ready. `grace_at` is when a grace period began that locked the orders saved until
    then, or NULL. A worker that processes the phase holds its lease. `attempts` counts the
    attempts to lock or process it that never finished because the process was killed.
    `judge_secret` decides the lots of the adjudication, and `bots_secret` the random choices of
    bots; both are secret until the phase is processed, and blank in older phases. If a bot has a
    character that is not public, `sealed_bots` has the bots whose orders counted, and the record
    says only after the game who they were and how they decided. `open` is true
    until the phase is processed or rolled back or its game is over, and then NULL: workers only
    look at open phases.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="phases")
    sequence = models.PositiveIntegerField()
    branch = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=8)
    position: "TypedJSONField[Position, Position]" = TypedJSONField(
        decode=lambda data: _read_position(marshal.dumps(data, _PLAIN)), encode=position_to_json
    )
    civil_disorder = models.JSONField(default=dict)
    rule_set = models.ForeignKey(
        StoredRules, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    engine = models.CharField(max_length=20)
    map_hash = models.CharField(max_length=64)
    judge_secret = models.CharField(max_length=64, blank=True)
    bots_secret = models.CharField(max_length=64, blank=True)
    sealed_bots: "models.JSONField[_SealedBots, _SealedBots]" = models.JSONField(null=True)
    opens_at = models.DateTimeField()
    due_at = models.DateTimeField()
    adjudicate_at = models.DateTimeField()
    fixed_deadline = models.BooleanField(default=False)
    grace_at = models.DateTimeField(null=True)
    locked_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    lease_owner = models.CharField(max_length=40, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    processed_at = models.DateTimeField(null=True)
    results: "TypedJSONField[Resolution | None, Resolution | None]" = TypedJSONField(
        decode=resolution_from_json, encode=resolution_to_json, null=True
    )
    superseded_at = models.DateTimeField(null=True)
    open = models.BooleanField(null=True, default=True)
    objects = PhaseQuerySet.as_manager()

    class Meta:
        ordering = ("game", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("game", "sequence"), name="phase_sequence"),
            models.UniqueConstraint(fields=("game", "branch", "name"), name="phase_name"),
            models.CheckConstraint(
                condition=Q(processed_at__isnull=True, results__isnull=True)
                | Q(processed_at__isnull=False, results__isnull=False, locked_at__isnull=False),
                name="phase_processed",
            ),
            models.CheckConstraint(condition=Q(due_at__gte=F("opens_at")), name="phase_due"),
            models.CheckConstraint(
                condition=Q(adjudicate_at__gte=F("due_at")), name="phase_adjudicate"
            ),
        )
        indexes = (
            models.Index(fields=("open", "adjudicate_at"), name="phase_due_rows"),
            models.Index(fields=("open", "locked_at", "due_at"), name="phase_lock_rows"),
            # Which games had a turn lately.
            models.Index(fields=("open", "opens_at"), name="phase_newest"),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.game_id}"

    @cached_property
    def judge_phase(self) -> JudgePhase:
        """The year, season and stage."""
        return JudgePhase.parse(self.name)

    @cached_property
    def board(self) -> Board:
        """The board in the phase."""
        return self.game.board_at(self.judge_phase)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers that each seat plays in the phase."""
        return self.game.players_at(self.judge_phase)

    @cached_property
    def played_with(self) -> dict[str | None, tuple[Power, ...]]:
        """For each power, all powers of the player who has it in the phase."""
        return {power: powers for powers in self.players for power in powers}

    @cached_property
    def resolution(self) -> Resolution:
        """The results of the phase; raises `ValueError` if it has not been processed."""
        if self.results is None:
            raise ValueError(f"{self} has not been processed")
        return self.results.with_names(geography(self.board))

    @property
    def has_quiet_time(self) -> bool:
        """Whether talk in the phase ends before its deadline."""
        options, is_movement = self.game.options, self.judge_phase.stage is Stage.MOVEMENT
        return is_movement and options.press is Press.RULEBOOK and bool(options.talk.writing)

    @property
    def seed(self) -> str:
        """The seed of the random choices in the adjudication of the phase."""
        if self.judge_secret:
            return judge_seed(self.judge_secret)
        return f"{self.game.seed} {self.name}"

    def bot_seed(self, power: Power) -> str:
        """Return the seed of the random choices of a bot that plays `power` in the phase."""
        if self.bots_secret:
            return bot_seed(self.bots_secret, power)
        return f"{self.game.seed} {self.name} {power}"

    @property
    def deadline(self) -> Deadline:
        """When the orders of the phase are locked and when it is processed."""
        return Deadline(self.due_at, self.adjudicate_at, exact=self.fixed_deadline)

    @deadline.setter
    def deadline(self, due: Deadline) -> None:
        self.due_at, self.adjudicate_at = due.orders_at, due.adjudicate_at
        self.fixed_deadline = due.exact

    def timer(self) -> Timer:
        """Return the deadline with everything in the log that has moved it."""
        entries = self.log.filter(kind__in=[kind.value for kind in MoveKind]).order_by("pk")
        moves = tuple(move_from_json(entry.data["moved"]) for entry in entries)
        return Timer(self.game.options.schedule, self.judge_phase.stage, self.deadline, moves)

    def powers_of(self, seat: Seat) -> tuple[Power, ...]:
        """Return the powers that the seat plays in the phase."""
        return self.played_with.get(seat.power, ())

    @cached_property
    def locked_submissions(self) -> "list[Submission]":
        """The submissions of the seats, cached; they must be locked, or they could still change."""
        return list(self.submissions.all())

    @cached_property
    def draw_votes(self) -> dict[int, str]:
        """The draw votes by seat when the orders were locked."""
        return {row.seat_id: row.draw_vote for row in self.locked_submissions if row.draw_vote}

    def is_kept_in_grace(
        self,
        seat: Seat,
        submission: "Submission | None",
        read_orders: "Callable[[], Collection[Order]]",
    ) -> bool:
        """Return whether a seat's submission was made before grace began, and so is locked.

        `read_orders` returns the live orders of the seat. A set that leaves something without an
        order stays open, unless its player was ready: pages save each order as it is given.
        """
        if self.grace_at is None or submission is None:
            return False
        if submission.ready_at and submission.ready_at < self.grace_at:
            return True
        if submission.saved_at is None or submission.saved_at >= self.grace_at:
            return False
        powers = [power for power in self.powers_of(seat) if power not in self.civil_disorder]
        missing = list_missing(self.board, self.position, powers, read_orders())
        return not (missing.units or missing.adjustments)

    def powers_to_order(self) -> set[Power]:
        """Return the powers that have something to order and are not in civil disorder."""
        powers = powers_to_order(self.board, self.position)
        return {power for power in powers if power not in self.civil_disorder}

    def seats_to_order(self) -> list[Seat]:
        """Return the seats that have something to order: of people, of bots, and vacant."""
        powers = self.powers_to_order()
        seats = {seat.power: seat for seat in self.game.seat_list}
        ordering = (played[0] for played in self.players if powers.intersection(played))
        return [seats[first] for first in ordering if first in seats]

    def people_to_order(self) -> list[Seat]:
        """Return the seats of people that have something to order."""
        return [seat for seat in self.seats_to_order() if seat.user_id is not None]

    def voters(self) -> list[Seat]:
        """Return the seats of people whose countries are still in the game."""
        standing = set(players_left(self.position)) - set(self.civil_disorder)
        people = (seat for seat in self.game.seat_list if seat.user_id is not None)
        return [seat for seat in people if standing.intersection(self.powers_of(seat))]

    def unplayed_powers(self) -> frozenset[Power]:
        """Return the powers without a player.

        They are in civil disorder or their seats are vacant, so they neither vote on a draw nor
        share in it. Source: the errata of document 2, "Ending the game in a draw".
        """
        vacant = (seat.power for seat in self.game.seat_list if seat.vacated_at is not None)
        unplayed = {power for first in vacant for power in self.played_with.get(first, ())}
        return frozenset(unplayed.union(map(Power, self.civil_disorder)))


class Receipt(models.Model):
    """What a seat is committed to when a phase is locked: texts, and their public salted digests.

    `text` holds the orders; it becomes public with its salt once the phase is processed.
    `sealed_text` holds the conditional orders and the draw vote, and becomes public once the game
    is over. Each is blank if it has no digest. Older rows without a `sealed_digest` have everything
    in `text`, which only the player sees until the game is over.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="receipts")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="receipts")
    text = models.TextField(blank=True)
    salt = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    sealed_text = models.TextField(blank=True)
    sealed_salt = models.CharField(max_length=64, blank=True)
    sealed_digest = models.CharField(max_length=64, blank=True)
    issued_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="receipt_seat"),)

    def __str__(self) -> str:
        return f"receipt of seat {self.seat_id} in {self.phase_id}"

    @property
    def is_sealed(self) -> bool:
        """Whether there is a separate digest for what stays private after processing."""
        return bool(self.sealed_digest) or self.text.startswith("orders ")


class Attendance(models.Model):
    """Whether a person who had orders to give in a processed phase tried to (`ordered`).

    A turn is `excused`, and does not count as missed, if the site was down when orders were due.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="attendances")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="attendances")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="attendances"
    )
    ordered = models.BooleanField()
    excused = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="attendance_seat"),)
        indexes = (models.Index(fields=("user", "ordered"), name="attendance_counts"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}: {self.ordered}"


def find_last_moment(opens_at: dt.datetime, due_at: dt.datetime) -> dt.datetime:
    """Return until when a bot gives way to a person in a phase: three quarters of its time."""
    return opens_at + (due_at - opens_at) * 3 / 4


def is_readiness_public(when: JudgePhase) -> bool:
    """Return whether everyone can see who is ready in the phase `when`.

    In retreats and adjustments this is hidden: conditional orders silently make a seat ready there,
    and if the other seats' marks were visible, an early end would reveal who had written them.
    """
    return when.stage is Stage.MOVEMENT


FIRST_DRAFT: Final = "Orders"
"""The name of a seat's first draft, before its player names any."""

MAX_WRITTEN: Final = 200
"""The length to which the text of an order is truncated."""


class DraftQuerySet(models.QuerySet["Draft"]):
    """Filters of drafts."""

    def held(self) -> "DraftQuerySet":
        """Return the drafts that the current holders of the seats have saved."""
        return self.filter(saved_at__gte=Coalesce(holder_since("seat"), F("phase__opens_at")))

    def held_by(self, seat: Seat) -> "DraftQuerySet":
        """Return the drafts that the current holder of the seat has saved, oldest first."""
        return self.filter(seat=seat).held().order_by("pk")


class Draft(models.Model):
    """A named set of orders of one seat for one phase; the live one counts at the lock.

    `live` is true or NULL, so the unique constraint allows only one live draft (NULLs are never
    equal in any database). When a player loses the seat, their drafts are no longer live. `page`
    is the random name of the open page whose change `change` was saved last, or blank.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="drafts")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="drafts")
    name = models.CharField(max_length=30)
    live = models.BooleanField(null=True)
    saved_at = models.DateTimeField()
    page = models.CharField(max_length=32, blank=True, db_default="")
    change = models.PositiveIntegerField(default=0, db_default=0)
    objects = DraftQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("phase", "seat", "name"), name="draft_name"),
            models.UniqueConstraint(fields=("phase", "seat", "live"), name="draft_live"),
        )

    def __str__(self) -> str:
        return f"{self.name} of seat {self.seat_id} in {self.phase_id}"


class OrderRowQuerySet(models.QuerySet["OrderRow"]):
    """Filters of orders."""

    def live_in(self, phase: Phase) -> "OrderRowQuerySet":
        """Return the orders that count at the lock, sorted by seat and then as written."""
        rows = self.filter(draft__phase=phase, draft__live=True).select_related("draft")
        return rows.order_by("draft__seat_id", "pk")


class OrderRow(TypedModel):
    """One order of a draft, as written and in canonical form.

    `unit` is what the order is for: `A PAR`, or `WAIVE 1` for a waived build.
    """

    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="orders")
    unit = models.CharField(max_length=20)
    written = models.CharField(max_length=MAX_WRITTEN)
    canonical: "TypedJSONField[Order, Order]" = TypedJSONField(
        decode=order_from_json, encode=order_to_json
    )
    saved_at = models.DateTimeField()
    objects = OrderRowQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("draft", "unit"), name="order_unit"),)

    def __str__(self) -> str:
        return f"{self.unit} in draft {self.draft_id}"


class ConditionalOrdersQuerySet(models.QuerySet["ConditionalOrders"]):
    """Filters of conditional orders."""

    def held(self) -> "ConditionalOrdersQuerySet":
        """Return the rows that the current holders of the seats have saved, even if now blank."""
        return self.filter(saved_at__gte=Coalesce(holder_since("seat"), F("phase__opens_at")))

    def written_in(self, game: Game, movement: JudgePhase) -> "ConditionalOrdersQuerySet":
        """Return the rows that people who still hold their seats wrote in the movement phase."""
        rows = self.filter(phase__game=game, phase__superseded_at=None, phase__name=str(movement))
        held = rows.exclude(seat__user=None).exclude(written="").held()
        return held.select_related("seat").order_by("seat_id")


class ConditionalOrders(models.Model):
    """Retreats, builds and disbands that a seat wrote during a movement phase, with conditions.

    `canonical` is the text `written`, as `games.conditional_orders.plans` understood it. Deleting
    conditional orders leaves a row with a blank text, which proves that the player was present.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="conditional_orders")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="conditional_orders")
    written = models.TextField()
    canonical = models.JSONField()
    saved_at = models.DateTimeField()
    objects = ConditionalOrdersQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("phase", "seat"), name="conditional_orders_seat"),
        )

    def __str__(self) -> str:
        return f"conditional orders of seat {self.seat_id} in {self.phase_id}"

    def text_for(self, power: Power) -> str:
        """Return the canonical text for one power of the seat, or blank if there is none."""
        # Version 1 had one text for all powers.
        return str(self.canonical.get("plans", {}).get(power, self.canonical.get("text", "")))


def lines_of_conditions(row: ConditionalOrders | None, powers: Iterable[Power]) -> list[str]:
    """Return a line for each of a seat's powers with saved text, for `version_of_lines`."""
    return [f"{power} {row.text_for(power)}" for power in powers if row and row.text_for(power)]


class Submission(models.Model):
    """A seat's submission for a phase: whether it saved orders or is ready, and its draw vote.

    With `by_conditional_orders`, the seat's conditional orders made the submission, which stays
    secret until the phase is processed. `draw_vote` is `draw`, `surrender` or blank, and just as
    secret. `tried_at` is when its player last tried to submit something that was refused or that
    may be taken back, which proves that the player was present.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="submissions")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="submissions")
    saved_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)
    by_conditional_orders = models.BooleanField(default=False)
    draw_vote = models.CharField(max_length=10, blank=True)
    tried_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="submission_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}"


def version_of_lines(lines: Iterable[str]) -> str:
    """Return a hash that identifies what a person has saved, for the form that changes it."""
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def orders_by_unit(orders: Iterable[Order]) -> dict[str, Order]:
    """Return the orders by what they are for: a unit, or `WAIVE 1` and so on."""
    by_unit: dict[str, Order] = {}
    waived = 0
    for order in orders:
        if isinstance(order, Waive):
            waived += 1
            by_unit[f"WAIVE {waived}"] = order
        else:
            by_unit[str(order.unit)] = order
    return by_unit


class BotPlan(models.Model):
    """The orders that a seat's bot plans for a phase, before any promise changes them.

    While `until` is set, the bot is thinking, and the phase waits for it until that time. With
    `fell_back`, the bot failed or ran out of time, and these are the orders of the greedy bot.
    `attempts` counts how often a worker started to run it; the worker has it leased until
    `lease_until`. `bound` holds the orders that the bot plans because of its deals, or None without
    deals; `broken` holds the keys of the deals that it breaks.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="bot_plans")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="bot_plans")
    bot = models.CharField(max_length=20)
    orders: "models.JSONField[list[object], list[object]]" = models.JSONField(default=list)
    fell_back = models.BooleanField(default=False)
    until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    lease_until = models.DateTimeField(null=True)
    bound: "models.JSONField[list[object] | None, list[object] | None]" = models.JSONField(
        null=True
    )
    broken: "models.JSONField[list[int], list[int]]" = models.JSONField(default=list)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="bot_plan_seat"),)
        indexes = (models.Index(fields=("until",), name="bot_plan_thinking"),)

    def __str__(self) -> str:
        return f"{self.bot} on seat {self.seat_id} in {self.phase_id}"

    def read_orders(self) -> tuple[Order, ...]:
        """Return the planned orders."""
        return tuple(order_from_json(entry) for entry in self.orders)

    def read_bound(self) -> tuple[Order, ...] | None:
        """Return the orders planned because of deals, or None without deals."""
        if self.bound is None:
            return None
        return tuple(order_from_json(entry) for entry in self.bound)

    def bind(self, orders: Iterable[Order], broken: Iterable[int]) -> None:
        """Save the orders planned because of deals, in the caller's transaction."""
        self.bound, self.broken = [order_to_json(order) for order in orders], list(broken)
        same = BotPlan.objects.filter(pk=self.pk, bot=self.bot)
        same.update(bound=self.bound, broken=self.broken)


class TalkDone(models.Model):
    """A mark that the holder of a seat is done talking in a phase; removing it deletes the row.

    Nobody else can see it. Talk ends early once everyone is done.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="talk_done")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="talk_done")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="talk_done"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}"


def list_missing(
    board: Board, position: Position, powers: Collection[Power], orders: Collection[Order]
) -> MissingOrders:
    """Return which units and builds of these powers have no order yet."""
    ordered, units = orders_by_unit(orders), list[Unit]()
    match position.phase.stage:
        case Stage.MOVEMENT:
            units = [unit for power in powers for unit in position.units_of(power)]
        case Stage.RETREATS:
            able = [row.unit for row in position.dislodged if row.retreats]
            units = [unit for unit in able if unit.power in powers]
        case Stage.ADJUSTMENTS:
            given, missing = Counter(power_of(order) for order in orders), {}
            for power in powers:
                owed = adjustments_owed(board, position, power)
                if (number := abs(owed) - given[power]) > 0:
                    missing[power] = number if owed > 0 else -number
            return MissingOrders((), missing)
    return MissingOrders(tuple(unit for unit in units if str(unit) not in ordered), {})
