"""The plans of bots that look ahead and think in the background."""

import contextlib
from collections.abc import Iterable

from django.db import models

from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat
from diplomaccloud.judge.codec.orders import order_to_json
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order


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

    def bind(self, orders: Iterable[Order] | None, broken: Iterable[int]) -> None:
        """Save the orders planned because of deals, in the caller's transaction."""
        self.bound = None if orders is None else [order_to_json(order) for order in orders]
        self.broken = list(broken)
        same = BotPlan.objects.filter(pk=self.pk, bot=self.bot)
        same.update(bound=self.bound, broken=self.broken)

    def store(self, orders: Iterable[Order], *, fell_back: bool) -> None:
        """Save the planned orders, unless the row already has a plan or has been deleted.

        Runs in the caller's transaction.
        """
        plain: list[object] = [order_to_json(order) for order in orders]
        thinking = BotPlan.objects.filter(pk=self.pk, bot=self.bot).exclude(until=None)
        stored = thinking.update(orders=plain, fell_back=fell_back, until=None)
        self.orders, self.fell_back, self.until = plain, fell_back, None
        if not stored:
            with contextlib.suppress(BotPlan.DoesNotExist):
                self.refresh_from_db()
