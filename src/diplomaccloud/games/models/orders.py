"""What players submit for a phase: drafts, conditional orders, ready marks and draw votes."""

import hashlib
from collections.abc import Iterable
from typing import Final

from django.db import models
from django.db.models import F
from django.db.models.functions import Coalesce

from diplomaccloud.games.models.fields import TypedJSONField, TypedModel
from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat, holder_since
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec.values import order_from_json, order_to_json
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Phase as JudgePhase

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
    equal in any database). When a player loses the seat, their drafts are no longer live.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="drafts")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="drafts")
    name = models.CharField(max_length=30)
    live = models.BooleanField(null=True)
    saved_at = models.DateTimeField()
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

    `canonical` is the text `written`, as `judge.conditional_orders` understood it. Deleting
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
