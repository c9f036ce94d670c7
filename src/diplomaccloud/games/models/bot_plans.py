"""What bots that look ahead have planned; they think in the background."""

import contextlib
from collections.abc import Iterable

from django.db import models

from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat
from diplomaccloud.judge.codec.orders import order_to_json
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order


class BotPlan(models.Model):
    """What the bot `bot` of a seat plans to order in a phase, before any promise changes it.

    It is thinking as long as there is an `until`, the time for which the phase waits for it.
    `fell_back`: it failed or ran out of time, and these are the orders of the greedy bot.
    `attempts` counts how often a worker began to let it think; until `lease_until`, no other does.
    `bound` has the orders that it plans because of its deals, None without any; it breaks the deals
    with the keys in `broken`.
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
        """Return the orders planned because of deals; None without any."""
        if self.bound is None:
            return None
        return tuple(order_from_json(entry) for entry in self.bound)

    def bind(self, orders: Iterable[Order] | None, broken: Iterable[int]) -> None:
        """Save what is planned because of deals, within a transaction."""
        self.bound = None if orders is None else [order_to_json(order) for order in orders]
        self.broken = list(broken)
        same = BotPlan.objects.filter(pk=self.pk, bot=self.bot)
        same.update(bound=self.bound, broken=self.broken)

    def store(self, orders: Iterable[Order], *, fell_back: bool) -> None:
        """Save what was planned, unless something has been, or the row is gone meanwhile.

        Within a transaction.
        """
        plain: list[object] = [order_to_json(order) for order in orders]
        thinking = BotPlan.objects.filter(pk=self.pk, bot=self.bot).exclude(until=None)
        stored = thinking.update(orders=plain, fell_back=fell_back, until=None)
        self.orders, self.fell_back, self.until = plain, fell_back, None
        if not stored:
            with contextlib.suppress(BotPlan.DoesNotExist):
                self.refresh_from_db()
