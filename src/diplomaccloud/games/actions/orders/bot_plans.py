"""Plans of bots: quick bots plan at once, bots that look ahead plan in the background.

A phase waits only a few seconds for them, and never past the time that people have to order. If a
bot fails or runs out of time, the greedy bot orders for it. Plans of bots with a level are stored,
so the record can say which bot chose the orders.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import structlog

from diplomaccloud.bots.seats import ask_bot, find_level, looks_ahead
from diplomaccloud.games.actions.locks import lock_game_by_id
from diplomaccloud.games.actions.promises import BoundPlan, plan_with_deals
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import BotPlan, Phase, Seat
from diplomaccloud.judge.orders import Order
from diplomaccloud.record.lines import SUBSTITUTE

PATIENCE: Final = dt.timedelta(seconds=10)
"""How long a phase waits for a bot that thinks."""

AskBot = Callable[..., Sequence[Order]]
"""A function that returns the orders of a bot, like `bots.seats.ask_bot`."""

_log = structlog.get_logger(__name__)


def find_plans(phase: Phase, seats: Iterable[Seat]) -> dict[int, BotPlan]:
    """Return the plans of the seats whose bots have a level, by seat key."""
    bots = {seat.pk: seat.bot for seat in seats if find_level(seat.bot)}
    if not bots:
        return {}
    rows = phase.bot_plans.filter(seat__in=bots)
    return {row.seat_id: row for row in rows if row.bot == bots[row.seat_id]}


def begin_plans(
    phase: Phase, seats: Iterable[Seat], plans: dict[int, BotPlan], now: dt.datetime
) -> None:
    """Add missing plans to `plans`; quick bots plan now, others think in the background."""
    new = [seat for seat in seats if find_level(seat.bot) and seat.pk not in plans]
    if not new:
        return
    until = now + PATIENCE
    if phase.due_at > now and phase.people_to_order():
        until = min(until, phase.due_at)
    _add(phase, new, until)
    plans |= find_plans(phase, new)
    for seat in new:
        plan = plans.get(seat.pk)
        if plan is not None and not looks_ahead(seat.bot):
            think(phase, seat, plan)


def think(phase: Phase, seat: Seat, plan: BotPlan, ask: AskBot = ask_bot) -> None:
    """Plan the orders of a bot with a level; `ask` may run the bot in another process."""
    try:
        orders = _ask_bot(phase, seat, plan.bot, ask)
    except Exception:
        _log.exception("bot failed", game=phase.game_id, bot=plan.bot, phase=phase.name)
        fall_back(phase, seat, plan)
    else:
        # A plan for a person's seat is a hint, which also takes the person's deals into account.
        is_current = seat.user_id is not None or seat.bot == plan.bot
        bound = plan_with_deals(phase, seat) if is_current else None
        _store(phase, plan, orders, fell_back=False, bound=bound)


def fall_back(phase: Phase, seat: Seat, plan: BotPlan) -> None:
    """Plan what the greedy bot would order."""
    _log.warning("bot replaced", game=phase.game_id, bot=plan.bot, phase=phase.name)
    try:
        orders = _ask_bot(phase, seat, SUBSTITUTE)
    except Exception:
        # The seat gives no orders, like a player who misses the deadline.
        _log.exception("bot failed", game=phase.game_id, bot=SUBSTITUTE, phase=phase.name)
        orders = ()
    _store(phase, plan, orders, fell_back=True)


@atomic_with_retries
def _add(phase: Phase, seats: Sequence[Seat], until: dt.datetime) -> None:
    """Add plans for the bots of these seats; delete plans of bots that had the seats before."""
    lock_game_by_id(phase.game_id)
    bots = {seat.pk: seat.bot for seat in seats}
    there = {row.seat_id: row for row in phase.bot_plans.filter(seat__in=bots)}
    old = [row.pk for key, row in there.items() if row.bot != bots[key]]
    if old:
        phase.bot_plans.filter(pk__in=old).delete()
    BotPlan.objects.bulk_create(
        BotPlan(phase=phase, seat=seat, bot=seat.bot, until=until)
        for seat in seats
        if seat.pk not in there or there[seat.pk].bot != seat.bot
    )


@atomic_with_retries
def _store(
    phase: Phase,
    plan: BotPlan,
    orders: Iterable[Order],
    *,
    fell_back: bool,
    bound: BoundPlan | None = None,
) -> None:
    lock_game_by_id(phase.game_id)
    plan.store(orders, fell_back=fell_back)
    if bound is not None and not plan.fell_back:
        plan.bind(bound.orders, bound.broken)


@atomic_with_retries
def bind_plan(phase: Phase, seat: Seat, bound: BoundPlan) -> None:
    """Change a bot's plan because of a new deal, if the phase is still open."""
    lock_game_by_id(phase.game_id)
    rows = BotPlan.objects.filter(
        phase=phase, seat=seat, bot=seat.bot, phase__locked_at=None, phase__processed_at=None
    )
    plan = rows.filter(until=None, fell_back=False).first()
    if plan is not None:
        plan.bind(bound.orders, bound.broken)


def plan_quickly(phase: Phase, seat: Seat) -> tuple[Order, ...]:
    """Return the orders of a bot without a level, or () if it fails."""
    try:
        return _ask_bot(phase, seat, seat.bot)
    except Exception:
        # A bot that fails gives no orders, like a player who misses the deadline.
        _log.exception("bot failed", game=phase.game_id, bot=seat.bot, phase=phase.name)
        return ()


def _ask_bot(phase: Phase, seat: Seat, name: str, ask: AskBot = ask_bot) -> tuple[Order, ...]:
    """Return the orders of a bot; its random choices come from the phase's seeds.

    After a rollback, it draws among equally good plans, because everyone has seen its first one.
    """
    board, position, rules = phase.board, phase.position, phase.game.rules
    orders: list[Order] = []
    for power in phase.powers_of(seat):
        seed = phase.bot_seed(power)
        orders += ask(name, board, position, power, rules=rules, seed=seed, varies=phase.branch > 0)
    return tuple(orders)
