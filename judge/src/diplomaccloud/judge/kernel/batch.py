"""Many positions in one call, as flat integers, for bots and research.

The rows are described in `layout`. All rows of a batch are contiguous in one `array("i")` or other
object with such a buffer. The compiled kernel releases the GIL. Compiled or not, the kernel returns
the same numbers, even for random play.
"""

from array import array
from dataclasses import dataclass

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.layout import order_width, pack_state, width
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.rules import DEFAULT, RuleSet


class UnsupportedRulesError(ValueError):
    """A rule set that a batch does not support."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of a batch of states.

    `states` has the rows of the next phases, including retreats. `outcomes` has an entry for each
    province of each state: the index in `layout.OUTCOMES` of the order given there in a movement
    phase, or -1. `dislodgers` has the province from which the unit there was dislodged, even if it
    was destroyed, or -1.
    """

    states: "array[int]"
    outcomes: "array[int]"
    dislodgers: "array[int]"


def adjudicate(
    board: Board, states: "array[int]", orders: "array[int]", rules: RuleSet = DEFAULT
) -> Batch:
    """Return the results of states, which may be of any phases, with one order row each.

    Orders must be legal; an order out of range counts as none. Raises `UnsupportedRulesError` for
    a rule set that reads orders differently from the editions or draws removals by lot.
    """
    support = find_support(rules)
    if not support.batches:
        raise UnsupportedRulesError(f"no kernel for the rule set {rules.name}")
    table = table_of(board)
    count = _count_states(board, states, orders)
    after = array("i", [0]) * (count * width(table))
    outcomes = array("i", [-1]) * (count * table.provinces)
    dislodgers = array("i", [-1]) * (count * table.provinces)
    KERNEL.adjudicate(
        table,
        states,
        orders,
        after,
        outcomes,
        dislodgers,
        support.number,
        support.removal,
        support.by_pieces,
    )
    return Batch(after, outcomes, dislodgers)


def legal_orders(board: Board, states: "array[int]") -> tuple["array[int]", "array[int]"]:
    """Return every legal order of each state, by province.

    The first array has the index of each state's first order, and at the end the total number of
    orders. The second has four integers for each order: province, code, target and goal. A
    province whose power may build lists the possible builds.
    """
    _count_states(board, states)
    offsets, rows = KERNEL.list_batch(table_of(board), states)
    return offsets, rows


def random_orders(board: Board, states: "array[int]", seeds: "array[int]") -> "array[int]":
    """Return an order row of random legal orders for each state.

    `seeds` is an `array("Q")` with one random state for each state, and is advanced.
    """
    table = table_of(board)
    count = _count_states(board, states, seeds=seeds)
    orders = array("i", [0]) * (count * order_width(table))
    KERNEL.random_orders(table, states, seeds, orders)
    return orders


def play(board: Board, states: "array[int]", seeds: "array[int]", phases: int) -> None:
    """Play `phases` phases of random legal orders from each state, in place, by 2000 rules.

    A game that is won starts over. `seeds` is as for `random_orders`.
    """
    _count_states(board, states, seeds=seeds)
    start = pack_state(board, starting_position(board))
    KERNEL.play(table_of(board), states, seeds, phases, start)


def starting_states(board: Board, count: int) -> "array[int]":
    """Return `count` copies of the starting state."""
    return pack_state(board, starting_position(board)) * count


def _count_states(
    board: Board,
    states: "array[int]",
    orders: "array[int] | None" = None,
    seeds: "array[int] | None" = None,
) -> int:
    table = table_of(board)
    count, rest = divmod(len(states), width(table))
    if rest:
        raise ValueError(f"{len(states)} integers are not whole states of {width(table)}")
    if orders is not None and len(orders) != count * order_width(table):
        raise ValueError(f"{count} states need {count * order_width(table)} integers of orders")
    if seeds is not None and len(seeds) != count:
        raise ValueError(f"{count} states need {count} seeds")
    return count
