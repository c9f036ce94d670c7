"""DumbBot's choices for many states at once, as flat integers; `judge.kernel.layout` has the rows.

Every unit goes where supply centers pull most, mostly; see `judge.kernel.core.pulls` for the pull
and `judge.kernel.core.policy` for the choice. It never convoys. Compiled or not, the kernel returns
the same orders for the same seeds, and lets other threads run meanwhile if it is compiled.
"""

from array import array
from dataclasses import dataclass

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.batch import starting_states
from diplomaccloud.judge.kernel.layout import order_width, width
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import table_of


@dataclass(frozen=True, slots=True)
class Style:
    """How a unit chooses among places: the less heat, the more predictable.

    `heat`, from 0 to 1, is the chance that it takes the next best place if that is worth as much
    as the best. A place that is worth less than the better one by 1 / `tolerance` of that is
    never taken. Raises `ValueError` for values that make no sense.
    """

    heat: float = 0.5
    tolerance: float = 5.0

    def __post_init__(self) -> None:
        """Refuse what is no chance and what is no part."""
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
    """Return an order row for each state, with the orders of all powers.

    `seeds` is an `array("Q")` with one random state for each state and power, and is advanced.
    `truces` has, for each power and each other, 1 if its units move into no unit or center of the
    other, else 0.
    Raises `ValueError` for numbers out of range and wrong lengths.
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
    """Return for each seed an order row with orders of the power with the number `power`.

    `forced` is an order row that all of them keep; a code of -1 leaves a unit free. `seeds` is an
    `array("Q")` and is advanced. `truces` is as for `choose_orders`. Raises `ValueError` as that
    does.
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
    """Return what each state is worth to each power, from 0 to 1, without looking ahead.

    A center counts half for its owner and half for those who have units near it; the value is a
    power's share of the sum of squares, and 1 for a victory.
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
    """Play `phases` phases of the policy for all powers, in place, rules of 2000.

    A game that is won starts over. `seeds` is as for `choose_orders`.
    """
    _count_states(board, states, seeds)
    start = starting_states(board, 1)
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
) -> "array[float]":
    """Return what the state is worth next Spring to every power, for each of `pairs`.

    `candidates` are order rows of the power with the number `power`, and `replies` those with the
    orders of the others; a pair is the number of a candidate and that of a reply. From there all
    powers follow the policy. `seeds` is an `array("Q")`, one for each pair and power, and `truces`
    is as for `choose_orders`. Raises
    `ValueError` for numbers out of range and wrong lengths.
    """
    table = table_of(board)
    values = array("d", [0.0]) * (len(pairs) // 2 * len(table.powers))
    given = table, state, power, candidates, replies, pairs, seeds, values
    KERNEL.try_candidates(*given, DUMBBOT.heat, DUMBBOT.tolerance, truces)
    return values


def _count_states(board: Board, states: "array[int]", seeds: "array[int] | None" = None) -> int:
    table = table_of(board)
    count, rest = divmod(len(states), width(table))
    if rest:
        raise ValueError(f"{len(states)} integers are not whole states of {width(table)}")
    if seeds is not None and len(seeds) != count * len(table.powers):
        raise ValueError(f"{count} states need {count * len(table.powers)} seeds")
    return count
