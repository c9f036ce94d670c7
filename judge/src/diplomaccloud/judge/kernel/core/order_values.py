"""Units and orders of a movement phase as ordinary values: read, listed and packed.

The orders that are in no list are sorted here, too: which must be read, and which are refused
anyway. `p` is a province.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.kernel.values import Separation
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

from . import codes, native
from .batches import Workspace, borrow_workspace, return_workspace

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET

UNIT_FIELDS = native.find_fields(Unit)
HOLD_FIELDS = native.find_fields(Hold)
MOVE_FIELDS = native.find_fields(Move)
SUPPORT_HOLD_FIELDS = native.find_fields(SupportHold)
SUPPORT_MOVE_FIELDS = native.find_fields(SupportMove)
CONVOY_FIELDS = native.find_fields(Convoy)
SEPARATION_FIELDS = native.find_fields(Separation)

# Units.


def pack_unit(work: Workspace, unit: Unit) -> int:
    """Return a unit as one integer, or -1 if the board has no such place or power."""
    kind = native.read_field(unit, UNIT_FIELDS[0])
    place = work.place_of.get(native.read_field(unit, UNIT_FIELDS[1]), -1)
    power = work.power_of.get(native.read_field(unit, UNIT_FIELDS[2]), -1)
    if place < 0 or power < 0 or (kind is not ARMY and kind is not FLEET):
        return -1
    return power << codes.POWER_SHIFT | place << codes.PLACE_SHIFT | (kind is FLEET)


def read_units(work: Workspace, units: Sequence[Unit]) -> bool:
    """Set the units of a movement phase; return whether each has a province for itself."""
    movement = work.judge.movement
    count = 0
    work.units = units
    native.fill(work.state.unit, 0, work.tables.provinces, -1)
    for unit in units:
        code = pack_unit(work, unit)
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


def find_province(work: Workspace, unit: Unit) -> int:
    """Return the province of the unit that is exactly as named, or -1."""
    place = work.place_of.get(native.read_field(unit, UNIT_FIELDS[1]), -1)
    if place < 0:
        return -1
    p = work.tables.province_of[place]
    code = work.state.unit[p]
    if code < 0:
        return -1
    if work.units[work.judge.movement.at[p]] is unit or pack_unit(work, unit) == code:
        return p
    return -1


# Orders.


def read_order(work: Workspace, order: Any, checked: bool) -> int:
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
        to = work.place_of.get(native.read_field(order, fields[1]), -1)
    elif order_type is SupportMove:
        fields = SUPPORT_MOVE_FIELDS
        code = codes.SUPPORT_MOVE
        to = work.place_of.get(native.read_field(order, fields[2]), -1)
        if checked and to >= work.tables.provinces:
            if work.judge.movement.rules & codes.IGNORES_COASTS:
                return -1
    elif order_type is SupportHold:
        fields = SUPPORT_HOLD_FIELDS
        code = codes.SUPPORT_HOLD
    elif order_type is Convoy:
        fields = CONVOY_FIELDS
        code = codes.CONVOY
        to = work.place_of.get(native.read_field(order, fields[2]), -1)
    elif order_type is not Hold:
        return -1
    if to < 0:
        return -1
    p = find_province(work, native.read_field(order, fields[0]))
    if p < 0:
        return -1
    if code >= codes.SUPPORT_HOLD:
        target = find_province(work, native.read_field(order, fields[1]))
        if target < 0:
            return -1
    if checked and not work.listing.has_order(p, code, target, to):
        return -1
    if order_type is Move and work.judge.movement.path_rule:
        note_path(work, p, native.read_field(order, fields[3]))
    work.read_code = code
    work.read_target = target
    work.read_to = to
    return p


def note_path(work: Workspace, p: int, path: Any) -> None:
    """Note the seas that the order of the army in `p` names, if only these may carry it."""
    if not path and work.judge.movement.path_rule == codes.PATH_ALLOWED:
        return
    work.paths[p] = [work.place_of.get(sea, -1) for sea in path]


def bar_fleets(work: Workspace) -> None:
    """Bar the fleets that may not carry their army, because its order names other seas (4.A.6)."""
    movement = work.judge.movement
    for i in range(movement.size):
        movement.barred[i] = 0
        if movement.code[i] == codes.CONVOY:
            seas = work.paths.get(movement.target[i])
            if seas is not None and movement.here[i] not in seas:
                movement.barred[i] = 1


def set_order(work: Workspace, p: int) -> bool:
    """Give the unit in `p` the order that was read; return whether it has no other."""
    movement = work.judge.movement
    i = movement.at[p]
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


def read_orders(work: Workspace, orders: Iterable[Any], checked: bool) -> bool:
    """Set the orders of a movement phase; return whether all could be read.

    If `checked`, they must be in the list. No two for one unit may differ.
    """
    if checked:
        work.listing.open_fleets()
    for i in range(work.judge.movement.size):
        work.judge.movement.code[i] = -1
    return add_orders(work, orders, checked)


def add_orders(work: Workspace, orders: Iterable[Any], checked: bool) -> bool:
    """Set more orders; return whether all could be read."""
    for order in orders:
        p = read_order(work, order, checked)
        if p < 0 or not set_order(work, p):
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
    board: Board, units: Sequence[Unit], power: Power | None = None
) -> tuple[MovementOrder, ...] | None:
    """Return the legal orders of `units`, or of those of `power`, in a movement phase.

    They come by unit, as `units` are given: the hold, then moves, supports to hold, supports
    of moves, and convoys, each by target and then by destination. Returns `None` if a unit stands
    nowhere or two share a province.
    """
    table = table_of(board)
    work = borrow_workspace(table)
    orders: tuple[MovementOrder, ...] | None = None
    if place_units(work, units):
        work.listing.count = 0
        work.listing.list_movement()
        if work.listing.is_full or work.listing.convoys.is_full:
            raise MemoryError
        orders = build_orders(work, table.location_of, tuple(units), power)
    return_workspace(table, work)
    return orders


def place_units(work: Workspace, units: Sequence[Unit]) -> bool:
    """Set the units to list orders for; return whether each has a province for itself.

    The list does not depend on owners, and a unit may belong to a power that the board lacks.
    """
    count = 0
    native.fill(work.state.unit, 0, work.tables.provinces, -1)
    for unit in units:
        place = work.place_of.get(native.read_field(unit, UNIT_FIELDS[1]), -1)
        if place < 0:
            return False
        p = work.tables.province_of[place]
        if work.state.unit[p] >= 0:
            return False
        kind = native.read_field(unit, UNIT_FIELDS[0]) is FLEET
        work.state.unit[p] = place << codes.PLACE_SHIFT | kind
        work.judge.movement.at[p] = count
        work.judge.movement.here[count] = p
        work.state.standing[count] = p
        count += 1
    work.judge.movement.size = count
    work.state.standing_count = count
    return True


def build_orders(
    work: Workspace, location_of: list[Location], units: tuple[Unit, ...], power: Power | None
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
                target = unit
                if work.listing.rows[at + 1] >= codes.SUPPORT_HOLD:
                    target = units[movement.at[work.listing.rows[at + 2]]]
                place = location_of[work.listing.rows[at + 3]]
                order = build_order(work.listing.rows[at + 1], unit, target, place)
                native.put_value(orders, count, order)
                count += 1
    return native.close_values(orders)


def find_routes(
    board: Board, fleets: Iterable[ProvinceCode], start: ProvinceCode
) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
    """Return the provinces to which `fleets` at sea could convoy an army from `start`.

    Each has the fleets that the convoy could need. A fleet is needed if a chain to the goal breaks
    without it; chains with a shortcut do not count (DATC 6.G.19). If there are too many chains to
    follow, as with dozens of adjacent fleets, every fleet that is connected to `start` counts. A
    fleet that is not at sea is ignored.
    """
    routes: dict[Any, frozenset[Any]] = {}
    if start not in board.by_code:
        return routes
    table = table_of(board)
    work = borrow_workspace(table)
    convoys = work.listing.convoys
    tables = work.tables
    convoys.clear_fleets()
    seas: list[Any] = []
    for sea in fleets:
        p = work.place_of.get(sea, -1)
        if p >= 0 and p < tables.provinces and tables.sea_of[p] >= 0:
            convoys.add_fleet(tables.sea_of[p])
            seas.append(sea)
    p = work.place_of[start]
    if convoys.open_convoys(p):
        convoys.add_routes(p)
        if convoys.is_full:
            raise MemoryError
        for k in range(convoys.route_count):
            needed: list[Any] = []
            for sea in seas:
                number = tables.sea_of[work.place_of[sea]]
                word = k * tables.wide + tables.word_of[number]
                if convoys.route_seas[word] & tables.bit_of[number]:
                    needed.append(sea)
            routes[table.location_of[convoys.routes[2 * k + 1]]] = frozenset(needed)
    return_workspace(table, work)
    return routes


def find_unlisted(
    board: Board, units: Sequence[Unit], orders: Sequence[Any], rules: RuleSet = DEFAULT
) -> Sequence[int]:
    """Return the numbers of orders of a movement phase that must be read to be judged.

    All others are in the list of legal orders, and mean what they say under `rules`. No order is in
    it if a unit cannot be where it is, or two units share a province.
    """
    support = find_support(rules)
    if not support.listed_orders:
        return range(len(orders))
    table = table_of(board)
    work = borrow_workspace(table)
    work.judge.use_rules(support.number)
    clear = read_units(work, units)
    if clear:
        work.listing.open_fleets()
    unlisted: list[int] = []
    for number in range(len(orders)):
        if not clear or read_order(work, orders[number], True) < 0:
            unlisted.append(number)
    return_workspace(table, work)
    return unlisted


def pack_orders(
    board: Board, units: Sequence[Unit], orders: Sequence[Any], rules: RuleSet = DEFAULT
) -> "array[int] | None":
    """Return the order row of `orders` in a movement phase, or `None` if they must be read.

    They need not be if all are in the list of legal orders, and no two for one unit differ. Then
    each of the units can be where it is, and no two share a province.
    """
    support = find_support(rules)
    if not support.listed_orders:
        return None
    table = table_of(board)
    work = borrow_workspace(table)
    work.judge.use_rules(support.number)
    row: array[int] | None = None
    if read_units(work, units) and read_orders(work, orders, True):
        movement = work.judge.movement
        size = work.tables.provinces
        native.fill(work.given, 0, 3 * size, 0)
        for i in range(movement.size):
            if movement.code[i] >= 0:
                p = movement.here[i]
                work.given[p] = movement.code[i]
                work.given[size + p] = movement.target[i]
                work.given[2 * size + p] = movement.to[i]
        row = native.copy_ints(work.given, 3 * size)
    return_workspace(table, work)
    return row


# Orders that are not in the list: which must be read, and which are refused anyway.

MUST_READ, REFUSED, FOREIGN, NEEDLESS = 0, 1, 2, 3
"""What is known about an order that is not in the list; a needless convoy is refused, too."""


def mark_unclear(work: Workspace, orders: Sequence[Any]) -> bool:
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
        p = read_order(work, order, True)
        if p < 0:
            clear = False
            p = find_unclear(work, order)
        elif not set_order(work, p):
            clear = False
            work.must_read = True
            work.closed[p] = 1
        work.keys[count] = p
        count += 1
    return clear


def find_unclear(work: Workspace, order: Any) -> int:
    """Mark the province of an order that is not in the list; return it if the order must be read.

    Otherwise, or if there is no such province, the result is -1.
    """
    known = find_refusal(work, order)
    if known == FOREIGN:
        work.foreign += 1
        return -1
    p = -1
    if not isinstance(order, Waive):
        p = work.place_of.get(order.unit.province, -1)
    if known == REFUSED and work.closed[p] < 3:
        if not work.closed[p]:
            work.closed[p] = 2
        return -1
    if known == NEEDLESS and not work.closed[p]:
        work.closed[p] = 3
        return -1
    work.must_read = True
    if p >= 0:
        work.closed[p] = 1
    return p


def find_refusal(work: Workspace, order: Any) -> int:
    """Return whether an order that is not in the list is refused however leniently it is read.

    It is if its unit is that of another power, or cannot reach or support where the order says by
    any route or to any coast.
    """
    order_type = type(order)
    target = to = 0
    if order_type is Move:
        to = work.place_of.get(order.to, -1)
        if order.path:
            return MUST_READ
    elif order_type is SupportMove or order_type is Convoy:
        target = pack_unit(work, order.target)
        to = work.place_of.get(order.to, -1)
    elif order_type is SupportHold:
        target = pack_unit(work, order.target)
    elif order_type is not Hold:
        return MUST_READ
    code = pack_unit(work, order.unit)
    if code < 0 or target < 0 or to < 0:
        return MUST_READ
    p = work.tables.province_of[code >> codes.PLACE_SHIFT & codes.PLACE_MASK]
    standing = work.state.unit[p]
    if standing < 0 or standing >> codes.POWER_SHIFT != code >> codes.POWER_SHIFT:
        return FOREIGN
    if standing != code:
        return MUST_READ
    goal = work.tables.province_of[to]
    if order_type is Move:
        return REFUSED if is_move_refused(work, p, goal, order.via_convoy) else MUST_READ
    aided = work.tables.province_of[target >> codes.PLACE_SHIFT & codes.PLACE_MASK]
    is_there = work.state.unit[aided] == target
    if order_type is SupportHold:
        if not is_there or work.tables.can_reach(work.listing.fields[p], aided):
            return MUST_READ
        return REFUSED
    if order_type is SupportMove and not work.tables.can_reach(work.listing.fields[p], goal):
        return REFUSED
    if not is_there or to != goal:
        return MUST_READ
    if order_type is SupportMove:
        return MUST_READ if target & 1 else REFUSED
    sea = work.listing.find_sea(p)
    if sea < 0 or target & 1 or not is_detour(work, aided, goal, sea):
        return REFUSED
    work.given[p] = aided
    work.given[work.tables.provinces + p] = goal
    return NEEDLESS


def is_detour(work: Workspace, start: int, goal: int, sea: int) -> bool:
    """Return whether fleets connect the fleet in `sea` with both ends of a convoy."""
    convoys = work.listing.convoys
    word = work.tables.word_of[sea]
    if not convoys.can_carry(start, goal, -1):
        return False
    if not convoys.reached[word] & work.tables.bit_of[sea]:
        return False
    convoys.find_connected(goal)
    return convoys.reached[word] & work.tables.bit_of[sea] != 0


def is_move_refused(work: Workspace, p: int, goal: int, via: bool) -> bool:
    """Return whether no reading makes a move of the unit in `p` to `goal` legal."""
    near = work.tables.can_reach(work.listing.fields[p], goal)
    if work.state.unit[p] & 1:
        return via or not near
    if work.listing.convoys.can_carry(p, goal, -1):
        return False
    rules = work.judge.movement.rules
    return not near or (via and not rules & (codes.IGNORES_VIA | codes.VIA_CHAIN))


def separate_orders(work: Workspace, board: Board, orders: Sequence[Any]) -> Separation:
    """Return the separation of orders that are marked; the workspace waits for the others."""
    movement = work.judge.movement
    followed: list[Any] = [None] * movement.size
    unclear: list[Any] = []
    for k in range(len(orders)):
        order, p = orders[k], work.keys[k]
        if p < 0 or work.closed[p] == 1:
            unclear.append(order)
        else:
            followed[movement.at[p]] = order
    refused: list[int] = []
    needless: list[tuple[int, int]] = []
    for i in range(movement.size):
        p = movement.here[i]
        if work.closed[p] == 1:
            movement.code[i] = -1
        elif work.closed[p] and movement.code[i] < 0:
            refused.append(i)
            if work.closed[p] == 3 and goes_by_sea(work, p):
                needless.append((i, movement.at[work.given[p]]))
    held = None if work.must_read else refused
    made = (followed, unclear, held, work.foreign, needless, board, work)
    return native.set_fields(Separation, SEPARATION_FIELDS, made)


def goes_by_sea(work: Workspace, p: int) -> bool:
    """Return whether the army of the needless convoy in `p` goes by sea as the convoy says."""
    movement = work.judge.movement
    army = work.given[p]
    goal = work.given[work.tables.provinces + p]
    i = movement.at[army]
    if movement.code[i] != codes.MOVE and movement.code[i] != codes.MOVE_VIA:
        return False
    if work.tables.province_of[movement.to[i]] != goal:
        return False
    if movement.code[i] == codes.MOVE_VIA:
        return True
    return not work.tables.can_reach(work.listing.fields[army], goal)
