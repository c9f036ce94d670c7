"""Writing the orders of bots, all seats of a phase at once."""

import datetime as dt
import random
from collections.abc import Collection, Iterable, Mapping, Sequence

import structlog
from django.db.models import Exists, OuterRef, Subquery

from diplomaccloud.bots.promises import keep_promises
from diplomaccloud.bots.seats import find_level
from diplomaccloud.deals import Promises
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import Now, lock_game_by_id, time_of
from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.actions.orders.bot_plans import (
    begin_plans,
    fall_back,
    find_plans,
    plan_quickly,
)
from diplomaccloud.games.actions.orders.submission import write_orders
from diplomaccloud.games.actions.promises import read_promises
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import (
    FIRST_DRAFT,
    BotPlan,
    Draft,
    OrderRow,
    Phase,
    Seat,
    Status,
    Submission,
    Tenure,
    orders_by_unit,
)
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.legality.order_entry import Reading
from diplomaccloud.judge.orders import Order, power_of

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
        own: Sequence[Order] = [order for order in planned if power_of(order) == power]
        if power in promises and promises[power].clauses:
            rng = random.Random(f"{phase.bot_seed(power)}/promises")
            own = _keep_promises(phase, own, promises[power], rng)
        orders += own
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
    promises = read_promises(phase.pk) if bots else {}
    changed = set()
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
    own = Tenure.objects.filter(seat=seat, until_at=None).values("since_at")[:1]
    if not phase.submissions.filter(seat=seat, saved_at__gte=Subquery(own)).exists():
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
    there = set(phase.submissions.values_list("seat_id", flat=True))
    again = _select_bots(seat for seat in given if seat.pk in there)
    seats = [seat for seat in given if seat.pk not in there or seat.pk in again]
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


def _select_bots(seats: Iterable[Seat]) -> set[int]:
    """Return the keys of the seats that still have the same bots, which may order again."""
    keys = [seat.pk for seat in seats if getattr(seat, "has_ordered", False)]
    if not keys:
        return set()
    return set(Seat.objects.filter(pk__in=keys).exclude(bot="").values_list("pk", flat=True))


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
