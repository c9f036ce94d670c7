"""The legal orders of a movement phase as ordinary values."""

from collections.abc import Mapping, Sequence

from diplomaccloud.judge.board import Location, Power
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.units import Unit

from . import codes, native
from .batches import borrow_workspace, return_workspace
from .order_values import FLEET, UNIT_FIELDS, build_order
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
