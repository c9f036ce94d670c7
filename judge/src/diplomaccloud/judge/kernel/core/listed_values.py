"""The legal orders of a movement phase: listed as ordinary values, or compared with such values."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Location, Power
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.units import Unit

from . import codes, native
from .batches import borrow_workspace, return_workspace
from .order_values import FLEET, UNIT_FIELDS, build_order, read_order, read_orders, read_units
from .workspace import Workspace


def list_orders(
    table: Table, units: Sequence[Unit], power: Power | None = None
) -> tuple[MovementOrder, ...] | None:
    """Return the legal orders of `units`, or of those of `power`, in a movement phase.

    They come by unit, as `units` are given: the hold, then moves, supports to hold, supports
    of moves, and convoys, each by target and then by destination. Returns `None` if a unit stands
    nowhere or two share a province.
    """
    work = borrow_workspace(table)
    orders: tuple[MovementOrder, ...] | None = None
    if place_units(work, table.place_of, units):
        work.listing.count = 0
        work.listing.list_movement()
        if work.listing.is_full or work.listing.convoys.is_full:
            raise MemoryError
        orders = build_orders(work, table.location_of, tuple(units), power)
    return_workspace(table, work)
    return orders


def place_units(work: Workspace, place_of: Mapping[Location, int], units: Sequence[Unit]) -> bool:
    """Set the units to list orders for; return whether each has a province for itself.

    The list does not depend on owners, and a unit may belong to a power that the board lacks.
    """
    count = 0
    native.fill(work.state.unit, 0, work.tables.provinces, -1)
    for unit in units:
        place = place_of.get(native.read_field(unit, UNIT_FIELDS[1]), -1)
        if place < 0:
            return False
        p = work.tables.province_of[place]
        if work.state.unit[p] >= 0:
            return False
        work.state.unit[p] = place << codes.PLACE_SHIFT | (
            native.read_field(unit, UNIT_FIELDS[0]) is FLEET
        )
        work.judge.movement.at[p] = count
        work.judge.movement.here[count] = p
        work.state.standing[count] = p
        count += 1
    work.judge.movement.size = count
    work.state.standing_count = count
    return True


def build_orders(
    work: Workspace,
    location_of: list[Location],
    units: tuple[Unit, ...],
    power: Power | None,
) -> tuple[MovementOrder, ...]:
    """Return the orders that were listed, those of each unit together and sorted."""
    movement = work.judge.movement
    count = first = 0
    for i in range(movement.size):
        options = work.count_options(first)
        work.firsts[i] = first
        first += options
        if power is None or units[i].power == power:
            count += options
    work.firsts[movement.size] = first
    orders = native.open_values(count)
    count = 0
    for i in range(movement.size):
        unit = units[i]
        if power is None or unit.power == power:
            first = work.firsts[i]
            options = work.firsts[i + 1] - first
            work.sort_options(first, options)
            if work.listing.is_full:
                raise MemoryError
            for k in range(options):
                at = 4 * (first + (work.keys[k] & codes.KEY_MASK))
                other = unit
                if work.listing.rows[at + 1] >= codes.SUPPORT_HOLD:
                    other = units[movement.at[work.listing.rows[at + 2]]]
                place = location_of[work.listing.rows[at + 3]]
                order = build_order(work.listing.rows[at + 1], unit, other, place)
                native.put_value(orders, count, order)
                count += 1
    return native.close_values(orders)


def find_routes(table: Table, seas: Iterable[Any], start: Any) -> dict[Any, frozenset[Any]]:
    """Return the goals of convoys from `start` that fleets in `seas` could carry out.

    Each has the seas that could be needed for it.
    """
    work = borrow_workspace(table)
    convoys = work.listing.convoys
    tables = work.tables
    convoys.clear_fleets()
    for sea in seas:
        convoys.add_fleet(tables.sea_of[table.place_of[sea]])
    routes: dict[Any, frozenset[Any]] = {}
    here = table.place_of[start]
    if convoys.open_convoys(here):
        convoys.add_routes(here)
        if convoys.is_full:
            raise MemoryError
        for k in range(convoys.route_count):
            needed: list[Any] = []
            for sea in seas:
                number = tables.sea_of[table.place_of[sea]]
                word = k * tables.wide + tables.word_of[number]
                if convoys.route_seas[word] & tables.bit_of[number]:
                    needed.append(sea)
            routes[table.location_of[convoys.routes[2 * k + 1]]] = frozenset(needed)
    return_workspace(table, work)
    return routes


def find_unlisted(
    table: Table, units: Sequence[Unit], orders: Sequence[Any], skip_via: bool = False
) -> list[int]:
    """Return the numbers of those `orders` that are not in the list of legal orders.

    If `skip_via`, no move "via convoy" counts as in the list. No order is in it if a unit cannot be
    where it is, or two units share a province.
    """
    work = borrow_workspace(table)
    work.judge.movement.use_rules(0)
    work.skip_via = skip_via
    clear = read_units(work, table.place_of, table.power_of, units)
    if clear:
        work.listing.open_fleets()
    unlisted: list[int] = []
    for number in range(len(orders)):
        order = orders[number]
        if not clear or read_order(work, table.place_of, table.power_of, units, order, True) < 0:
            unlisted.append(number)
    return_workspace(table, work)
    return unlisted


def pack_orders(
    table: Table, units: Sequence[Unit], orders: Sequence[Any], skip_via: bool = False
) -> "array[int] | None":
    """Return the order row of `orders` if all are in the list and each is the only one for a unit.

    Returns `None` otherwise. `skip_via` is as for `find_unlisted`.
    """
    work = borrow_workspace(table)
    work.judge.movement.use_rules(0)
    work.skip_via = skip_via
    row: array[int] | None = None
    if read_units(work, table.place_of, table.power_of, units):
        if read_orders(work, table.place_of, table.power_of, units, orders, True):
            write_orders(work)
            row = native.copy_ints(work.given, 3 * work.tables.provinces)
    return_workspace(table, work)
    return row


def write_orders(work: Workspace) -> None:
    """Write the orders that were read as an order row; a unit without an order holds."""
    movement = work.judge.movement
    size = work.tables.provinces
    native.fill(work.given, 0, 3 * size, 0)
    for i in range(movement.size):
        if movement.code[i] >= 0:
            here = movement.here[i]
            work.given[here] = movement.code[i]
            work.given[size + here] = movement.target[i]
            work.given[2 * size + here] = movement.to[i]
