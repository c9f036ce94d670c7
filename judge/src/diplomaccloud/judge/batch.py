"""Thousands of positions in one call, as flat 32-bit integers, for research and bots.

A batch is a buffer of rows: an `array("i")`, a `memoryview`, or a NumPy array of `int32`, with one
or two dimensions. `pack` creates rows from positions, and `pack_orders` from orders;
`docs/library.md` describes them. NumPy is never imported. All editions are supported. `board` is
the standard board unless given.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from diplomaccloud.judge.adjudication import adjudicate as judge_orders
from diplomaccloud.judge.adjustments import removal_order
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.checks import (
    describe,
    require_list,
    require_text,
    require_whole_number,
)
from diplomaccloud.judge.kernel.core.codes import DISBAND, HEAD, PHASE, POWER_SHIFT
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENT_PHASES,
    OUTCOMES,
    find_owed,
    order_width,
    pack_state,
    unpack_state,
    width,
)
from diplomaccloud.judge.kernel.layout import pack_orders as pack_order_row
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.reader import PhaseOrders, Reader, Refusal
from diplomaccloud.judge.notation.orders import CanonicalOrders
from diplomaccloud.judge.orders import Order, is_order, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position, PositionError, starting_position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, Removal, RuleSet, find_rules
from diplomaccloud.judge.standard.europe import default_board

if TYPE_CHECKING:
    from typing_extensions import Buffer

MAX_COUNT = 2**31 - 1
"""The most positions or phases in one call."""

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


class UnsupportedRulesError(ValueError):
    """A rule set that asks which seas an order names, for which the rows of a batch have no place.

    No edition does.
    """


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of a batch of states.

    `states` has the rows of the next phases, including retreats. `outcomes` has an entry for each
    province of each state: the index in `OUTCOMES` of the order given there in a movement phase,
    or -1. `dislodgers` has the province from which the unit there was dislodged, even if it was
    destroyed, or -1.
    """

    states: "array[int]"
    outcomes: "array[int]"
    dislodgers: "array[int]"


def row_lengths(board: Board | None = None) -> tuple[int, int]:
    """Return how many integers a position and its orders have in a batch."""
    table = table_of(default_board(board))
    return width(table), order_width(table)


def start(count: int, board: Board | None = None) -> "array[int]":
    """Return `count` copies of the starting position."""
    require_whole_number("count", count, 0, MAX_COUNT)
    chosen = default_board(board)
    return pack_state(chosen, starting_position(chosen)) * count


def pack(positions: Iterable[Position], board: Board | None = None) -> "array[int]":
    """Return the rows of `positions`.

    Raises `PositionError` naming the first position that cannot be on the board.
    """
    chosen = default_board(board)
    rows: dict[int, tuple[Position, array[int]]] = {}  # the same value is often passed many times
    states = array("i")
    for number, position in enumerate(require_list("positions", positions)):
        if id(position) not in rows:
            _require_position(chosen, position, number)
            rows[id(position)] = position, pack_state(chosen, position)
        states += rows[id(position)][1]
    return states


def unpack(states: "Buffer", board: Board | None = None) -> list[Position]:
    """Return the positions of a batch; raise `ValueError` naming the first row without one."""
    chosen = default_board(board)
    length = width(table_of(chosen))
    view = _open(states, "states")
    if len(view) % length:
        raise ValueError(f"states: {len(view)} integers are not whole rows of {length}")
    positions: list[Position] = []
    for first in range(0, len(view), length):
        row = array("i", view[first : first + length].tobytes())
        try:
            positions.append(unpack_state(chosen, row))
        except (IndexError, ValueError, KeyError) as error:
            raise ValueError(f"states: row {first // length} is not a position") from error
    return positions


def pack_orders(
    positions: Iterable[Position],
    orders: Iterable[Iterable[Order | str]],
    board: Board | None = None,
    rules: RuleSet | str = DEFAULT,
) -> "array[int]":
    """Return the rows of the orders for each of `positions`.

    An order may also be its canonical text, which is what `str(order)` returns; a build is then for
    the power that owns the center.

    Orders are read as in `judge.adjudicate`: a missing coast is filled in if only one is possible,
    a unit with two different orders has none unless `rules` say which counts, and if there are too
    many builds, the first ones count. A unit without an order holds, or is disbanded if it is
    dislodged. Raises `ValueError` naming the first illegal order, or if the numbers of lists and
    positions differ, and `PositionError` as `pack` does.
    """
    chosen = default_board(board)
    rules = find_rules(rules)
    given = list(require_list("positions", positions))
    lists = list(require_list("orders", orders))
    if len(given) != len(lists):
        raise ValueError(f"orders: expected one list for each of the {len(given)} positions")
    rows = array("i")
    known: set[int] = set()  # the same value is often passed many times
    for number, (position, items) in enumerate(zip(given, lists, strict=True)):
        name = f"orders[{number}]"
        listed = list(require_list(name, items))
        row = _pack_listed(chosen, position, listed, rules)
        if row is None or not (id(position) in known or _has_known_centers(chosen, position)):
            if id(position) not in known:
                _require_position(chosen, position, number)
            row = pack_order_row(chosen, _read_orders(chosen, position, listed, rules, name))
        known.add(id(position))
        rows += row
    return rows


def adjudicate(
    states: "Buffer",
    orders: "Buffer",
    rules: RuleSet | str = DEFAULT,
    board: Board | None = None,
    *,
    seeds: Iterable[str] | None = None,
) -> Batch:
    """Return the results of each position and its orders, including retreats and Winter.

    `states` of the result are the next positions, which can be passed to `adjudicate` again. Orders
    must be legal, as from `pack_orders` or `random_orders`; an order out of range counts as none.
    `seeds` are those of `judge.adjudicate`, one for each position, for rules that draw lots: by
    default, all are empty.
    Raises `UnsupportedRulesError` for rules that ask which seas an order names, and `ValueError`
    for a buffer of the wrong type or length, or naming the first position that is out of range.
    """
    chosen = default_board(board)
    rules = find_rules(rules)
    require_rows_for(rules)
    table, rows, given = table_of(chosen), _open(states, "states"), _open(orders, "orders")
    count = _count_states(chosen, rows, orders=given)
    if rules.removal is Removal.RANDOM_2009:
        given = draw_removals(chosen, rows, given, rules, _read_seeds(seeds, count))
    after = array("i", [0]) * len(rows)
    outcomes = array("i", [-1]) * (count * table.provinces)
    dislodgers = array("i", outcomes)
    KERNEL.adjudicate(table, rows, given, after, outcomes, dislodgers, find_support(rules).number)
    return Batch(after, outcomes, dislodgers)


def require_rows_for(rules: RuleSet) -> None:
    """Raise `UnsupportedRulesError` if the rules ask about what the rows of a batch do not have."""
    if not find_support(rules).batches:
        raise UnsupportedRulesError(
            f"rules: {rules.name} asks which seas an order names (`convoy_path`), "
            "and the rows of a batch do not have them"
        )


def draw_removals(
    board: Board, states: Sequence[int], orders: Sequence[int], rules: RuleSet, seeds: Sequence[str]
) -> "array[int]":
    """Return rows of orders with the disbands that are missing in Winter, as drawn by lot.

    `seeds` has one for each state, as for `judge.adjudicate`.
    """
    table, drawn = table_of(board), array("i", orders)
    size, wide, deep = table.provinces, width(table), order_width(table)
    for number, seed in enumerate(seeds):
        row = array("i", states[number * wide : (number + 1) * wide])
        if row[PHASE] not in ADJUSTMENT_PHASES:
            continue
        given = drawn[number * deep : number * deep + size]
        standing = row[HEAD : HEAD + size]
        for power, owed in enumerate(find_owed(table, row)):
            ordered = [
                code == DISBAND and unit >= 0 and unit >> POWER_SHIFT == power
                for code, unit in zip(given, standing, strict=True)
            ]
            missing = -owed - sum(ordered)
            if missing <= 0:
                continue
            try:
                position = unpack_state(board, row)
            except (IndexError, ValueError, KeyError):
                break  # The kernel names the row.
            for unit in removal_order(board, position, table.powers[power], rules, seed):
                here = table.place_of[Location(unit.province)]
                if missing and not ordered[here]:
                    drawn[number * deep + here] = DISBAND
                    missing -= 1
    return drawn


def legal_orders(states: "Buffer", board: Board | None = None) -> tuple["array[int]", "array[int]"]:
    """Return all legal orders of each position as numbers.

    The first array has the index of each position's first order, and at the end the total number
    of orders. The second has four integers for each order: its province, and the code, target and
    goal that an order row has there.
    """
    chosen, rows = default_board(board), _open(states, "states")
    _count_states(chosen, rows)
    return KERNEL.list_batch(table_of(chosen), rows)


def random_orders(states: "Buffer", seeds: "Buffer", board: Board | None = None) -> "array[int]":
    """Return rows of random legal orders.

    `seeds` is an `array("Q")`, or a NumPy array of `uint64`, with a random state for each
    position; it is advanced.
    """
    table, rows, numbers = (
        table_of(default_board(board)),
        _open(states, "states"),
        _open_seeds(seeds),
    )
    count = _count_states(table.board, rows, seeds=numbers)
    orders = array("i", [0]) * (count * order_width(table))
    KERNEL.random_orders(table, rows, numbers, orders)
    return orders


def play(states: "Buffer", seeds: "Buffer", phases: int, board: Board | None = None) -> None:
    """Play `phases` phases of random legal orders from each position, in place, by 2000 rules.

    A game that is won starts over. `seeds` is as for `random_orders`. Raises `ValueError` for a
    number of phases below 0 or above two billion, and for a read-only buffer.
    """
    require_whole_number("phases", phases, 0, MAX_COUNT)
    chosen, numbers = default_board(board), _open_seeds(seeds)
    rows = _open(states, "states", written=True)
    _count_states(chosen, rows, seeds=numbers)
    first = pack_state(chosen, starting_position(chosen))
    KERNEL.play(table_of(chosen), rows, numbers, phases, first)


def _open(buffer: "Buffer", name: str, *, written: bool = False) -> "array[int]":
    """Return a flat view of a buffer of 32-bit integers."""
    wanted = "32-bit integers, array('i') or int32"
    return _flatten(buffer, name, "il", 4, wanted, written=written)


def _open_seeds(buffer: "Buffer") -> "array[int]":
    wanted = "64-bit integers, array('Q') or uint64"
    return _flatten(buffer, "seeds", "QL", 8, wanted, written=True)


def _read_seeds(seeds: Iterable[str] | None, count: int) -> list[str]:
    """Return the seeds of lots; raise `TypeError` or `ValueError` unless each is a text."""
    if seeds is None:
        return [""] * count
    listed = list(require_list("seeds", seeds))
    if len(listed) != count:
        raise ValueError(f"seeds: expected one for each of the {count} positions")
    for number, seed in enumerate(listed):
        require_text(f"seeds[{number}]", seed)
    return listed


def _flatten(
    buffer: "Buffer", name: str, formats: str, size: int, wanted: str, *, written: bool
) -> "array[int]":
    try:
        view = memoryview(buffer)
    except TypeError as error:
        kind = type(buffer).__name__
        raise TypeError(f"{name}: expected a buffer of {wanted}, not {kind}") from error
    if view.format not in tuple(formats) or view.itemsize != size:
        raise ValueError(f"{name}: expected a buffer of {wanted}, not of format {view.format!r}")
    if not view.c_contiguous:
        raise ValueError(f"{name}: the rows must be contiguous in memory")
    if written and view.readonly:
        raise ValueError(f"{name}: the buffer must be writable")
    if not view.nbytes:
        return array(formats[0])
    if view.ndim != 1:
        view = view.cast("B").cast(view.format)  # type: ignore[call-overload]
    return view  # type: ignore[return-value] # a view supports everything that the kernel needs


def _count_states(
    board: Board,
    states: Sequence[int],
    orders: Sequence[int] | None = None,
    seeds: Sequence[int] | None = None,
) -> int:
    """Return how many states there are; raise `ValueError` if a buffer does not have their rows."""
    table = table_of(board)
    count, rest = divmod(len(states), width(table))
    if rest:
        raise ValueError(f"{len(states)} integers are not whole states of {width(table)}")
    if orders is not None and len(orders) != count * order_width(table):
        raise ValueError(f"{count} states need {count * order_width(table)} integers of orders")
    if seeds is not None and len(seeds) != count:
        raise ValueError(f"{count} states need {count} seeds")
    return count


def _require_position(board: Board, position: object, number: int) -> None:
    """Raise `TypeError` or `PositionError` unless the position can be on the board."""
    if not isinstance(position, Position):
        kind = type(position).__name__
        raise TypeError(f"positions[{number}]: expected a position, not {kind}")
    if problems := position.problems(board):
        raise PositionError(tuple(f"positions[{number}]: {problem}" for problem in problems))


def _pack_listed(
    board: Board, position: Position, orders: list[Any], rules: RuleSet
) -> "array[int] | None":
    """Return the row of orders that need not be read, or `None`; replace texts in `orders`."""
    try:
        if any(type(order) is str for order in orders):
            _parse_texts(board, position, orders, rules)
        if position.phase.stage is not Stage.MOVEMENT or position.dislodged:
            return None
        return KERNEL.pack_orders(board, position.units, orders, rules)
    except (AttributeError, TypeError):
        return None  # A value of the wrong type, which is named later.


def _parse_texts(board: Board, position: Position, orders: list[Any], rules: RuleSet) -> None:
    """Replace canonical texts in `orders` by the orders that they mean."""
    canonical = CanonicalOrders(board, position, rules)
    retreating = position.phase.stage is Stage.RETREATS
    units = [entry.unit for entry in position.dislodged] if retreating else position.units
    powers: dict[str, Power | None] = {unit.location: unit.power for unit in units}
    for number, text in enumerate(orders):
        if type(text) is str:
            place = text.partition(" ")[2].partition(" ")[0]
            power = powers.get(place)
            if text.endswith(" B"):
                power = _find_builder(board, position, province_of(Location(place)))
            orders[number] = (power and canonical.read(text, power)) or text


def _find_builder(board: Board, position: Position, center: ProvinceCode) -> Power | None:
    """Return the power that a build in a center is for, or of an illegal build, might be for."""
    builders = [power for power, centers in board.build_centers.items() if center in centers]
    owner = position.centers.get(center)
    return owner if owner in builders else next(iter(builders), None)


def _has_known_centers(board: Board, position: Position) -> bool:
    """Return whether the centers of `position` and their owners are on the board."""
    owners = position.centers
    return _centers(board) >= owners.keys() and board.power_info.keys() >= {*owners.values()}


@lru_cache(maxsize=16)
def _centers(board: Board) -> frozenset[ProvinceCode]:
    return frozenset(province.code for province in board.provinces if province.center)


def _read_orders(
    board: Board, position: Position, given: list[Any], rules: RuleSet, name: str
) -> list[Order]:
    """Return the orders that the units follow when those given are read as in `adjudicate`."""
    reader = Reader(board, position, rules)
    for order in given:
        if not is_order(order):
            raise TypeError(f"{name}: expected an order, not {describe(order)}")
        try:
            reader.read(power_of(order), order)
        except Refusal as refusal:
            raise ValueError(f"{name}: {str(order)[:40]}: {refusal}") from refusal
    if position.phase.stage is Stage.ADJUSTMENTS:
        results = judge_orders(board, position, given, rules).results
        return [
            each.order
            for each in results
            if each.outcome is Outcome.BUILT
            or (each.outcome is Outcome.DISBANDED and not each.implicit)
        ]
    phase_orders = PhaseOrders(board, position, given, rules)
    dislodged = [entry.unit for entry in position.dislodged]
    units = dislodged if position.phase.stage is Stage.RETREATS else position.units
    followed = [phase_orders.order_of(unit) for unit in units]
    return [order for order in followed if order is not None]
