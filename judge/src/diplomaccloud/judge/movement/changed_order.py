"""Decides a movement phase again after one order changed, as far as that order has an effect.

A unit's equations read the orders of a few units near it. The general resolver decides the units
that read the changed order, directly or through others, again. All other units keep their
results, because nothing that they depend on has changed.
"""

from collections.abc import Iterator

from diplomaccloud.judge.movement.resolver import decide_orders, resolve
from diplomaccloud.judge.movement.setup import may_reroute, set_up_movement
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import MovementOrder


def resolve_changed_order(
    movement: MovementState, unit: int, order: MovementOrder
) -> MovementState:
    """Return the decided `movement` with another order for the unit."""
    orders = list(movement.orders)
    orders[unit] = order
    if may_reroute(movement.rules):
        return resolve(movement.board, movement.rules, orders)
    changed = set_up_movement(movement.board, movement.rules, orders)
    affected = find_affected(movement, changed)
    for i in range(len(orders)):
        if i not in affected:
            changed.move_ok[i] = movement.move_ok[i]
            changed.support_ok[i] = movement.support_ok[i]
            changed.convoy_ok[i] = movement.convoy_ok[i]
    changed.paradox_failed |= movement.paradox_failed - affected
    changed.paradox_stopped |= movement.paradox_stopped - affected
    decide_orders(changed)
    return changed


def find_affected(before: MovementState, after: MovementState) -> set[int]:
    """Return the units whose orders may be decided differently."""
    readers: list[list[int]] = [[] for _ in after.units]
    affected = set()
    for i in range(len(after.units)):
        for read in _list_units_read(after, i):
            readers[read].append(i)
        if _describe_setup(before, i) != _describe_setup(after, i):
            affected.add(i)
    queue = list(affected)
    while queue:
        for reader in readers[queue.pop()]:
            if reader not in affected:
                affected.add(reader)
                queue.append(reader)
    return affected


def _describe_setup(movement: MovementState, i: int) -> tuple[object, ...]:
    """Return everything that is known about the unit before anything is decided."""
    return (
        movement.orders[i],
        movement.goals[i],
        movement.attackers(i),
        movement.rivals.get(movement.goals[i]),
        movement.opponent[i],
        movement.supporters[i],
        movement.support_into[i],
        movement.routes[i],
        movement.cargo[i],
    )


def _list_units_read(movement: MovementState, i: int) -> Iterator[int]:
    """Yield the units that the equations of the unit's order read, possibly more than once."""
    at = movement.at
    involved = [i, *movement.attackers(i), *movement.rivals.get(movement.goals[i], ())]
    for province in (movement.goals[i], movement.support_into[i]):
        if province in at:
            involved.append(at[province])
    for unit in involved:
        yield unit
        yield from movement.supporters[unit]
        yield from movement.routes[unit] or ()
        # The unit that fights a rival head-to-head, which may dislodge it.
        if movement.goals[unit] in at:
            yield at[movement.goals[unit]]
