"""What bots order: their plans, what their deals change, and the hints of a General."""

import datetime as dt
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import structlog
from django.db.models import Exists, OuterRef, Q, Subquery

from diplomaccloud.bots.pacts import keep_promises
from diplomaccloud.bots.seats import ADVISER, ask_bot, find_level, looks_ahead
from diplomaccloud.deals import Promises
from diplomaccloud.entry.orders import Reading
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.lock import (
    Now,
    lock_game,
    lock_game_by_id,
    require_open_phase,
    require_seat,
    time_of,
)
from diplomaccloud.games.table.log import write_log
from diplomaccloud.games.table.models import Seat, Status, Tenure
from diplomaccloud.games.table.order_rows import write_orders
from diplomaccloud.games.table.phase_models import (
    FIRST_DRAFT,
    BotPlan,
    Draft,
    OrderRow,
    Phase,
    Submission,
    orders_by_unit,
)
from diplomaccloud.games.table.promises import BoundPlan, plan_with_deals, read_promises
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import order_to_json
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.record.lines import SUBSTITUTE

_log = structlog.get_logger(__name__)


def move_bots(*, phase_id: int, now: Now) -> bool:
    """Write the orders of bots that have not ordered yet; return whether some are still thinking.

    The game is not locked while bots think. A bot that has promised something since it ordered
    writes its orders again.
    """
    written = Submission.objects.filter(phase=phase_id, seat=OuterRef("pk"))
    seats = Seat.objects.filter(game__phases=phase_id).exclude(bot="").order_by("pk")
    bots: Sequence[Seat] = list(seats.annotate(has_ordered=Exists(written)))
    promises = read_promises(phase_id) if bots else {}
    new = {seat.pk for seat in bots if not getattr(seat, "has_ordered", False)}
    if not new and not promises:
        return False
    phase = Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=phase_id)
    # The units of a country that has surrendered hold, even if a bot has its seat.
    powers = phase.powers_to_order()
    asked = [
        seat
        for seat in bots
        if (seat.pk in new or promises.keys() & phase.powers_of(seat))
        and powers.intersection(phase.powers_of(seat))
    ]
    plans = find_plans(phase, asked)
    begin_plans(phase, asked, plans, time_of(now))
    given, replaced = {}, []
    for seat in asked:
        plan = plans.get(seat.pk)
        if plan is None and find_level(seat.bot):
            # Another bot has taken the seat; the next round handles it.
            continue
        if plan is not None and plan.until is not None:
            if plan.until > time_of(now):
                continue
            fall_back(phase, seat, plan)
        if plan is not None and plan.fell_back and seat.pk in new:
            replaced.append(seat)
        given[seat] = plan_orders(phase, seat, promises, plan)
    waits = len(given) < len(asked)
    given = {
        seat: orders
        for seat, orders in given.items()
        if seat.pk in new or _must_change(phase, seat, orders)
    }
    if given:
        _submit(phase, given, replaced, now)
    return waits


def plan_orders(
    phase: Phase, seat: Seat, promises: Mapping[Power, Promises], plan: BotPlan | None = None
) -> tuple[Order, ...]:
    """Return the orders of a bot: its plan, changed to keep its promises."""
    planned = plan.read_orders() if plan is not None else plan_quickly(phase, seat)
    own_promises = [promises[p] for p in phase.powers_of(seat) if p in promises]
    # Even a bot that breaks all its deals or retaliates for a breach, and so keeps no promises,
    # bases its orders on its deals.
    if plan is not None and own_promises:
        planned = plan.read_bound() or planned
    orders: list[Order] = []
    for power in phase.powers_of(seat):
        own_orders: Sequence[Order] = [order for order in planned if power_of(order) == power]
        if power in promises and promises[power].clauses:
            rng = random.Random(f"{phase.bot_seed(power)}/promises")
            own_orders = _keep_promises(phase, own_orders, promises[power], rng)
        orders += own_orders
    return tuple(orders)


def _keep_promises(
    phase: Phase, planned: Sequence[Order], promises: Promises, rng: random.Random
) -> Sequence[Order]:
    try:
        return keep_promises(
            phase.board, phase.position, planned, promises, rules=phase.game.rules, rng=rng
        )
    except Exception:
        _log.exception("promises not kept", game=phase.game_id, phase=phase.name)
        return planned


def find_promised(phase: Phase, orders: Sequence[OrderRow]) -> frozenset[int]:
    """Return the keys of bots' seats whose `orders` differ from their plans, to keep a promise.

    Called while the phase is processed.
    """
    bots = [seat for seat in phase.game.seat_list if seat.bot]
    if not bots:
        return frozenset()
    promises, changed = read_promises(phase.pk), set[int]()
    plans = find_plans(phase, bots) if promises else {}
    for seat in bots:
        powers = phase.powers_of(seat)
        if not promises.keys() & powers:
            continue
        given = sorted(str(row.canonical) for row in orders if row.draft.seat_id == seat.pk)
        if given != sorted(map(str, plan_orders(phase, seat, {}, plans.get(seat.pk)))):
            changed.add(seat.pk)
    return frozenset(changed)


def find_replaced(phase: Phase) -> frozenset[tuple[int, str]]:
    """Return the seat keys, with the names of the bots, for which the greedy bot stepped in.

    Called before the phase is processed, because that deletes the plans.
    """
    if not any(find_level(seat.bot) for seat in phase.game.seat_list):
        return frozenset()
    return frozenset(phase.bot_plans.filter(fell_back=True).values_list("seat_id", "bot"))


def _must_change(phase: Phase, seat: Seat, orders: Sequence[Order]) -> bool:
    """Return whether the bot has already written orders in the phase that differ from `orders`.

    Orders written by a person who held the seat before the bot are kept.
    """
    since = Tenure.objects.filter(seat=seat, until_at=None).values("since_at")[:1]
    if not phase.submissions.filter(seat=seat, saved_at__gte=Subquery(since)).exists():
        return False
    rows = OrderRow.objects.live_in(phase).filter(draft__seat=seat)
    return sorted(str(row.canonical) for row in rows) != sorted(map(str, orders))


@atomic_with_retries
def _submit(
    opened: Phase, given: Mapping[Seat, tuple[Order, ...]], replaced: Collection[Seat], now: Now
) -> None:
    """Write the orders of these seats, unless the phase is locked or a seat has already ordered."""
    game = lock_game_by_id(opened.game_id)
    now = time_of(now)
    phase = Phase.objects.get(pk=opened.pk)
    phase.game = game
    if phase.processed_at or phase.locked_at or phase.superseded_at:
        return
    written = set(phase.submissions.values_list("seat_id", flat=True))
    # Seats that still have the same bots, which may order again.
    again = {
        seat.pk for seat in given if seat.pk in written and getattr(seat, "has_ordered", False)
    }
    if again:
        bots = Seat.objects.filter(pk__in=again).exclude(bot="")
        again = set(bots.values_list("pk", flat=True))
    seats = [seat for seat in given if seat.pk not in written or seat.pk in again]
    if game.status != Status.RUNNING or not seats:
        return
    # A draft of an earlier holder may already have the name of the bot's draft.
    used = set(phase.drafts.filter(seat__in=seats).values_list("seat_id", flat=True))
    _write_new(phase, {seat: given[seat] for seat in seats if seat.pk not in used}, now)
    for seat in seats:
        if seat.pk in used:
            reading = Reading(tuple((order, str(order)) for order in given[seat]))
            write_orders(phase=phase, seat=seat, reading=reading, now=now)
            Submission.objects.filter(phase=phase, seat=seat).update(ready_at=now)
    _log_replaced(phase, [seat for seat in replaced if seat in seats], now)


def _log_replaced(phase: Phase, seats: Sequence[Seat], now: dt.datetime) -> None:
    """Log that bots failed or ran out of time; the entry does not say which seats."""
    key = f"replaced {phase.sequence}"
    if not seats or phase.game.log.filter(key=key).exists():
        return
    who = "A bot" if len(seats) == 1 else f"{len(seats)} bots"
    text = f"{who} did not answer in time, so the greedy bot ordered instead."
    write_log(game=phase.game, phase=phase, kind="replaced", key=key, text=text, now=now)


def _write_new(phase: Phase, given: Mapping[Seat, tuple[Order, ...]], now: dt.datetime) -> None:
    """Write the orders of seats without drafts in the phase, in as few queries as possible."""
    Submission.objects.bulk_create(
        Submission(phase=phase, seat=seat, saved_at=now, ready_at=now) for seat in given
    )
    Draft.objects.bulk_create(
        Draft(phase=phase, seat=seat, name=FIRST_DRAFT, live=True, saved_at=now) for seat in given
    )
    # Not every database returns the keys of rows that are inserted together.
    drafts = dict(phase.drafts.filter(seat__in=list(given)).values_list("seat_id", "pk"))
    OrderRow.objects.bulk_create(
        OrderRow(  # type: ignore[misc]  # see TypedJSONField
            draft_id=drafts[seat.pk],
            unit=unit,
            written=str(order),
            canonical=order,
            saved_at=now,
        )
        for seat, orders in given.items()
        for unit, order in orders_by_unit(orders).items()
    )
    events.record_own(game=phase.game, kind="saved", now=now, seats=given)


# Plans of bots: quick bots plan at once, bots that look ahead plan in the background.
#
# A phase waits only a few seconds for them, and never past the time that people have to order. If a
# bot fails or runs out of time, the greedy bot orders for it. Plans of bots with a level are
# stored, so the record can say which bot chose the orders.


PATIENCE: Final = dt.timedelta(seconds=10)
"""How long a phase waits for a bot that thinks."""

AskBot = Callable[..., Sequence[Order]]
"""A function that returns the orders of a bot, like `bots.seats.ask_bot`."""


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
    """Save the planned orders, unless the row already has a plan or has been deleted."""
    lock_game_by_id(phase.game_id)
    plain: list[object] = [order_to_json(order) for order in orders]
    thinking = BotPlan.objects.filter(pk=plan.pk, bot=plan.bot).exclude(until=None)
    stored = thinking.update(orders=plain, fell_back=fell_back, until=None)
    plan.orders, plan.fell_back, plan.until = plain, fell_back, None
    if not stored:
        with suppress(BotPlan.DoesNotExist):
            plan.refresh_from_db()
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


# Hints in games of one person against bots: what a General would order for the person.


@atomic_with_retries
def ask_hint(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Request a hint: a General thinks about the person's orders, and the page shows the result.

    Raises `WrongMoment` in games with other people, and if there is nothing to order.
    """
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now)
    if any(rival.user_id != user_id and not rival.bot for rival in game.seat_list):
        raise WrongMoment("Hints are available only in games against bots.")
    if not game.options.hints:
        raise WrongMoment("Hints are turned off in this game.")
    if seat not in phase.people_to_order():
        raise WrongMoment("You have nothing to order.")
    # A plan of a bot that held the seat is not a hint, and a hint that failed is requested again.
    there = BotPlan.objects.filter(phase=phase, seat=seat)
    there.filter(Q(fell_back=True) | ~Q(bot=ADVISER)).delete()
    # The turn does not wait for a hint.
    BotPlan.objects.get_or_create(phase=phase, seat=seat, defaults={"bot": ADVISER, "until": now})
