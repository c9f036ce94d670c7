"""Convoys: whether fleets hold together, and whether an army's path is open."""

from collections.abc import Iterable

from diplomaccloud.judge.convoy_routes import carries, convoy_fleets
from diplomaccloud.judge.movement.state import Battle, State


def chain_exists(battle: Battle, army: int, fleets: Iterable[int]) -> bool:
    """Return whether `fleets` lead without a gap from the army to its goal."""
    goal = battle.goals[army]
    seas = [battle.provinces[fleet] for fleet in fleets]
    return carries(battle.board, battle.provinces[army], goal, seas)


def convoy_state(battle: Battle, fleet: int) -> State:
    """Return whether the fleet does its part: it does unless it is dislodged.

    Source: DATC 5.B.3.
    """
    if fleet in battle.drowned:
        return False
    state: State = True
    for attacker in battle.attackers(fleet):
        if battle.moves[attacker]:
            return False
        if battle.moves[attacker] is None:
            state = None
    return state


def path_state(battle: Battle, unit: int, without: int | None = None) -> State:
    """Return whether the way to a move's goal is open; always so without a convoy.

    The fleet `without` is taken not to be there.

    Source: DATC 5.B.4; 4.A.1 for the editions in which any broken route breaks the convoy.
    """
    fleets = battle.routes[unit]
    if fleets is None:
        return True
    if without is not None:
        fleets = tuple(fleet for fleet in fleets if fleet != without)
    if battle.rules.any_route_disrupts:
        return _path_of_all(battle, unit, fleets)
    whole = [fleet for fleet in fleets if battle.sails[fleet]]
    if chain_exists(battle, unit, whole):
        return True
    hoped = [fleet for fleet in fleets if battle.sails[fleet] is not False]
    if len(hoped) > len(whole) and chain_exists(battle, unit, hoped):
        return None
    return False


def _path_of_all(battle: Battle, unit: int, fleets: tuple[int, ...]) -> State:
    goal = battle.goals[unit]
    seas = frozenset(battle.provinces[fleet] for fleet in fleets)
    on_route = convoy_fleets(battle.board, seas, battle.provinces[unit]).get(goal, ())
    if not on_route:
        return False
    states = [battle.sails[battle.at[sea]] for sea in on_route]
    if False in states:
        return False
    return None if None in states else True
