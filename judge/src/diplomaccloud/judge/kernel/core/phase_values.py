"""Decides the orders of one movement phase of ordinary values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.units import Unit

from . import codes
from .batches import borrow_workspace, return_workspace
from .order_values import (
    Separated,
    add_orders,
    bar_fleets,
    mark_unclear,
    read_orders,
    read_units,
    separate_orders,
)
from .result_values import Resolved, find_results
from .workspace import Workspace


def resolve(
    table: Table,
    units: Sequence[Unit],
    orders: Iterable[Order],
    checked: bool = True,
    rules: int = 0,
) -> Resolved | None:
    """Decide the orders of one movement phase; a unit without an order holds.

    Returns, by unit, the outcomes, the answers (1 if the move succeeds, the support counts or the
    convoy holds), and marks: 1 for a convoy that the paradox rule disrupted, 2 for a move that it
    stopped; none if there are no such orders. Then come the provinces that standoffs left empty,
    the units where they are now, sorted, the units dislodged, whether a power has more than half
    of the units, those included that have to retreat, and `None`; see `resolve_listed`.

    Returns `None` if a unit cannot be where it is, two units share a province, or an order
    is not for one of the units; if `checked`, also if an order is not in the list of legal
    orders or a unit has two different orders. `rules` is a rule set as one number, see `codes`.
    """
    work = borrow_workspace(table)
    resolved = None
    work.judge.use_rules(rules)
    if read_units(work, table.place_of, table.power_of, units):
        if read_orders(work, table.place_of, table.power_of, units, orders, checked):
            resolved = decide(work, table, units)
    return_workspace(table, work)
    return resolved


def resolve_listed(
    table: Table,
    units: Sequence[Unit],
    orders: Sequence[Any],
    rules: int = 0,
    centers: Mapping[ProvinceCode, Power] | None = None,
) -> Resolved | Separated | None:
    """Decide the orders of one movement phase if all are in the list, otherwise separate them.

    A unit follows its order if that is in the list, and every order for it is the same. All other
    orders are to be read, those for the same units too, unless all of them would be refused;
    `resolve_rest` then decides. `rules` is as for `resolve`. If `centers` are
    given, with their owners, what follows from them comes last, as from `close_year`, unless a
    unit has to retreat. Returns `None` if a unit cannot be where it is, or two units share a
    province.
    """
    work = borrow_workspace(table)
    work.judge.use_rules(rules)
    if not read_units(work, table.place_of, table.power_of, units):
        return_workspace(table, work)
        return None
    if not mark_unclear(work, table.place_of, table.power_of, units, orders):
        return separate_orders(work, orders)
    resolved = decide(work, table, units, centers)
    return_workspace(table, work)
    return resolved


def resolve_rest(
    table: Table, units: Sequence[Unit], work: Any, orders: Iterable[Any]
) -> Resolved | None:
    """Decide orders that `resolve_listed` separated; `orders` are those that were read.

    Each is the only one for its unit, and a unit without any holds. Returns `None` if an order is
    not for one of the units.
    """
    resolved = None
    if add_orders(work, table.place_of, table.power_of, units, orders, False):
        resolved = decide(work, table, units)
    return_workspace(table, work)
    return resolved


def decide(
    work: Workspace,
    table: Table,
    units: Sequence[Unit],
    centers: Mapping[ProvinceCode, Power] | None = None,
) -> Resolved:
    """Decide the orders that were set; a unit without an order holds."""
    decide_orders(work)
    return find_results(work, table, units, centers)


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
