"""Thousands of positions in one call, as flat 32-bit integers, for research and bots.

A batch is a buffer of rows: an `array("i")`, a `memoryview`, or a NumPy array of `int32`, of one
or two dimensions. `pack` makes the rows of positions, and `pack_orders` those of orders;
`docs/library.md` describes them. NumPy is never imported. The rules are those of all
editions but 2009 and `diplomacy package`. `board` is the standard board unless given.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel import batch as kernel
from diplomaccloud.judge.kernel.batch import Batch, UnsupportedRulesError
from diplomaccloud.judge.kernel.layout import (
    OUTCOMES,
    order_width,
    pack_state,
    unpack_state,
    width,
)
from diplomaccloud.judge.kernel.layout import pack_orders as pack_order_row
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.invalid_orders import is_order
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.position_problems import PositionError
from diplomaccloud.judge.position_text import default_board
from diplomaccloud.judge.rules import DEFAULT, RuleSet

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "OUTCOMES",
    "Batch",
    "UnsupportedRulesError",
    "adjudicate",
    "legal_orders",
    "pack",
    "pack_orders",
    "play",
    "random_orders",
    "row_lengths",
    "start",
    "unpack",
]


def row_lengths(board: Board | None = None) -> tuple[int, int]:
    """Return how many integers a position and its orders have in a batch."""
    table = table_of(default_board(board))
    return width(table), order_width(table)


def start(count: int, board: Board | None = None) -> "array[int]":
    """Return the position in which a game begins, `count` times."""
    return kernel.starting_states(default_board(board), count)


def pack(positions: Iterable[Position], board: Board | None = None) -> "array[int]":
    """Return the rows of `positions`.

    Raises `PositionError` naming the first position that cannot be on the board.
    """
    chosen = default_board(board)
    rows: dict[int, tuple[Position, array[int]]] = {}  # the same value is often given many times
    states = array("i")
    for number, position in enumerate(positions):
        if id(position) not in rows:
            _require_position(chosen, position, number)
            rows[id(position)] = position, pack_state(chosen, position)
        states += rows[id(position)][1]
    return states


def unpack(states: "Buffer", board: Board | None = None) -> list[Position]:
    """Return the positions of a batch; raise `ValueError` naming the first row that has none."""
    chosen = default_board(board)
    length = width(table_of(chosen))
    view = _open(states, "states")
    _require_rows("states", view, length)
    positions: list[Position] = []
    for first in range(0, len(view), length):
        row = array("i", view[first : first + length].tobytes())
        try:
            positions.append(unpack_state(chosen, row))
        except (IndexError, ValueError, KeyError) as error:
            raise ValueError(f"states: row {first // length} is not a position") from error
    return positions


def pack_orders(
    positions: Sequence[Position],
    orders: Iterable[Iterable[Order]],
    board: Board | None = None,
    rules: RuleSet = DEFAULT,
) -> "array[int]":
    """Return the rows of the orders for each of `positions`.

    A unit without an order holds, or is disbanded if it is dislodged. Raises `ValueError` naming
    the first order that is not legal, and if there are not as many lists as positions.
    """
    chosen = default_board(board)
    rows = array("i")
    count = 0
    for number, listed in enumerate(orders):
        count += 1
        if number >= len(positions):
            break
        given = list(listed)
        for order in given:
            _require_legal(chosen, positions[number], order, rules, number)
        rows += pack_order_row(chosen, given)
    if count != len(positions):
        raise ValueError(f"orders: one list is needed for each of the {len(positions)} positions")
    return rows


def adjudicate(
    states: "Buffer", orders: "Buffer", rules: RuleSet = DEFAULT, board: Board | None = None
) -> Batch:
    """Return the results of each position with its orders, retreats and Winter included.

    `states` of the result are the next positions, which can be given to `adjudicate` again. Orders
    must be legal, e.g. from `pack_orders` or `random_orders`; one out of range counts as none.
    Raises `UnsupportedRulesError` for rules that need the general resolver, and `ValueError`
    for a buffer of the wrong type or length, and naming the first position that is out of range.
    """
    chosen = default_board(board)
    return kernel.adjudicate(chosen, _open(states, "states"), _open(orders, "orders"), rules)


def legal_orders(states: "Buffer", board: Board | None = None) -> tuple["array[int]", "array[int]"]:
    """Return all legal orders of each position as numbers.

    The first array has the number of each position's first order and, last, the number of all
    orders. The second has four integers for each order: its province, and the code, the target
    and the goal that an order row has there.
    """
    return kernel.legal_orders(default_board(board), _open(states, "states"))


def random_orders(states: "Buffer", seeds: "Buffer", board: Board | None = None) -> "array[int]":
    """Return rows of random legal orders.

    `seeds` is an `array("Q")`, or a NumPy array of `uint64`, with a random state for each
    position; it is advanced.
    """
    return kernel.random_orders(default_board(board), _open(states, "states"), _open_seeds(seeds))


def play(states: "Buffer", seeds: "Buffer", phases: int, board: Board | None = None) -> None:
    """Play `phases` phases of random legal orders from each position, in place, rules of 2000.

    A game that is won starts over. `seeds` is as for `random_orders`.
    """
    kernel.play(default_board(board), _open(states, "states"), _open_seeds(seeds), phases)


def _open(buffer: "Buffer", name: str) -> "array[int]":
    """Return a flat view of a buffer of 32-bit integers."""
    return _flatten(buffer, name, "i", "32-bit integers, array('i') or int32")


def _open_seeds(buffer: "Buffer") -> "array[int]":
    return _flatten(buffer, "seeds", "QL", "64-bit integers, array('Q') or uint64")


def _flatten(buffer: "Buffer", name: str, formats: str, wanted: str) -> "array[int]":
    try:
        view = memoryview(buffer)
    except TypeError as error:
        kind = type(buffer).__name__
        raise TypeError(f"{name}: a buffer of {wanted} is needed, not {kind}") from error
    if view.format not in formats:
        raise ValueError(f"{name}: a buffer of {wanted} is needed, not of format {view.format!r}")
    if not view.c_contiguous:
        raise ValueError(f"{name}: the rows must follow one another in memory")
    if view.ndim > 1:
        view = view.cast("B").cast(view.format)  # type: ignore[call-overload]
    return view  # type: ignore[return-value] # a view has what the kernel uses of an array


def _require_rows(name: str, view: Sequence[int], length: int) -> None:
    if len(view) % length:
        raise ValueError(f"{name}: {len(view)} integers are not whole rows of {length}")


def _require_position(board: Board, position: object, number: int) -> None:
    """Raise `TypeError` or `PositionError` unless the position can be on the board."""
    if not isinstance(position, Position):
        kind = type(position).__name__
        raise TypeError(f"positions[{number}]: a position is needed, not {kind}")
    if problems := position.problems(board):
        raise PositionError(tuple(f"positions[{number}]: {problem}" for problem in problems))


def _require_legal(
    board: Board, position: Position, order: Order, rules: RuleSet, number: int
) -> None:
    if not is_order(order):
        raise TypeError(f"orders[{number}]: an order is needed, not {type(order).__name__}")
    why = why_illegal(board, position, power_of(order), order, rules)
    if why is not None:
        raise ValueError(f"orders[{number}]: {str(order)[:40]}: {why}")
