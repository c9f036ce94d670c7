"""DumbBot's choices for many states at once, as flat integers in the rows of `judge.kernel.layout`.

Every unit usually goes where supply centers attract it most; see `bots.kernel.core.pulls` for the
attraction and `bots.kernel.core.policy` for the choice. The policy never convoys. Compiled or not,
the kernel returns the same orders for the same seeds; the compiled one also releases the GIL.

The policy was written from a description of the algorithm, because the original's license forbids
copying its code. Its results agree with those of another implementation: see
`tests/bots/test_dumbbot.py`.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from diplomaccloud.bots.kernel import KERNEL
from diplomaccloud.judge import batch
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power
from diplomaccloud.judge.kernel.layout import order_width, read_order, width
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position


@dataclass(frozen=True, slots=True)
class Style:
    """How a unit chooses among places; the lower the heat, the more predictable the choice.

    `heat`, from 0 to 1, is the chance that the unit takes the next best place if it is worth as
    much as the best. A place is never taken if it is worth less than the next better one by
    1 / `tolerance` of that one's worth. Raises `ValueError` for values out of range.
    """

    heat: float = 0.5
    tolerance: float = 5.0

    def __post_init__(self) -> None:
        """Check the ranges of the values."""
        if not 0 <= self.heat <= 1:
            raise ValueError(f"the heat is a chance from 0 to 1, not {self.heat}")
        if not 0 < self.tolerance < float("inf"):
            raise ValueError(f"the tolerance is a positive number, not {self.tolerance}")


DUMBBOT = Style()


def choose_orders(
    board: Board,
    states: "array[int]",
    seeds: "array[int]",
    style: Style = DUMBBOT,
    *,
    truces: "array[int] | None" = None,
) -> "array[int]":
    """Return an order row with the orders of all powers for each state.

    `seeds` is an `array("Q")` with one random state for each state and power, and is advanced.
    `truces` has a number for each pair of powers: 1 if the first may not move into the units and
    centers of the second, otherwise 0. Raises `ValueError` for numbers out of range and wrong
    lengths.
    """
    orders = array("i", [0]) * (_count_states(board, states, seeds) * order_width(table_of(board)))
    given = table_of(board), states, seeds, orders
    KERNEL.choose_orders(*given, style.heat, style.tolerance, truces)
    return orders


def sample_orders(
    board: Board,
    state: "array[int]",
    power: int,
    seeds: "array[int]",
    *,
    forced: "array[int] | None" = None,
    style: Style = DUMBBOT,
    truces: "array[int] | None" = None,
) -> "array[int]":
    """Return an order row for each seed with the orders of the power with the number `power`.

    All of them contain the orders in the order row `forced`, where the code -1 leaves a unit free.
    `seeds` is an `array("Q")` and is advanced. `truces` and errors are as for `choose_orders`.
    """
    table = table_of(board)
    if len(state) != width(table):
        raise ValueError(f"a state has {width(table)} integers, not {len(state)}")
    if forced is None:
        forced = array("i", [-1]) * table.provinces + array("i", [0]) * (2 * table.provinces)
    orders = array("i", [0]) * (len(seeds) * order_width(table))
    given = table, state, power, forced, seeds, orders
    KERNEL.sample_orders(*given, style.heat, style.tolerance, truces)
    return orders


def measure_states(board: Board, states: "array[int]") -> "array[float]":
    """Return the worth of each state to each power, from 0 to 1, without looking ahead.

    A center counts half for its owner and half for the powers with units nearby. The value is a
    power's share of the sum of squares, or 1 for a victory.
    """
    powers = len(table_of(board).powers)
    values = array("d", [0.0]) * (_count_states(board, states) * powers)
    KERNEL.measure_states(table_of(board), states, values)
    return values


def play(
    board: Board,
    states: "array[int]",
    seeds: "array[int]",
    phases: int,
    style: Style = DUMBBOT,
) -> None:
    """Play `phases` phases with the policy for all powers, in place, under the rules of 2000.

    A game that is won starts over. `seeds` is as for `choose_orders`.
    """
    _count_states(board, states, seeds)
    start = batch.start(1, board)
    KERNEL.play_policy(table_of(board), states, seeds, phases, start, style.heat, style.tolerance)


def try_candidates(
    board: Board,
    state: "array[int]",
    power: int,
    *,
    candidates: "array[int]",
    replies: "array[int]",
    pairs: "array[int]",
    seeds: "array[int]",
    truces: "array[int] | None" = None,
    years: int = 0,
) -> "array[float]":
    """Return the worth of next Spring's state to every power, for each of `pairs`.

    With `years`, it is the average over that Spring and as many Springs after it.

    `candidates` are order rows of the power with the number `power`, and `replies` are order rows
    of the other powers. A pair is the number of a candidate and the number of a reply. After that
    phase, all powers follow the policy. `seeds` is an `array("Q")` with one seed for each pair and
    power. `truces` and errors are as for `choose_orders`.
    """
    table = table_of(board)
    values = array("d", [0.0]) * (len(pairs) // 2 * len(table.powers))
    given = table, state, power, candidates, replies, pairs, seeds, values
    KERNEL.try_candidates(*given, DUMBBOT.heat, DUMBBOT.tolerance, truces, years)
    return values


def _count_states(board: Board, states: "array[int]", seeds: "array[int] | None" = None) -> int:
    table = table_of(board)
    count, rest = divmod(len(states), width(table))
    if rest:
        raise ValueError(f"{len(states)} integers are not whole states of {width(table)}")
    if seeds is not None and len(seeds) != count * len(table.powers):
        raise ValueError(f"{count} states need {count * len(table.powers)} seeds")
    return count


def read_orders(
    board: Board, position: Position, state: "array[int]", power: Power, row: "array[int]"
) -> Sequence[Order]:
    """Return the orders of `power` in the order row `row`; missing builds are waived."""
    table = table_of(board)
    size = table.provinces

    def read(province: int) -> Order:
        return read_order(
            table, state, row[province], row[size + province], row[2 * size + province], province
        )

    match position.phase.stage:
        case Stage.MOVEMENT:
            units = [unit.province for unit in position.units_of(power)]
        case Stage.RETREATS:
            units = [entry.unit.province for entry in position.dislodged_of(power)]
        case Stage.ADJUSTMENTS:
            adjusted = [read(province) for province in range(size) if row[province]]
            owed = adjustments_owed(board, position, power)
            return adjusted + [Waive(power)] * (owed - len(adjusted))
    return [read(table.place_of[Location(code)]) for code in units]
