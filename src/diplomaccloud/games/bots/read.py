"""Hints from a General, in games of one person against bots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from diplomaccloud.bots.seats import ADVISER
from diplomaccloud.deals import Clause
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import BotPlan, Phase
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.orders import Order


@dataclass(frozen=True, slots=True)
class BrokenPromise:
    """A promise in a deal, and the order that breaks it; None if a promised order is missing."""

    clause: Clause
    order: Order | None


@dataclass(frozen=True, slots=True)
class Hint:
    """What a General would order; if `asked` and there are no orders, it is still thinking.

    `broken` are the promises of the viewer that these orders would break.
    """

    asked: bool = False
    orders: tuple[str, ...] = ()
    broken: tuple[BrokenPromise, ...] = ()


PromiseCheck = Callable[[Phase, Seat, Sequence[Order]], tuple[BrokenPromise, ...]]
"""Returns the promises of a seat that its orders would break."""


def read_hint(reader: Reader) -> Hint | None:
    """Return the viewer's hint in the open phase, or None if there are no hints."""
    rows = reader.rows
    seat, phase = rows.own_seat, rows.phase
    if seat is None or phase is None or not rows.is_running or phase.locked_at:
        return None
    if not rows.options.hints:
        return None
    if any(rival.pk != seat.pk and not rival.bot for rival in rows.seats):
        return None
    plan = BotPlan.objects.filter(phase=phase, seat=seat, bot=ADVISER, fell_back=False).first()
    if plan is None:
        return Hint()
    bound = plan.read_bound()
    orders = plan.read_orders() if bound is None else bound
    checks = (cast("PromiseCheck", import_string(path)) for path in settings.PROMISE_CHECKS)
    broken = tuple(each for check in checks for each in check(phase, seat, orders))
    return Hint(asked=True, orders=tuple(map(str, orders)), broken=broken)
