"""What a player may have forgotten to order before being ready."""

from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Hold, Order, Retreat, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position


@dataclass(frozen=True, slots=True)
class Gaps:
    """What a set of orders leaves open.

    `only_holds`: no unit has an order but to hold. `retreats`: how many units are disbanded that
    could retreat. `builds`: how many builds are neither used nor waived. `disbands`: how many
    units the rules choose.
    """

    only_holds: bool = False
    retreats: int = 0
    builds: int = 0
    disbands: int = 0


NO_GAPS = Gaps()


def find_gaps(
    board: Board, position: Position, powers: Collection[Power], orders: Collection[Order]
) -> Gaps:
    """Return what the `orders` of these powers leave open; `NO_GAPS` if nothing."""
    match position.phase.stage:
        case Stage.MOVEMENT:
            return Gaps(only_holds=all(isinstance(order, Hold) for order in orders))
        case Stage.RETREATS:
            saved = {order.unit for order in orders if isinstance(order, Retreat)}
            able = [row.unit for row in position.dislodged if row.retreats]
            return Gaps(retreats=sum(unit.power in powers and unit not in saved for unit in able))
        case Stage.ADJUSTMENTS:
            left = [_count_left(board, position, power, orders) for power in powers]
            return Gaps(
                builds=sum(number for number in left if number > 0),
                disbands=-sum(number for number in left if number < 0),
            )


def _count_left(board: Board, position: Position, power: Power, orders: Collection[Order]) -> int:
    """Return how many builds are left for `power`; a negative number counts disbands."""
    owed = adjustments_owed(board, position, power)
    given = sum(power_of(order) == power for order in orders)
    return owed - given if owed > 0 else owed + given
