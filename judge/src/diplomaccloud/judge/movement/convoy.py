"""Convoys: whether the fleets form a chain, and whether an army's path is open."""

from collections.abc import Iterable

from diplomaccloud.judge.convoy_routes import carries, convoy_fleets
from diplomaccloud.judge.movement.state import MovementState, State


def chain_exists(movement: MovementState, army: int, fleets: Iterable[int]) -> bool:
    """Return whether `fleets` form an unbroken chain from the army to its goal."""
    goal = movement.goals[army]
    seas = [movement.provinces[fleet] for fleet in fleets]
    return carries(movement.board, movement.provinces[army], goal, seas)


def convoy_state(movement: MovementState, fleet: int) -> State:
    """Return whether the fleet convoys, which it does unless it is dislodged.

    Source: DATC 5.B.3.
    """
    if fleet in movement.paradox_failed:
        return False
    state: State = True
    for attacker in movement.attackers(fleet):
        if movement.move_ok[attacker]:
            return False
        if movement.move_ok[attacker] is None:
            state = None
    return state


def path_state(movement: MovementState, unit: int, without: int | None = None) -> State:
    """Return whether the path to a move's goal is open, which is always true for moves by land.

    The fleet `without` is treated as absent.

    Source: DATC 5.B.4.
    """
    fleets = movement.routes[unit]
    if fleets is None or unit in movement.land_behind:
        return True
    return route_state(movement, unit, fleets, without)


def convoy_used(movement: MovementState, unit: int) -> State:
    """Return whether the unit goes by convoy: its route holds, or it has no other choice.

    Source: DATC 4.A.3.
    """
    fleets = movement.routes[unit]
    if fleets is None:
        return False
    return route_state(movement, unit, fleets) if unit in movement.land_behind else True


def opposed(movement: MovementState, unit: int) -> State:
    """Return whether the move is part of a head-to-head battle, with neither side by convoy."""
    opponent = movement.opponent[unit]
    if opponent is None:
        return False
    if not movement.land_behind:
        return True
    by_convoy = convoy_used(movement, unit), convoy_used(movement, opponent)
    return False if True in by_convoy else None if None in by_convoy else True


def route_state(
    movement: MovementState, unit: int, fleets: tuple[int, ...], without: int | None = None
) -> State:
    """Return whether the unit's convoy by `fleets` holds, leaving out the fleet `without`.

    Source: DATC 5.B.4; 4.A.1 for the editions in which any broken route disrupts the convoy.
    """
    if without is not None:
        fleets = tuple(fleet for fleet in fleets if fleet != without)
    if movement.rules.any_route_disrupts:
        return _path_of_every_route(movement, unit, fleets)
    convoying = [fleet for fleet in fleets if movement.convoy_ok[fleet]]
    if chain_exists(movement, unit, convoying):
        return True
    possible = [fleet for fleet in fleets if movement.convoy_ok[fleet] is not False]
    if len(possible) > len(convoying) and chain_exists(movement, unit, possible):
        return None
    return False


def _path_of_every_route(movement: MovementState, unit: int, fleets: tuple[int, ...]) -> State:
    goal = movement.goals[unit]
    seas = frozenset(movement.provinces[fleet] for fleet in fleets)
    on_route = convoy_fleets(movement.board, seas, movement.provinces[unit]).get(goal, ())
    if not on_route:
        return False
    states = [movement.convoy_ok[movement.at[sea]] for sea in on_route]
    if False in states:
        return False
    return None if None in states else True


def settle_routes(movement: MovementState) -> None:
    """Keep only the route that was taken, for each army that had two, in a decided phase.

    A fleet whose army took the land route has no convoy, as if the army had been ordered by land.
    """
    if not movement.land_behind:
        return
    for army in movement.land_behind:
        opponent = movement.opponent[army]
        if convoy_used(movement, army):
            if opponent is not None:
                movement.opponent[army] = movement.opponent[opponent] = None
            continue
        for fleet in movement.routes[army] or ():
            movement.cargo[fleet] = None
        movement.routes[army] = None
    for fleet, army_carried in enumerate(movement.cargo):
        if army_carried is None:
            movement.convoy_ok[fleet] = False
            movement.paradox_failed.discard(fleet)
    movement.land_behind.clear()
