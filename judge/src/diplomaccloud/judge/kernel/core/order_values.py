"""Units and orders of a movement phase, read from ordinary values and built as such."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.units import Unit

from . import codes, native
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

    Returns -1 if it is not an order for one of the units or, if `checked`, is not in the list.
    """
    order_type = type(order)
    fields = HOLD_FIELDS
    code = codes.HOLD
    target = to = 0
    if order_type is Move:
        fields = MOVE_FIELDS
        code = codes.MOVE_VIA if native.read_field(order, fields[2]) else codes.MOVE
        if checked:
            if native.read_field(order, fields[3]) or (work.skip_via and code == codes.MOVE_VIA):
                return -1
        to = place_of.get(native.read_field(order, fields[1]), -1)
    elif order_type is SupportMove:
        fields = SUPPORT_MOVE_FIELDS
        code = codes.SUPPORT_MOVE
        to = place_of.get(native.read_field(order, fields[2]), -1)
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
    movement = work.judge.movement
    if checked:
        work.listing.open_fleets()
    for i in range(movement.size):
        movement.code[i] = -1
    for order in orders:
        here = read_order(work, place_of, power_of, units, order, checked)
        if here < 0 or not set_order(work, here):
            return False
    return True


def set_orders(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
    orders: Iterable[Any],
) -> bool:
    """Set orders that are known to be legal; return whether all are for one of the units."""
    for order in orders:
        here = read_order(work, place_of, power_of, units, order, False)
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
