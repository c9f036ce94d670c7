"""Which players still owe orders in an open phase: secret from everyone but the player."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.games.models import OrderRow, Phase, Seat, Submission, orders_by_unit
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class MissingOrders:
    """Units without an order, and how many builds (or, if negative, disbands) each power owes."""

    units: tuple[Unit, ...]
    adjustments: Mapping[Power, int]


NOTHING_MISSING = MissingOrders((), {})


class Owed(StrEnum):
    """What a player still owes: all orders, or some of them."""

    ALL = "all"
    SOME = "some"


def find_owed(game: int, sequence: int, due_at: dt.datetime) -> dict[int, Owed] | None:
    """Return what each person owes, by user key; people who owe nothing are left out.

    Returns None if the phase no longer accepts orders, or if its deadline has moved. A player who
    is ready owes nothing, even if conditional orders made the player ready.
    """
    phases = Phase.objects.in_play().filter(locked_at=None).select_related("game")
    phase = phases.filter(game=game, sequence=sequence, due_at=due_at).first()
    if phase is None:
        return None
    orders: dict[int, list[Order]] = {}
    for row in OrderRow.objects.live_in(phase):
        orders.setdefault(row.draft.seat_id, []).append(row.canonical)
    submissions = {row.seat_id: row for row in phase.submissions.all()}
    found = {}
    for seat in phase.people_to_order():
        owed = _find_owed_by(phase, seat, orders.get(seat.pk, ()), submissions.get(seat.pk))
        if owed is not None and seat.user_id is not None:
            found[seat.user_id] = owed
    return found


def _find_owed_by(
    phase: Phase, seat: Seat, orders: Sequence[Order], submission: Submission | None
) -> Owed | None:
    if submission is not None and (submission.ready_at or submission.by_conditional_orders):
        return None
    if phase.is_kept_in_grace(submission):
        return None
    missing = _count_missing(phase, seat, orders)
    if not missing:
        return None
    return Owed.SOME if orders else Owed.ALL


def list_missing(
    board: Board, position: Position, powers: Collection[Power], orders: Collection[Order]
) -> MissingOrders:
    """Return which units and builds of these powers have no order yet."""
    ordered, units = orders_by_unit(orders), list[Unit]()
    match position.phase.stage:
        case Stage.MOVEMENT:
            units = [unit for power in powers for unit in position.units_of(power)]
        case Stage.RETREATS:
            able = [row.unit for row in position.dislodged if row.retreats]
            units = [unit for unit in able if unit.power in powers]
        case Stage.ADJUSTMENTS:
            given = Counter(power_of(order) for order in orders)
            owed = {power: adjustments_owed(board, position, power) for power in powers}
            missing = {power: abs(number) - given[power] for power, number in owed.items()}
            return MissingOrders(
                (),
                {
                    power: left if owed[power] > 0 else -left
                    for power, left in missing.items()
                    if left > 0
                },
            )
    return MissingOrders(tuple(unit for unit in units if str(unit) not in ordered), {})


def _count_missing(phase: Phase, seat: Seat, orders: Collection[Order]) -> int:
    """Return how many orders the seat may still give."""
    powers = [power for power in phase.powers_of(seat) if power not in phase.civil_disorder]
    missing = list_missing(phase.board, phase.position, powers, orders)
    return len(missing.units) + sum(map(abs, missing.adjustments.values()))
