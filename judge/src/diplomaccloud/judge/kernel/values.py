"""Resolves one movement phase with the kernel, or lists its orders, using ordinary values.

The results have no reasons. `judge.adjudication` uses this module whenever it can; bots that look
ahead may use it directly.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import Table, table_of
from diplomaccloud.judge.orders import MovementOrder, Order
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

if TYPE_CHECKING:
    from diplomaccloud.judge.kernel.core.result_values import Resolved
    from diplomaccloud.judge.kernel.core.year_ends import Closed


@dataclass(frozen=True, slots=True)
class Verdict:
    """The results of a movement phase.

    `outcomes` has one entry for each unit, in the order given. `units` are the units that were not
    dislodged, at their new places, sorted. `dislodged` are the other units, in the order given,
    with the places that each may retreat to; a unit without any is destroyed. `standoffs` are the
    provinces that a standoff left empty, sorted. `leads` says whether a power may have more than
    half of the units, including those that must retreat. `closed` is the result of `close_year`
    for these units, if the owners of centers were given and no unit must retreat.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    standoffs: tuple[ProvinceCode, ...]
    leads: bool = field(default=True, compare=False, repr=False)
    closed: "Closed | None" = field(default=None, compare=False, repr=False)


def adjudicate(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[MovementOrder],
    rules: RuleSet = DEFAULT,
) -> Verdict:
    """Return the results of legal `orders`; a unit without an order holds.

    Raises `ValueError` for a place or power that is not on the board, or an order for a unit that
    does not exist.
    """
    verdict = adjudicate_legal(board, units, orders, rules, checked=False)
    if verdict is None:
        raise ValueError("units or orders are not those of one position of the board")
    return verdict


def adjudicate_legal(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[Order],
    rules: RuleSet,
    *,
    checked: bool = True,
) -> Verdict | None:
    """Return the results of `orders`, or `None` if the kernel cannot resolve them.

    It cannot if a place or power is not on the board. With `checked`, the result is also `None` if
    `legal_orders` does not list an order, or if the rules may keep a unit from following it. Two
    orders for the same unit must be equal.
    """
    support = find_support(rules)
    if checked and not support.listed_orders:
        return None
    table = table_of(board)
    resolved = KERNEL.resolve(table, units, orders, checked, support.number)
    return None if resolved is None else _build_verdict(table, units, resolved)


_make_verdict = KERNEL.builder(Verdict)


@dataclass(frozen=True, slots=True)
class Separation:
    """The orders of a movement phase when some of them are not in the list.

    `followed` has, for each unit, its only order if `legal_orders` lists it, or `None`. `unclear`
    are all other orders. If they are refused no matter how they are read, `refused` has the numbers
    of the units that they are for, which hold, and `foreign` is the number of orders that are not
    for a unit of their power; otherwise `refused` is `None`. `needless` has the numbers of those of
    the refused units whose order convoys an army that goes so, but needs other fleets, and the
    numbers of the armies.
    """

    followed: Sequence[MovementOrder | None]
    unclear: Sequence[Order]
    refused: Sequence[int] | None
    foreign: int
    needless: Sequence[tuple[int, int]]
    _units: Sequence[Unit]
    _table: Table
    _work: object

    def adjudicate(self, rest: Iterable[MovementOrder]) -> Verdict | None:
        """Return the results; `rest` are legal orders of units that have none in `followed`.

        A unit without an order holds. The result is `None` if the kernel cannot resolve the orders.
        Call this only once.
        """
        resolved = KERNEL.resolve_rest(self._table, self._units, self._work, rest)
        return None if resolved is None else _build_verdict(self._table, self._units, resolved)


_make_separation = KERNEL.builder(Separation)


def adjudicate_listed(
    board: Board,
    units: Sequence[Unit],
    orders: Sequence[Order],
    rules: RuleSet,
    centers: Mapping[ProvinceCode, Power] | None = None,
) -> Verdict | Separation | None:
    """Return the results of `orders` if all are in the list, otherwise their separation.

    If the owners of `centers` are given, the year may be closed at once; see `Verdict.closed`.
    Returns `None` if a unit cannot be where it is, or if the rules demand that all orders are read
    together and one of them is not in the list.
    """
    support = find_support(rules)
    if not support.separation:
        return adjudicate_legal(board, units, orders, rules)
    table = table_of(board)
    judged = KERNEL.resolve_listed(table, units, orders, support.number, centers)
    if judged is None:
        return None
    if len(judged) == 6:
        followed, unclear, work, refused, foreign, needless = judged
        return _make_separation(followed, unclear, refused, foreign, needless, units, table, work)
    return _build_verdict(table, units, judged)


def _build_verdict(table: Table, units: Sequence[Unit], resolved: "Resolved") -> Verdict:
    outcomes, _, _, standoffs, standing, dislodged, leads, closed = resolved
    return _make_verdict(
        outcomes,
        standing,
        _name_dislodged(table, units, dislodged) if dislodged else (),
        tuple(sorted([ProvinceCode(table.location_of[p]) for p in standoffs])) if standoffs else (),
        leads,
        closed,
    )


def _name_dislodged(
    table: Table, units: Sequence[Unit], dislodged: Iterable[tuple[int, int, list[int]]]
) -> tuple[Dislodged, ...]:
    locations = table.location_of
    return tuple(
        [
            Dislodged(
                units[i],
                ProvinceCode(locations[source]),
                tuple(sorted([locations[place] for place in places])),
            )
            for i, source, places in dislodged
        ]
    )


def list_movement_orders(
    board: Board, units: Sequence[Unit], power: Power | None = None
) -> tuple[MovementOrder, ...] | None:
    """Return the legal orders of `units`, or of those of `power`, in a movement phase.

    They are sorted by unit in the order of `units`: the hold, then moves, supports to hold,
    supports of moves, and convoys, each by target and then by destination. Returns `None` if a unit
    has no valid place or two share a province.
    """
    return KERNEL.list_orders(table_of(board), units, power)


def find_routes(
    board: Board, fleets: Iterable[ProvinceCode], start: ProvinceCode
) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
    """Return the provinces to which `fleets` at sea could convoy an army from `start`.

    Each has the fleets that the convoy could need. A fleet is needed if a chain to the goal breaks
    without it; chains with a shortcut do not count (DATC 6.G.19). If there are too many chains to
    follow, as with dozens of adjacent fleets, every fleet that is connected to `start` counts. A
    fleet that is not at sea is ignored.
    """
    table = table_of(board)
    if start not in board.by_code:
        return {}
    # The compiled kernel does not check that a fleet is at sea.
    seas = geography(board).seas
    return KERNEL.find_routes(table, tuple([sea for sea in fleets if sea in seas]), start)


FindUnlisted = Callable[[Sequence[Order]], Sequence[int]]


def open_list(board: Board, units: Sequence[Unit], rules: RuleSet) -> FindUnlisted:
    """Return a function that returns the numbers of orders that must be read to be judged.

    The orders are those of a movement phase. All others are in the list of legal orders, and mean
    what they say under `rules`.
    """
    support = find_support(rules)
    if not support.listed_orders:
        return lambda orders: range(len(orders))
    return partial(KERNEL.find_unlisted, table_of(board), units, rules=support.number)


def pack_listed(
    board: Board, units: Sequence[Unit], orders: Sequence[Order], rules: RuleSet
) -> "array[int] | None":
    """Return the order row of `orders` in a movement phase, or `None` if they must be read.

    They need not be if all are in the list of legal orders, and none is for the same unit as
    another. Then each of the units can be where it is, and no two share a province.
    """
    support = find_support(rules)
    if not support.listed_orders:
        return None
    return KERNEL.pack_orders(table_of(board), units, orders, support.number)


def close_year(
    board: Board, units: Sequence[Unit], centers: Mapping[ProvinceCode, Power]
) -> "Closed | None":
    """Return the consequences of the units' places after Fall and the owners of the centers.

    These are the centers that change hands, sorted, each with its new owner; whether a power has
    won with enough centers; and whether a power must build or disband. Returns `None` if a unit or
    a center is not on the board.
    """
    return KERNEL.close_year(table_of(board), units, centers)
