"""The results of one movement phase of ordinary values, each with why it is so."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.units import Unit

from . import codes, native
from .batches import borrow_workspace, return_workspace
from .order_values import build_order, read_order, read_units, set_order
from .phase_values import decide_orders
from .workspace import Workspace

RESULT_FIELDS = native.find_fields(OrderResult)

Explained = tuple[Outcome, Any, tuple[Any, ...]]
"""What `OrderResult` has under `outcome`, `why` and `by`."""


def explain_orders(
    table: Table,
    units: Sequence[Unit],
    orders: Iterable[MovementOrder | None],
    rules: int,
    known: dict[bytes, Explained],
    explain_row: Callable[[bytes], Explained],
) -> tuple[OrderResult, ...] | None:
    """Return the result of each unit's order, as of orders that `phase_values.resolve` decides.

    A unit without an order holds, and its result is implicit. `known` has what was found about
    rows of `reasons`, as bytes; `explain_row` returns it for other rows. Returns `None` where
    `resolve` would for orders that are not checked.
    """
    work = borrow_workspace(table)
    results = None
    given = decide_given(work, table, units, orders, rules)
    if given is not None:
        results = build_results(work, units, given, known, explain_row)
    return_workspace(table, work)
    return results


def find_facts(
    table: Table, units: Sequence[Unit], orders: Iterable[MovementOrder | None], rules: int
) -> list[tuple[bytes, "array[int]"]] | None:
    """Return the row of `reasons` about each unit's order, and the facts about the unit.

    The orders are those of `explain_orders`, and so is the case in which this returns `None`.
    """
    work = borrow_workspace(table)
    explained = None
    if decide_given(work, table, units, orders, rules) is not None:
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
    table: Table,
    units: Sequence[Unit],
    orders: Iterable[MovementOrder | None],
    rules: int,
) -> list[Any] | None:
    """Decide the orders that units follow; return that of each unit, or `None` as above."""
    movement = work.judge.movement
    work.judge.use_rules(rules)
    if not read_units(work, table.place_of, table.power_of, units):
        return None
    given: list[Any] = [None] * movement.size
    for i in range(movement.size):
        movement.code[i] = -1
    for order in orders:
        if order is None:
            continue
        here = read_order(work, table.place_of, table.power_of, units, order, False)
        if here < 0 or not set_order(work, here):
            return None
        given[movement.at[here]] = order
    decide_orders(work)
    return given


def build_results(
    work: Any,
    units: Sequence[Unit],
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
            order = build_order(codes.HOLD, units[i], units[i], units[i].location)
        values = (order, explained[0], explained[1], explained[2], implicit)
        native.put_value(results, i, native.set_fields(OrderResult, RESULT_FIELDS, values))
    return native.close_values(results)
