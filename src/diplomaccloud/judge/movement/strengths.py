"""Strengths as ranges: the least and the most they can still come to.

Source: DATC 5.B.5 to 5.B.8. Once everything is decided both ends are the same number.
"""

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.state import Battle, State

Range = tuple[int, int]


def backing(battle: Battle, unit: int, without: Power | None = None) -> Range:
    """Return 1 and the supports of `unit`, those of the power `without` left out."""
    low = high = 1
    given, powers = battle.given, battle.powers
    for backer in battle.backers[unit]:
        state = given[backer]
        if state is False or (without is not None and powers[backer] == without):
            continue
        high += 1
        if state:
            low += 1
    return low, high


def attack_strength(battle: Battle, unit: int) -> Range:
    """Return the strength of a move against what stands at its goal (5.B.8).

    Leaves its path out of account.
    """
    target = battle.at.get(battle.goals[unit])
    if target is None:
        return backing(battle, unit)
    leaves: State = False if battle.facing[unit] is not None else battle.moves[target]
    if leaves:
        return backing(battle, unit)
    low = against(battle, unit, target)[0]
    if leaves is None:
        return low, backing(battle, unit)[1]
    return low, against(battle, unit, target)[1]


def against(battle: Battle, unit: int, target: int) -> Range:
    """Return the strength with which `unit` can dislodge `target`, should that one stay."""
    power = battle.powers[target]
    if battle.powers[unit] == power:
        return 0, 0
    low, high = backing(battle, unit, without=power)
    if battle.rules.own_attack_void:
        mine = [b for b in battle.backers[unit] if battle.powers[b] == power]
        if any(battle.given[b] for b in mine):
            return 0, 0
        if any(battle.given[b] is None for b in mine):
            return 0, high
    return low, high


def hold_strength(battle: Battle, unit: int) -> Range:
    """Return the strength with which the unit resists being dislodged (5.B.5)."""
    if not battle.goals[unit]:
        return backing(battle, unit)
    moves = battle.moves[unit]
    return (0 if moves is not False else 1), (0 if moves else 1)


def silencer(battle: Battle, unit: int) -> int | None:
    """Return the unit that, by dislodging `unit`, keeps it from standing others off (4.A.7).

    That is its opponent in a head-to-head battle, or where the rules are read to the letter
    any unit that comes from where it goes.
    """
    if not battle.rules.dislodged_never_prevents:
        return battle.facing[unit]
    other = battle.at.get(battle.goals[unit])
    coming = other is not None and battle.goals[other] == battle.provinces[unit]
    return other if coming else None


def prevent_strength(battle: Battle, unit: int) -> Range:
    """Return the strength with which a move keeps its rivals out of its goal (5.B.6)."""
    path = path_state(battle, unit)
    opponent = silencer(battle, unit)
    beaten: State = False if opponent is None else battle.moves[opponent]
    if path is False or beaten:
        return 0, 0
    low, high = backing(battle, unit)
    return (low if path and beaten is False else 0), high


def move_state(battle: Battle, unit: int) -> State:
    """Return whether a move succeeds (5.B.1)."""
    path = path_state(battle, unit)
    if path is False or unit in battle.stayed:
        return False
    goal = battle.goals[unit]
    low, high = attack_strength(battle, unit)
    if not path:
        low = 0
    target = battle.at.get(goal)
    least = most = 0
    if target is not None:
        opposed = battle.facing[unit] is not None
        least, most = backing(battle, target) if opposed else hold_strength(battle, target)
    for rival in battle.rivals[goal]:
        if rival != unit and high > least:
            prevented = prevent_strength(battle, rival)
            least, most = max(least, prevented[0]), max(most, prevented[1])
    if high <= least:
        return False
    return True if low > most else None
