"""Writing the orders of bots, all seats of a phase at once."""

import datetime as dt
import random
from collections.abc import Mapping

import structlog

from diplomaccloud.bots import BOTS
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import Now, lock_game_by_id, time_of
from diplomaccloud.games.actions.orders.submission import write_orders
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import (
    FIRST_DRAFT,
    Draft,
    OrderRow,
    Phase,
    Seat,
    Status,
    Submission,
    orders_by_unit,
)
from diplomaccloud.judge.legality.order_entry import Reading
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position

_log = structlog.get_logger(__name__)


def move_bots(*, phase_id: int, now: Now) -> None:
    """Write the orders of all bots that have not ordered yet; they think without the lock."""
    bots = Seat.objects.filter(game__phases=phase_id).exclude(bot="")
    ordered = Submission.objects.filter(phase=phase_id).values("seat_id")
    waiting = list(bots.exclude(pk__in=ordered).order_by("pk"))
    if not waiting:
        return
    phase = Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=phase_id)
    # The units of a country that has surrendered hold, even if a bot has its seat.
    powers = phase.powers_to_order()
    given = {
        seat: _bot_orders(phase, seat, phase.position)
        for seat in waiting
        if powers.intersection(phase.powers_of(seat))
    }
    if given:
        _submit(phase.game_id, phase_id, given, now)


def _bot_orders(phase: Phase, seat: Seat, position: Position) -> tuple[Order, ...]:
    game, bot = phase.game, BOTS[seat.bot]
    orders: list[Order] = []
    try:
        for power in phase.powers_of(seat):
            rng = random.Random(phase.bot_seed(power))
            orders += bot.orders(phase.board, position, power, game.rules, rng)
    except Exception:
        # A bot that fails gives no orders, like a player who misses the deadline.
        _log.exception("bot failed", game=game.pk, bot=seat.bot, phase=phase.name)
        return ()
    return tuple(orders)


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
    seats = [seat for seat in given if seat.pk not in there]
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
