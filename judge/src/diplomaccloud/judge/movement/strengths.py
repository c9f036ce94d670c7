"""Strengths as ranges from the lowest to the highest value still possible.

Source: DATC 5.B.5 to 5.B.8. Once everything is decided, both ends are equal.
"""

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.movement.convoy import opposed, path_state
from diplomaccloud.judge.movement.state import MovementState, State

Range = tuple[int, int]


def supported_strength(movement: MovementState, unit: int, without: Power | None = None) -> Range:
    """Return 1 plus the supports for `unit`, leaving out those by the power `without`."""
    low = high = 1
    support_ok, powers = movement.support_ok, movement.powers
    for supporter in movement.supporters[unit]:
        state = support_ok[supporter]
        if state is False or (without is not None and powers[supporter] == without):
            continue
        high += 1
        if state:
            low += 1
    return low, high


def attack_strength(movement: MovementState, unit: int) -> Range:
    """Return the strength of a move against the unit at its goal (5.B.8).

    This ignores whether the path is open.
    """
    target = movement.at.get(movement.goals[unit])
    if target is None:
        return supported_strength(movement, unit)
    leaves = movement.move_ok[target]
    if movement.opponent[unit] is not None and leaves is not False:
        stands = opposed(movement, unit)
        leaves = False if stands else None if stands is None else leaves
    if leaves:
        return supported_strength(movement, unit)
    low = strength_against(movement, unit, target)[0]
    if leaves is None:
        return low, supported_strength(movement, unit)[1]
    return low, strength_against(movement, unit, target)[1]


def strength_against(movement: MovementState, unit: int, target: int) -> Range:
    """Return the strength with which `unit` can dislodge `target` if `target` stays."""
    power = movement.powers[target]
    if movement.powers[unit] == power:
        return 0, 0
    low, high = supported_strength(movement, unit, without=power)
    if movement.rules.own_attack_void:
        own = [s for s in movement.supporters[unit] if movement.powers[s] == power]
        if any(movement.support_ok[s] for s in own):
            return 0, 0
        if any(movement.support_ok[s] is None for s in own):
            return 0, high
    return low, high


def hold_strength(movement: MovementState, unit: int) -> Range:
    """Return the strength with which the unit resists being dislodged (5.B.5)."""
    if not movement.goals[unit]:
        return supported_strength(movement, unit)
    leaves = movement.move_ok[unit]
    return (0 if leaves is not False else 1), (0 if leaves else 1)


def find_silencer(movement: MovementState, unit: int) -> int | None:
    """Return the unit that can cancel the prevent strength of `unit` by dislodging it (4.A.7).

    This is its opponent in a head-to-head battle or, under a literal reading of the rules, any
    attacker that comes from its goal.
    """
    if not movement.rules.dislodged_never_prevents:
        return movement.opponent[unit]
    target = movement.at.get(movement.goals[unit])
    swaps = target is not None and movement.goals[target] == movement.provinces[unit]
    return target if swaps else None


def prevent_strength(movement: MovementState, unit: int) -> Range:
    """Return the strength with which a move keeps its rivals out of its goal (5.B.6)."""
    path = path_state(movement, unit)
    beaten = _is_silenced(movement, unit)
    if path is False or beaten:
        return 0, 0
    low, high = supported_strength(movement, unit)
    return (low if path and beaten is False else 0), high


def _is_silenced(movement: MovementState, unit: int) -> State:
    """Return whether another unit cancels the prevent strength of `unit`."""
    silencer = find_silencer(movement, unit)
    if silencer is None or movement.move_ok[silencer] is False:
        return False
    if movement.rules.dislodged_never_prevents:
        # Two units that swap places by convoy do not dislodge each other.
        if movement.move_ok[unit]:
            return False
        return movement.move_ok[silencer] if movement.move_ok[unit] is False else None
    meets = opposed(movement, unit)
    if meets is False:
        return False
    return None if meets is None else movement.move_ok[silencer]


def move_state(movement: MovementState, unit: int) -> State:
    """Return whether a move succeeds (5.B.1)."""
    path = path_state(movement, unit)
    if path is False or unit in movement.paradox_stopped:
        return False
    goal = movement.goals[unit]
    low, high = attack_strength(movement, unit)
    if not path:
        low = 0
    target = movement.at.get(goal)
    least = most = 0
    if target is not None:
        least, most = _resistance(movement, unit, target)
    for rival in movement.rivals[goal]:
        if rival != unit and high > least:
            prevented = prevent_strength(movement, rival)
            least, most = max(least, prevented[0]), max(most, prevented[1])
    if high <= least:
        return False
    return True if low > most else None


def _resistance(movement: MovementState, unit: int, target: int) -> Range:
    """Return the strength with which `target` resists the move; head-to-head, its defense."""
    meets = opposed(movement, unit)
    if meets is not None:
        return (supported_strength if meets else hold_strength)(movement, target)
    defended, held = supported_strength(movement, target), hold_strength(movement, target)
    return min(defended[0], held[0]), max(defended[1], held[1])
