"""Writing the orders of bots, all seats of a phase at once."""

import datetime as dt
import random
from collections.abc import Iterable, Mapping, Sequence

import structlog
from django.db.models import Exists, OuterRef, Subquery

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.promises import keep_promises
from diplomaccloud.deals import Promises
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import Now, lock_game_by_id, time_of
from diplomaccloud.games.actions.orders.submission import write_orders
from diplomaccloud.games.actions.promises import read_promises
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import (
    FIRST_DRAFT,
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
from diplomaccloud.judge.orders import Order

_log = structlog.get_logger(__name__)


def move_bots(*, phase_id: int, now: Now) -> None:
    """Write the orders of all bots that have not ordered yet; they think without the lock.

    A bot that has promised something since it ordered writes its orders again.
    """
    written = Submission.objects.filter(phase=phase_id, seat=OuterRef("pk"))
    seats = Seat.objects.filter(game__phases=phase_id).exclude(bot="").order_by("pk")
    bots: Sequence[Seat] = list(seats.annotate(has_ordered=Exists(written)))
    promises = read_promises(phase_id) if bots else {}
    new = {seat.pk for seat in bots if not getattr(seat, "has_ordered", False)}
    if not new and not promises:
        return
    phase = Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=phase_id)
    # The units of a country that has surrendered hold, even if a bot has its seat.
    powers = phase.powers_to_order()
    given = {
        seat: plan_orders(phase, seat, promises)
        for seat in bots
        if (seat.pk in new or promises.keys() & phase.powers_of(seat))
        and powers.intersection(phase.powers_of(seat))
    }
    given = {
        seat: orders
        for seat, orders in given.items()
        if seat.pk in new or _must_change(phase, seat, orders)
    }
    if given:
        _submit(phase.game_id, phase_id, given, now)


def plan_orders(phase: Phase, seat: Seat, promises: Mapping[Power, Promises]) -> tuple[Order, ...]:
    """Return the orders of a bot, which follow from the phase's seeds and from its promises."""
    game, bot = phase.game, BOTS[seat.bot]
    orders: list[Order] = []
    try:
        for power in phase.powers_of(seat):
            rng = random.Random(phase.bot_seed(power))
            planned = bot.orders(phase.board, phase.position, power, game.rules, rng)
            if power in promises and promises[power].clauses:
                planned = keep_promises(
                    phase.board, phase.position, planned, promises[power], rules=game.rules, rng=rng
                )
            orders += planned
    except Exception:
        # A bot that fails gives no orders, like a player who misses the deadline.
        _log.exception("bot failed", game=game.pk, bot=seat.bot, phase=phase.name)
        return ()
    return tuple(orders)


def find_promised(phase: Phase, orders: Sequence[OrderRow]) -> frozenset[int]:
    """Return the keys of bots' seats whose `orders` are not those that they planned.

    They kept a promise. Called as the phase is processed.
    """
    bots = [seat for seat in phase.game.seat_list if seat.bot]
    promises = read_promises(phase.pk) if bots else {}
    changed = set()
    for seat in bots:
        powers = phase.powers_of(seat)
        if not promises.keys() & powers:
            continue
        given = sorted(str(row.canonical) for row in orders if row.draft.seat_id == seat.pk)
        if given != sorted(map(str, plan_orders(phase, seat, {}))):
            changed.add(seat.pk)
    return frozenset(changed)


def _must_change(phase: Phase, seat: Seat, orders: Sequence[Order]) -> bool:
    """Return whether the orders that a bot has written in the phase are others than these.

    Orders of a person who had the seat before it stay.
    """
    own = Tenure.objects.filter(seat=seat, until_at=None).values("since_at")[:1]
    if not phase.submissions.filter(seat=seat, saved_at__gte=Subquery(own)).exists():
        return False
    rows = OrderRow.objects.live_in(phase).filter(draft__seat=seat)
    return sorted(str(row.canonical) for row in rows) != sorted(map(str, orders))


@atomic_with_retries
def _submit(game_id: int, phase_id: int, given: Mapping[Seat, tuple[Order, ...]], now: Now) -> None:
    """Write the orders of these seats, unless the phase is locked or they have ordered."""
    game = lock_game_by_id(game_id)
    now = time_of(now)
    phase = Phase.objects.get(pk=phase_id)
    phase.game = game
    if phase.processed_at or phase.locked_at or phase.superseded_at:
        return
    there = set(phase.submissions.values_list("seat_id", flat=True))
    again = _select_bots(seat for seat in given if seat.pk in there)
    seats = [seat for seat in given if seat.pk not in there or seat.pk in again]
    if game.status != Status.RUNNING or not seats:
        return
    # Drafts of an earlier holder may have the name that the bot's draft would get.
    used = set(phase.drafts.filter(seat__in=seats).values_list("seat_id", flat=True))
    _write_new(phase, {seat: given[seat] for seat in seats if seat.pk not in used}, now)
    for seat in seats:
        if seat.pk in used:
            reading = Reading(tuple((order, str(order)) for order in given[seat]))
            write_orders(phase=phase, seat=seat, reading=reading, now=now)
            Submission.objects.filter(phase=phase, seat=seat).update(ready_at=now)


def _select_bots(seats: Iterable[Seat]) -> set[int]:
    """Return the keys of the seats whose bots write their orders again and have them still."""
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
