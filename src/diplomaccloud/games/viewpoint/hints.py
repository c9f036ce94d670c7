"""Hints from a General, in games of one person against bots."""

from dataclasses import dataclass

from diplomaccloud.bots.seats import ADVISER
from diplomaccloud.games.models import BotPlan
from diplomaccloud.games.viewpoint.rows import GameRows


@dataclass(frozen=True, slots=True)
class Hint:
    """What a General would order; if `asked` and there are no orders, it is still thinking."""

    asked: bool = False
    orders: tuple[str, ...] = ()


def read_hint(rows: GameRows) -> Hint | None:
    """Return the viewer's hint in the open phase, or None if there are no hints."""
    seat, phase = rows.own_seat, rows.phase
    if seat is None or phase is None or not rows.is_running or phase.locked_at:
        return None
    if not rows.options.hints:
        return None
    if any(other.pk != seat.pk and not other.bot for other in rows.seats):
        return None
    plan = BotPlan.objects.filter(phase=phase, seat=seat, bot=ADVISER, fell_back=False).first()
    if plan is None:
        return Hint()
    return Hint(asked=True, orders=tuple(map(str, plan.read_orders())))
