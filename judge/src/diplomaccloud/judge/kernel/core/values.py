"""Movement phases and ends of years as ordinary values, judged and explained.

As a module, this is the kernel: it also has the functions of `order_values` and `batches`.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode
from diplomaccloud.judge.kernel.layout import OUTCOMES, unpack_unit
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import Table, table_of
from diplomaccloud.judge.kernel.values import Closed, Explained, Separation, Verdict
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

from . import codes, native
from .batches import Workspace, borrow_workspace, return_workspace
from .batches import adjudicate as adjudicate
from .batches import list_batch as list_batch
from .batches import play as play
from .batches import random_orders as random_orders
from .order_values import (
    add_orders,
    bar_fleets,
    build_order,
    mark_unclear,
    read_order,
    read_orders,
    read_units,
    separate_orders,
    set_order,
)
from .order_values import find_routes as find_routes
from .order_values import find_unlisted as find_unlisted
from .order_values import list_orders as list_orders
from .order_values import pack_orders as pack_orders

name = "compiled" if ".compiled." in __name__ else "python"
"""The name of this kernel."""

RESULT_FIELDS = native.find_fields(OrderResult)
VERDICT_FIELDS = native.find_fields(Verdict)

_Value = TypeVar("_Value")


class Builder:
    """Builds values of a frozen class with slots from all their fields, without `__post_init__`.

    It takes a fraction of the time that calling the class takes.
    """

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.fields = native.find_fields(kind)

    def __call__(self, *values: object) -> Any:
        """Return the value with these fields; raise `TypeError` if there are not as many."""
        if len(values) != len(self.fields):
            raise TypeError(f"{self.kind.__name__} has {len(self.fields)} fields")
        return native.set_fields(self.kind, self.fields, values)


def builder(kind: type[_Value]) -> Callable[..., _Value]:
    """Return a function that builds values of a class; see `Builder`."""
    return Builder(kind)


# Movement phases.


def resolve(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[Any],
    rules: RuleSet = DEFAULT,
    checked: bool = True,
) -> Verdict | None:
    """Return the results of legal `orders`; a unit without an order holds.

    Returns `None` if a unit cannot be where it is, two units share a province, an order is not for
    one of the units, or a unit has two different orders; if `checked`, also if an order is not in
    the list of legal orders, or if the rules may keep a unit from following it.
    """
    support = find_support(rules)
    if checked and not support.listed_orders:
        return None
    table = table_of(board)
    work = borrow_workspace(table)
    work.judge.use_rules(support.number)
    verdict = None
    if read_units(work, units) and read_orders(work, orders, checked):
        verdict = decide(work, table, None)
    return_workspace(table, work)
    return verdict


def resolve_listed(
    board: Board,
    units: Sequence[Unit],
    orders: Sequence[Any],
    rules: RuleSet = DEFAULT,
    centers: Mapping[ProvinceCode, Power] | None = None,
) -> Verdict | Separation | None:
    """Return the results of `orders` if all are in the list, otherwise their separation.

    A unit follows its order if that is in the list, and every order for it is the same. All other
    orders are to be read, those for the same units too, unless all of them would be refused;
    `resolve_rest` then decides. If the owners of `centers` are given, the year may be closed at
    once; see `Verdict.closed`. Returns `None` if a unit cannot be where it is, two units share a
    province, or the rules demand that all orders are read together and one is not in the list.
    """
    support = find_support(rules)
    if not support.separation:
        return resolve(board, units, orders, rules)
    table = table_of(board)
    work = borrow_workspace(table)
    work.judge.use_rules(support.number)
    if not read_units(work, units):
        return_workspace(table, work)
        return None
    if not mark_unclear(work, orders):
        return separate_orders(work, board, orders)
    verdict = decide(work, table, centers)
    return_workspace(table, work)
    return verdict


def resolve_rest(separation: Separation, orders: Iterable[Any]) -> Verdict | None:
    """Return the results of orders that `resolve_listed` separated; call this only once.

    `orders` are legal, and each is the only one for its unit, which has none in `followed`; a unit
    without any holds. Returns `None` if an order is not for one of the units.
    """
    table, work = table_of(separation.board), separation.work
    verdict = None
    if add_orders(work, orders, False):
        verdict = decide(work, table, None)
    return_workspace(table, work)
    return verdict


def decide(work: Workspace, table: Table, centers: Mapping[ProvinceCode, Power] | None) -> Verdict:
    """Return the results of the orders that were set; a unit without an order holds."""
    decide_orders(work)
    return build_verdict(work, table, centers)


def decide_orders(work: Workspace) -> None:
    """Set the answers of the orders that were set; a unit without an order holds."""
    movement = work.judge.movement
    for i in range(movement.size):
        if movement.code[i] < 0:
            movement.code[i] = codes.HOLD
            movement.target[i] = 0
            movement.to[i] = 0
    if movement.path_rule:
        bar_fleets(work)
    work.judge.cycle.resolve_orders()


def explain_orders(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[Order | None],
    rules: RuleSet,
    known: dict[bytes, Explained],
    explain_row: Callable[[bytes], Explained],
) -> tuple[OrderResult, ...] | None:
    """Return the result of each unit's order with its reason, as `resolve` decides.

    A unit without an order holds, and its result is implicit. `known` has what was found about
    rows of `reasons`, as bytes; `explain_row` returns it for other rows. Returns `None` where
    `resolve` would for orders that are not checked.
    """
    table = table_of(board)
    work = borrow_workspace(table)
    results = None
    given = decide_given(work, units, orders, rules)
    if given is not None:
        results = build_results(work, given, known, explain_row)
    return_workspace(table, work)
    return results


def find_facts(
    board: Board, units: Sequence[Unit], orders: Iterable[Order | None], rules: RuleSet
) -> list[tuple[bytes, "array[int]"]] | None:
    """Return the row of `reasons` about each unit's order, and the facts about the unit.

    The orders are those of `explain_orders`, and so is the case in which this returns `None`.
    """
    table = table_of(board)
    work = borrow_workspace(table)
    explained = None
    if decide_given(work, units, orders, rules) is not None:
        reasons = work.reasons
        work.judge.movement.find_results()
        explained = []
        for i in range(work.judge.movement.size):
            reasons.explain_order(i)
            row = native.copy_bytes(reasons.row, reasons.count)
            reasons.list_facts(i)
            explained.append((row, native.copy_ints(reasons.row, reasons.count)))
    return_workspace(table, work)
    return explained


def decide_given(
    work: Workspace,
    units: Sequence[Unit],
    orders: Iterable[Order | None],
    rules: RuleSet,
) -> list[Any] | None:
    """Decide the orders that units follow; return that of each unit, or `None` as above."""
    movement = work.judge.movement
    work.judge.use_rules(find_support(rules).number)
    if not read_units(work, units):
        return None
    given: list[Any] = [None] * movement.size
    for i in range(movement.size):
        movement.code[i] = -1
    for order in orders:
        if order is None:
            continue
        p = read_order(work, order, False)
        if p < 0 or not set_order(work, p):
            return None
        given[movement.at[p]] = order
    decide_orders(work)
    return given


def build_results(
    work: Any,
    given: list[Any],
    known: dict[bytes, Explained],
    explain_row: Callable[[bytes], Explained],
) -> tuple[OrderResult, ...]:
    """Return the results of orders that are decided; `given` has that of each unit, if any."""
    movement = work.judge.movement
    movement.find_results()
    reasons = work.reasons
    results = native.open_values(movement.size)
    for i in range(movement.size):
        reasons.explain_order(i)
        row = native.copy_bytes(reasons.row, reasons.count)
        explained = known.get(row)
        if explained is None:
            explained = explain_row(row)
        order = given[i]
        implicit = order is None
        if implicit:
            unit = work.units[i]
            order = build_order(codes.HOLD, unit, unit, unit.location)
        values = (order, explained[0], explained[1], explained[2], implicit)
        native.put_value(results, i, native.set_fields(OrderResult, RESULT_FIELDS, values))
    return native.close_values(results)


# Verdicts.


def build_verdict(
    work: Workspace, table: Table, centers: Mapping[ProvinceCode, Power] | None
) -> Verdict:
    """Return the results of orders that are decided."""
    movement = work.judge.movement
    tables = work.tables
    outcomes = native.open_values(movement.size)
    native.fill(work.closed, 0, tables.provinces, 0)
    native.fill(work.standing, 0, 2 * tables.places, -1)
    counts = work.judge.counts
    native.fill(counts, 0, tables.powers, 0)
    losers = movement.find_results()
    stood = 0
    for i in range(movement.size):
        native.put_value(outcomes, i, OUTCOMES[movement.outcome[i]])
        if movement.dislodger[i] < 0:
            place = movement.find_place(i)
            work.closed[tables.province_of[place]] = 1
            work.standing[movement.kind[i] * tables.places + tables.alphabet[place]] = i
            stood += 1
            counts[movement.power[i]] += 1
    pieces = stood
    standoffs: Any = ()
    for k in range(movement.mover_count):
        p = movement.goal[movement.movers[k]]
        if not work.closed[p] and movement.is_standoff(p):
            work.closed[p] = 1
            standoffs = (*standoffs, ProvinceCode(table.location_of[p]))
    dislodged: Any = ()
    if losers > 0:
        for i in range(movement.size):
            if movement.dislodger[i] >= 0:
                entry = build_dislodged(work, table, i, movement.dislodger[i])
                dislodged = (*dislodged, entry)
                if entry.retreats:
                    counts[movement.power[i]] += 1
                    pieces += 1
    leads = False
    for power in range(tables.powers):
        if 2 * counts[power] > pieces:
            leads = True
    standing = build_standing(work, table, stood)
    closed = None
    if centers is not None and pieces == stood:
        native.fill(work.state.unit, 0, tables.provinces, -1)
        for i in range(movement.size):
            if movement.dislodger[i] < 0:
                place = movement.find_place(i)
                work.state.unit[tables.province_of[place]] = movement.pack_unit(i, place)
        closed = close_state(work, table, centers)
    if standoffs:
        standoffs = tuple(sorted(standoffs))
    made = (native.close_values(outcomes), standing, dislodged, standoffs, leads, closed)
    return native.set_fields(Verdict, VERDICT_FIELDS, made)


def build_standing(work: Workspace, table: Table, count: int) -> tuple[Unit, ...]:
    """Return the `count` units that were not dislodged where they are now, sorted."""
    movement = work.judge.movement
    known = table.units
    standing = native.open_values(count)
    count = 0
    for k in range(2 * work.tables.places):
        i = work.standing[k]
        if i < 0:
            continue
        unit: Unit | None = work.units[i]
        if movement.outcome[i] == codes.MOVED:
            code = movement.pack_unit(i, movement.to[i])
            unit = known.get(code)
            if unit is None:
                unit = unpack_unit(table, code)
                known[code] = unit
        native.put_value(standing, count, unit)
        count += 1
    return native.close_values(standing)


def build_dislodged(work: Workspace, table: Table, i: int, attacker: int) -> Dislodged:
    """Return the unit with where its attacker came from and where it may retreat to."""
    movement = work.judge.movement
    tables = work.tables
    source = movement.here[attacker]
    reopens = movement.rules & codes.REOPENS and movement.routed[attacker]
    barred = -1 if reopens else source
    row = movement.kind[i] * tables.places + movement.place[i]
    places: list[Location] = []
    for k in range(tables.near_at[row], tables.near_at[row + 1]):
        to = tables.near[k]
        p = tables.province_of[to]
        if not work.closed[p] and p != barred:
            places.append(table.location_of[to])
    places.sort()
    return Dislodged(work.units[i], ProvinceCode(table.location_of[source]), tuple(places))


# The end of the year.


def close_year(
    board: Board, units: Sequence[Unit], centers: Mapping[ProvinceCode, Power]
) -> Closed | None:
    """Return the consequences of the units' places after a year and the owners of the centers.

    A power has won if it alone leads with enough centers. Returns `None` if a unit or a center is
    not one of the board, or two units share a province.
    """
    table = table_of(board)
    work = borrow_workspace(table)
    closed = None
    if read_units(work, units):
        closed = close_state(work, table, centers)
    return_workspace(table, work)
    return closed


def close_state(work: Workspace, table: Table, centers: Mapping[Any, Any]) -> Closed | None:
    """Return what follows from the units of the state, and from who owned the centers."""
    state = work.state
    native.fill(state.owner, 0, work.tables.provinces, -1)
    for center, owner in centers.items():
        p = work.place_of.get(center, -1)
        power = work.power_of.get(owner, -1)
        if p < 0 or p >= work.tables.provinces or power < 0:
            return None
        state.owner[p] = power
    taken: list[Any] = []
    for p in range(work.tables.provinces):
        power = state.unit[p] >> codes.POWER_SHIFT
        if work.tables.centers[p] and power >= 0 and state.owner[p] != power:
            taken.append((table.location_of[p], table.powers[power]))
    taken.sort()
    work.judge.by_pieces = False
    state.winner = -1
    is_adjusting = work.judge.close_year()
    return tuple(taken), state.winner >= 0, is_adjusting
