"""Units and orders of a movement phase, read from ordinary values, listed, and built as such."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.units import Unit

from . import codes, native
from .batches import borrow_workspace, return_workspace
from .workspace import Workspace

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET

UNIT_FIELDS = native.find_fields(Unit)
HOLD_FIELDS = native.find_fields(Hold)
MOVE_FIELDS = native.find_fields(Move)
SUPPORT_HOLD_FIELDS = native.find_fields(SupportHold)
SUPPORT_MOVE_FIELDS = native.find_fields(SupportMove)
CONVOY_FIELDS = native.find_fields(Convoy)

# Units.


def pack_unit(place_of: Mapping[Location, int], power_of: Mapping[Power, int], unit: Unit) -> int:
    """Return a unit as one integer, or -1 if the board has no such place or power."""
    kind = native.read_field(unit, UNIT_FIELDS[0])
    place = place_of.get(native.read_field(unit, UNIT_FIELDS[1]), -1)
    power = power_of.get(native.read_field(unit, UNIT_FIELDS[2]), -1)
    if place < 0 or power < 0 or (kind is not ARMY and kind is not FLEET):
        return -1
    return power << codes.POWER_SHIFT | place << codes.PLACE_SHIFT | (kind is FLEET)


def read_units(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
) -> bool:
    """Set the units of a movement phase; return whether each has a province for itself."""
    movement = work.judge.movement
    count = 0
    native.fill(work.state.unit, 0, work.tables.provinces, -1)
    for unit in units:
        code = pack_unit(place_of, power_of, unit)
        if code < 0:
            return False
        place = code >> codes.PLACE_SHIFT & codes.PLACE_MASK
        p = work.tables.province_of[place]
        if work.state.unit[p] >= 0 or not work.tables.can_stand(code & 1, place):
            return False
        work.state.unit[p] = code
        movement.at[p] = count
        movement.here[count] = p
        movement.place[count] = place
        movement.kind[count] = code & 1
        movement.power[count] = code >> codes.POWER_SHIFT
        work.state.standing[count] = p
        count += 1
    movement.size = count
    if movement.path_rule:
        work.paths.clear()
    work.state.standing_count = count
    return True


def find_province(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
    unit: Unit,
) -> int:
    """Return the province of the unit that is exactly as named, or -1."""
    place = place_of.get(native.read_field(unit, UNIT_FIELDS[1]), -1)
    if place < 0:
        return -1
    p = work.tables.province_of[place]
    code = work.state.unit[p]
    if code < 0:
        return -1
    if units[work.judge.movement.at[p]] is unit or pack_unit(place_of, power_of, unit) == code:
        return p
    return -1


# Orders.


def read_order(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
    order: Any,
    checked: bool,
) -> int:
    """Set `read_code`, `read_target` and `read_to`; return the province of the order's unit.

    Returns -1 if it is not an order for one of the units or, if `checked`, is not in the list, or
    has a detail there that the rules ignore.
    """
    order_type = type(order)
    fields = HOLD_FIELDS
    code = codes.HOLD
    target = to = 0
    if order_type is Move:
        fields = MOVE_FIELDS
        code = codes.MOVE_VIA if native.read_field(order, fields[2]) else codes.MOVE
        if checked:
            if native.read_field(order, fields[3]):
                return -1
            if code == codes.MOVE_VIA and work.judge.movement.rules & codes.IGNORES_VIA:
                return -1
        to = place_of.get(native.read_field(order, fields[1]), -1)
    elif order_type is SupportMove:
        fields = SUPPORT_MOVE_FIELDS
        code = codes.SUPPORT_MOVE
        to = place_of.get(native.read_field(order, fields[2]), -1)
        if checked and to >= work.tables.provinces:
            if work.judge.movement.rules & codes.IGNORES_COASTS:
                return -1
    elif order_type is SupportHold:
        fields = SUPPORT_HOLD_FIELDS
        code = codes.SUPPORT_HOLD
    elif order_type is Convoy:
        fields = CONVOY_FIELDS
        code = codes.CONVOY
        to = place_of.get(native.read_field(order, fields[2]), -1)
    elif order_type is not Hold:
        return -1
    if to < 0:
        return -1
    here = find_province(work, place_of, power_of, units, native.read_field(order, fields[0]))
    if here < 0:
        return -1
    if code >= codes.SUPPORT_HOLD:
        unit = native.read_field(order, fields[1])
        target = find_province(work, place_of, power_of, units, unit)
        if target < 0:
            return -1
    if checked and not work.listing.has_order(here, code, target, to):
        return -1
    if order_type is Move and work.judge.movement.path_rule:
        note_path(work, place_of, here, native.read_field(order, fields[3]))
    work.read_code = code
    work.read_target = target
    work.read_to = to
    return here


def note_path(work: Workspace, place_of: Mapping[Location, int], here: int, path: Any) -> None:
    """Note the seas that the order of the army in `here` names, if only these may carry it."""
    if not path and work.judge.movement.path_rule == codes.PATH_ALLOWED:
        return
    seas = []
    for sea in path:
        seas.append(place_of.get(sea, -1))
    work.paths[here] = seas


def bar_fleets(work: Workspace) -> None:
    """Bar the fleets that may not carry their army, because its order names other seas (4.A.6)."""
    movement = work.judge.movement
    for i in range(movement.size):
        movement.barred[i] = 0
        if movement.code[i] == codes.CONVOY:
            seas = work.paths.get(movement.target[i])
            if seas is not None and movement.here[i] not in seas:
                movement.barred[i] = 1


def set_order(work: Workspace, here: int) -> bool:
    """Give the unit in `here` the order that was read; return whether it has no other."""
    movement = work.judge.movement
    i = movement.at[here]
    if movement.code[i] >= 0 and (
        movement.code[i] != work.read_code
        or movement.target[i] != work.read_target
        or movement.to[i] != work.read_to
    ):
        return False
    movement.code[i] = work.read_code
    movement.target[i] = work.read_target
    movement.to[i] = work.read_to
    return True


def read_orders(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
    orders: Iterable[Any],
    checked: bool,
) -> bool:
    """Set the orders of a movement phase; return whether all could be read.

    If `checked`, they must be in the list. No two for one unit may differ.
    """
    if checked:
        work.listing.open_fleets()
    for i in range(work.judge.movement.size):
        work.judge.movement.code[i] = -1
    return add_orders(work, place_of, power_of, units, orders, checked)


def add_orders(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
    orders: Iterable[Any],
    checked: bool,
) -> bool:
    """Set more orders; return whether all could be read."""
    for order in orders:
        here = read_order(work, place_of, power_of, units, order, checked)
        if here < 0 or not set_order(work, here):
            return False
    return True


def build_order(code: int, unit: Unit, target: Unit, to: Location) -> MovementOrder:
    """Return the order with this code."""
    if code == codes.SUPPORT_MOVE:
        return native.build_value(SupportMove, SUPPORT_MOVE_FIELDS, unit, target, to, None)
    if code == codes.MOVE:
        return native.build_value(Move, MOVE_FIELDS, unit, to, False, ())
    if code == codes.SUPPORT_HOLD:
        return native.build_value(SupportHold, SUPPORT_HOLD_FIELDS, unit, target, None, None)
    if code == codes.CONVOY:
        return native.build_value(Convoy, CONVOY_FIELDS, unit, target, to, None)
    if code == codes.MOVE_VIA:
        return native.build_value(Move, MOVE_FIELDS, unit, to, True, ())
    return native.build_value(Hold, HOLD_FIELDS, unit, None, None, None)


# The list of legal orders.


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
    table: Table, units: Sequence[Unit], orders: Sequence[Any], rules: int = 0
) -> list[int]:
    """Return the numbers of those `orders` that are not in the list of legal orders.

    No order is in it if a unit cannot be where it is, or two units share a province. `rules` is as
    for `resolve`.
    """
    work = borrow_workspace(table)
    work.judge.use_rules(rules)
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
    table: Table, units: Sequence[Unit], orders: Sequence[Any], rules: int = 0
) -> "array[int] | None":
    """Return the order row of `orders` if all are in the list and each is the only one for a unit.

    Returns `None` otherwise. `rules` is as for `resolve`.
    """
    work = borrow_workspace(table)
    work.judge.use_rules(rules)
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


# Orders that are not in the list: which must be read, and which are refused anyway.

Separated = tuple[list[Any], list[Any], Workspace, list[int] | None, int, list[tuple[int, int]]]
"""The order that each unit follows, or `None`; the other orders; the workspace; and, if all other
orders are refused however they are read, the units whose orders these are, how many orders are for
no unit of their power, and each fleet that no route of its army needs, with the army.
"""

MUST_READ, REFUSED, FOREIGN, NEEDLESS = 0, 1, 2, 3
"""What is known about an order that is not in the list; a needless convoy is refused, too."""


def mark_unclear(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
    orders: Sequence[Any],
) -> bool:
    """Set the orders in the list, and mark the provinces of others in `closed`.

    The mark is 1 if orders there must be read, 2 if some are refused, and 3 if one is, and it is a
    needless convoy. Sets `keys` to the province of each order, or -1; returns whether all are set.
    """
    movement = work.judge.movement
    clear = True
    work.make_key_room(len(orders))
    if work.listing.is_full:
        raise MemoryError
    count = 0
    work.must_read = False
    work.foreign = 0
    work.listing.open_fleets()
    native.fill(work.closed, 0, work.tables.provinces, 0)
    for i in range(movement.size):
        movement.code[i] = -1
    for order in orders:
        here = read_order(work, place_of, power_of, units, order, True)
        if here < 0:
            clear = False
            here = find_unclear(work, place_of, power_of, order)
        elif not set_order(work, here):
            clear = False
            work.must_read = True
            work.closed[here] = 1
        work.keys[count] = here
        count += 1
    return clear


def find_unclear(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    order: Any,
) -> int:
    """Mark the province of an order that is not in the list; return it if the order must be read.

    Otherwise, or if there is no such province, the result is -1.
    """
    known = find_refusal(work, place_of, power_of, order)
    if known == FOREIGN:
        work.foreign += 1
        return -1
    here = -1
    if not isinstance(order, Waive):
        here = place_of.get(order.unit.province, -1)
    if known == REFUSED and work.closed[here] < 3:
        if not work.closed[here]:
            work.closed[here] = 2
        return -1
    if known == NEEDLESS and not work.closed[here]:
        work.closed[here] = 3
        return -1
    work.must_read = True
    if here >= 0:
        work.closed[here] = 1
    return here


def find_refusal(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    order: Any,
) -> int:
    """Return whether an order that is not in the list is refused however leniently it is read.

    It is if its unit is that of another power, or cannot reach or support where the order says by
    any route or to any coast.
    """
    order_type = type(order)
    target = to = 0
    if order_type is Move:
        to = place_of.get(order.to, -1)
        if order.path:
            return MUST_READ
    elif order_type is SupportMove or order_type is Convoy:
        target = pack_unit(place_of, power_of, order.target)
        to = place_of.get(order.to, -1)
    elif order_type is SupportHold:
        target = pack_unit(place_of, power_of, order.target)
    elif order_type is not Hold:
        return MUST_READ
    code = pack_unit(place_of, power_of, order.unit)
    if code < 0 or target < 0 or to < 0:
        return MUST_READ
    here = work.tables.province_of[code >> codes.PLACE_SHIFT & codes.PLACE_MASK]
    standing = work.state.unit[here]
    if standing < 0 or standing >> codes.POWER_SHIFT != code >> codes.POWER_SHIFT:
        return FOREIGN
    if standing != code:
        return MUST_READ
    goal = work.tables.province_of[to]
    if order_type is Move:
        return REFUSED if is_move_refused(work, here, goal, order.via_convoy) else MUST_READ
    other = work.tables.province_of[target >> codes.PLACE_SHIFT & codes.PLACE_MASK]
    is_there = work.state.unit[other] == target
    if order_type is SupportHold:
        if not is_there or work.tables.can_reach(work.listing.fields[here], other):
            return MUST_READ
        return REFUSED
    if order_type is SupportMove and not work.tables.can_reach(work.listing.fields[here], goal):
        return REFUSED
    if not is_there or to != goal:
        return MUST_READ
    if order_type is SupportMove:
        return MUST_READ if target & 1 else REFUSED
    sea = work.listing.find_sea(here)
    if sea < 0 or target & 1 or not is_detour(work, other, goal, sea):
        return REFUSED
    work.given[here] = other
    work.given[work.tables.provinces + here] = goal
    return NEEDLESS


def is_detour(work: Workspace, here: int, goal: int, sea: int) -> bool:
    """Return whether fleets connect the fleet in `sea` with both ends of a convoy."""
    convoys = work.listing.convoys
    word = work.tables.word_of[sea]
    if not convoys.can_carry(here, goal, -1):
        return False
    if not convoys.reached[word] & work.tables.bit_of[sea]:
        return False
    convoys.find_connected(goal)
    return convoys.reached[word] & work.tables.bit_of[sea] != 0


def is_move_refused(work: Workspace, here: int, goal: int, via: bool) -> bool:
    """Return whether no reading makes a move of the unit in `here` to `goal` legal."""
    near = work.tables.can_reach(work.listing.fields[here], goal)
    if work.state.unit[here] & 1:
        return via or not near
    if work.listing.convoys.can_carry(here, goal, -1):
        return False
    rules = work.judge.movement.rules
    return not near or (via and not rules & (codes.IGNORES_VIA | codes.VIA_CHAIN))


def separate_orders(work: Workspace, orders: Sequence[Any]) -> Separated:
    """Return the order that each unit follows, or `None`, and the orders that must be read.

    The workspace comes last; it has the orders that units follow, and waits for the others.
    """
    movement = work.judge.movement
    followed: list[Any] = [None] * movement.size
    unclear: list[Any] = []
    for k in range(len(orders)):
        order, here = orders[k], work.keys[k]
        if here < 0 or work.closed[here] == 1:
            unclear.append(order)
        else:
            followed[movement.at[here]] = order
    held: list[int] = []
    needless: list[tuple[int, int]] = []
    for i in range(movement.size):
        here = movement.here[i]
        if work.closed[here] == 1:
            movement.code[i] = -1
        elif work.closed[here] and movement.code[i] < 0:
            held.append(i)
            if work.closed[here] == 3 and goes_by_sea(work, here):
                needless.append((i, movement.at[work.given[here]]))
    return followed, unclear, work, None if work.must_read else held, work.foreign, needless


def goes_by_sea(work: Workspace, here: int) -> bool:
    """Return whether the army of the needless convoy in `here` goes by sea as the convoy says."""
    movement = work.judge.movement
    army = work.given[here]
    goal = work.given[work.tables.provinces + here]
    i = movement.at[army]
    if movement.code[i] != codes.MOVE and movement.code[i] != codes.MOVE_VIA:
        return False
    if work.tables.province_of[movement.to[i]] != goal:
        return False
    if movement.code[i] == codes.MOVE_VIA:
        return True
    return not work.tables.can_reach(work.listing.fields[army], goal)
