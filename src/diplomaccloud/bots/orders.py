"""Reads one power's orders from an order row."""

from array import array
from collections.abc import Sequence

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power
from diplomaccloud.judge.kernel.layout import read_order
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position


def read_orders(
    board: Board, position: Position, state: "array[int]", power: Power, row: "array[int]"
) -> Sequence[Order]:
    """Return the orders of `power` in the order row `row`; missing builds are waived."""
    table = table_of(board)
    size = table.provinces

    def read(here: int) -> Order:
        return read_order(table, state, row[here], row[size + here], row[2 * size + here], here)

    match position.phase.stage:
        case Stage.MOVEMENT:
            units = [unit.province for unit in position.units_of(power)]
        case Stage.RETREATS:
            units = [entry.unit.province for entry in position.dislodged_of(power)]
        case Stage.ADJUSTMENTS:
            adjusted = [read(here) for here in range(size) if row[here]]
            owed = adjustments_owed(board, position, power)
            return adjusted + [Waive(power)] * (owed - len(adjusted))
    return [read(table.place_of[Location(code)]) for code in units]
