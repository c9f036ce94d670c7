"""Orders that are not in the list: which must be read, and which are refused anyway."""

from collections.abc import Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Location, Power
from diplomaccloud.judge.orders import Convoy, Hold, Move, SupportHold, SupportMove, Waive
from diplomaccloud.judge.units import Unit

from . import codes, native
from .order_values import pack_unit, read_order, set_order
from .workspace import Workspace

Separated = tuple[list[Any], list[Any], Workspace, list[int] | None, int]
"""The order that each unit follows, or `None`; the other orders; the workspace; and, if all other
orders are refused however they are read, the units whose orders these are, and how many orders are
for no unit of their power."""

MUST_READ, REFUSED, FOREIGN = 0, 1, 2
"""What is known about an order that is not in the list."""


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
