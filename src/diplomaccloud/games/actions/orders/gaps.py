"""Orders that a player may have forgotten before marking ready."""

from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Hold, Order, Retreat, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is missing from a set of orders.

    `only_holds`: every unit holds. `retreats`: the number of units that could retreat but will be
    disbanded. `builds`: the number of builds neither used nor waived. `disbands`: the number of
    disbands that are left to the rules.
    """

    only_holds: bool = False
    retreats: int = 0
    builds: int = 0
    disbands: int = 0


NO_GAPS = Gaps()


def find_gaps(
    board: Board, position: Position, powers: Collection[Power], orders: Collection[Order]
) -> Gaps:
    """Return what is missing from the `orders` of these powers, or `NO_GAPS`."""
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
