"""Reads, lists and decides the orders of one movement phase of ordinary values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.kernel.layout import OUTCOMES, unpack_unit
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.results import Outcome
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

Dislodgement = tuple[int, int, list[int]]
"""A unit's number, the province its attacker came from, and the places it may retreat to."""

Resolved = tuple[
    tuple[Outcome, ...],
    Sequence[int],
    list[int],
    list[int],
    tuple[Unit, ...],
    list[Dislodgement],
    bool,
    "Closed | None",
]

Closed = tuple[tuple[tuple[ProvinceCode, Power], ...], bool, bool]
"""The centers that change hands, whether a power has won, and whether one has to adjust."""

Separated = tuple[list[Any], list[Any], Workspace, list[int] | None, int]
"""The order that each unit follows, or `None`; the other orders; the workspace; and, if all other
orders are refused however they are read, the units whose orders these are, and how many orders are
for no unit of their power."""

MUST_READ, REFUSED, FOREIGN = 0, 1, 2
"""What is known about an order that is not in the list."""


def resolve(
    table: Table,
    units: Sequence[Unit],
    orders: Iterable[Order],
    checked: bool = True,
    rules: int = 0,
    skip_via: bool = False,
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
    If `skip_via`, a move "via convoy" counts as not in the list.
    """
    work = borrow_workspace(table)
    resolved = None
    work.judge.movement.use_rules(rules)
    work.skip_via = skip_via
    if read_units(work, table.place_of, table.power_of, units):
        if read_orders(work, table.place_of, table.power_of, units, orders, checked):
            resolved = decide(work, table, units)
    return_workspace(table, work)
    return resolved


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
    work.read_code = code
    work.read_target = target
    work.read_to = to
    return here


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


def resolve_listed(
    table: Table,
    units: Sequence[Unit],
    orders: Sequence[Any],
    rules: int = 0,
    skip_via: bool = False,
    centers: Mapping[ProvinceCode, Power] | None = None,
) -> Resolved | Separated | None:
    """Decide the orders of one movement phase if all are in the list, otherwise separate them.

    A unit follows its order if that is in the list, and every order for it is the same. All other
    orders are to be read, those for the same units too, unless all of them would be refused;
    `resolve_rest` then decides. `rules` and `skip_via` are as for `resolve`. If `centers` are
    given, with their owners, what follows from them comes last, as from `close_year`, unless a
    unit has to retreat. Returns `None` if a unit cannot be where it is, or two units share a
    province.
    """
    work = borrow_workspace(table)
    work.judge.movement.use_rules(rules)
    work.skip_via = skip_via
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
    if set_orders(work, table.place_of, table.power_of, units, orders):
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
    work.judge.cycle.resolve_orders()


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


def mark_unclear(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    units: Sequence[Unit],
    orders: Sequence[Any],
) -> bool:
    """Set the orders in the list, and mark the provinces of others in `closed`.

    The mark is 1 if orders there must be read, and 2 if some are refused. Sets `keys` to the
    province of each order, or -1; returns whether all are set.
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
    if known == REFUSED:
        if not work.closed[here]:
            work.closed[here] = 2
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
    if order_type is SupportHold:
        goal = work.tables.province_of[target >> codes.PLACE_SHIFT & codes.PLACE_MASK]
        if work.state.unit[goal] != target:
            return MUST_READ
    elif order_type is not SupportMove:
        return MUST_READ
    return MUST_READ if work.tables.can_reach(work.listing.fields[here], goal) else REFUSED


def is_move_refused(work: Workspace, here: int, goal: int, via: bool) -> bool:
    """Return whether no reading makes a move of the unit in `here` to `goal` legal."""
    near = work.tables.can_reach(work.listing.fields[here], goal)
    if work.state.unit[here] & 1:
        return via or not near
    if work.listing.convoys.can_carry(here, goal, -1):
        return False
    needless = via and not work.skip_via and not work.judge.movement.rules & codes.VIA_CHAIN
    return needless or not near


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
    for i in range(movement.size):
        if work.closed[movement.here[i]] == 1:
            movement.code[i] = -1
        elif work.closed[movement.here[i]] and movement.code[i] < 0:
            held.append(i)
    return followed, unclear, work, None if work.must_read else held, work.foreign


# The end of the year.


def close_year(
    table: Table, units: Sequence[Unit], centers: Mapping[ProvinceCode, Power]
) -> Closed | None:
    """Return what follows from where units stand after Fall, and from who owned the centers.

    A power has won if it alone leads with enough centers. Returns `None` if a unit or a center
    is not one of the board, or two units share a province.
    """
    work = borrow_workspace(table)
    closed = None
    if read_units(work, table.place_of, table.power_of, units):
        closed = close_state(work, table, centers)
    return_workspace(table, work)
    return closed


def close_state(
    work: Workspace, table: Table, centers: Mapping[ProvinceCode, Power]
) -> Closed | None:
    """Return what follows from the units of the state, and from who owned the centers."""
    if not read_owners(work, table.place_of, table.power_of, centers):
        return None
    taken = take_centers(work, table)
    work.judge.by_pieces = False
    work.state.winner = -1
    work.judge.close_year()
    return taken, work.state.winner >= 0, work.state.phase == codes.ADJUSTMENTS


def read_owners(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    centers: Mapping[Any, Any],
) -> bool:
    """Set the owners of centers; return whether all are of the board."""
    native.fill(work.state.owner, 0, work.tables.provinces, -1)
    for center, power in centers.items():
        p = place_of.get(center, -1)
        owner = power_of.get(power, -1)
        if p < 0 or p >= work.tables.provinces or owner < 0:
            return False
        work.state.owner[p] = owner
    return True


def take_centers(work: Workspace, table: Table) -> tuple[tuple[ProvinceCode, Power], ...]:
    """Return the centers with a unit of another power than their owner, sorted."""
    taken: list[Any] = []
    for p in range(work.tables.provinces):
        power = work.state.unit[p] >> codes.POWER_SHIFT
        if work.tables.centers[p] and power >= 0 and work.state.owner[p] != power:
            taken.append((table.location_of[p], table.powers[power]))
    taken.sort()
    return tuple(taken)


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


# Results.


def find_results(
    work: Workspace,
    table: Table,
    units: Sequence[Unit],
    centers: Mapping[ProvinceCode, Power] | None,
) -> Resolved:
    """Return what `resolve` returns, of orders that are decided."""
    movement = work.judge.movement
    tables = work.tables
    outcomes = native.open_values(movement.size)
    dislodged: list[Dislodgement] = []
    native.fill(work.closed, 0, tables.provinces, 0)
    native.fill(work.standing, 0, 2 * tables.places, -1)
    counts = work.judge.counts
    native.fill(counts, 0, tables.powers, 0)
    losers = movement.find_results()
    paradox = stood = 0
    for i in range(movement.size):
        native.put_value(outcomes, i, OUTCOMES[movement.outcome[i]])
        paradox |= movement.paradox_failed[i] | movement.paradox_stopped[i]
        if movement.dislodger[i] < 0:
            place = movement.place[i]
            if movement.outcome[i] == codes.MOVED:
                place = movement.to[i]
            work.closed[tables.province_of[place]] = 1
            work.standing[movement.kind[i] * tables.places + tables.alphabet[place]] = i
            stood += 1
            counts[movement.power[i]] += 1
    pieces = stood
    standoffs: list[int] = []
    for k in range(movement.mover_count):
        p = movement.goal[movement.movers[k]]
        if not work.closed[p] and movement.is_standoff(p):
            work.closed[p] = 1
            standoffs.append(p)
    if losers > 0:
        for i in range(movement.size):
            if movement.dislodger[i] >= 0:
                entry = find_retreats(work, i, movement.dislodger[i])
                dislodged.append(entry)
                if entry[2]:
                    counts[movement.power[i]] += 1
                    pieces += 1
    leads = False
    for power in range(tables.powers):
        if 2 * counts[power] > pieces:
            leads = True
    marks = find_marks(work) if paradox else []
    standing = find_standing(work, table, units, stood)
    closed = None
    if centers is not None and pieces == stood:
        move_units(work)
        closed = close_state(work, table, centers)
    return (
        native.close_values(outcomes),
        native.copy_ints(movement.answers, movement.size),
        marks,
        standoffs,
        standing,
        dislodged,
        leads,
        closed,
    )


def move_units(work: Workspace) -> None:
    """Set the units of the state to those that were not dislodged, where they are now."""
    movement = work.judge.movement
    native.fill(work.state.unit, 0, work.tables.provinces, -1)
    for i in range(movement.size):
        if movement.dislodger[i] < 0:
            place = movement.place[i]
            if movement.outcome[i] == codes.MOVED:
                place = movement.to[i]
            work.state.unit[work.tables.province_of[place]] = movement.pack_unit(i, place)


def find_marks(work: Workspace) -> list[int]:
    """Return the marks of the paradox rule, by unit."""
    movement = work.judge.movement
    marks: list[int] = []
    for i in range(movement.size):
        marks.append(movement.paradox_failed[i] + 2 * movement.paradox_stopped[i])
    return marks


def find_standing(
    work: Workspace, table: Table, units: Sequence[Unit], count: int
) -> tuple[Unit, ...]:
    """Return the `count` units that were not dislodged where they are now, sorted."""
    movement = work.judge.movement
    known = table.units
    standing = native.open_values(count)
    count = 0
    for k in range(2 * work.tables.places):
        i = work.standing[k]
        if i < 0:
            continue
        unit: Unit | None = units[i]
        if movement.outcome[i] == codes.MOVED:
            code = movement.pack_unit(i, movement.to[i])
            unit = known.get(code)
            if unit is None:
                unit = unpack_unit(table, code)
                known[code] = unit
        native.put_value(standing, count, unit)
        count += 1
    return native.close_values(standing)


def find_retreats(work: Workspace, i: int, attacker: int) -> Dislodgement:
    """Return the unit, where its attacker came from, and the places it may retreat to."""
    movement = work.judge.movement
    tables = work.tables
    source = movement.here[attacker]
    reopens = movement.rules & codes.REOPENS and movement.routed[attacker]
    barred = -1 if reopens else source
    row = movement.kind[i] * tables.places + movement.place[i]
    places: list[int] = []
    for k in range(tables.near_at[row], tables.near_at[row + 1]):
        to = tables.near[k]
        p = tables.province_of[to]
        if not work.closed[p] and p != barred:
            places.append(to)
    return i, source, places
