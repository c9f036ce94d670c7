"""Finds the reason for the outcome of each order, the units that caused it, and the strengths.

Sentences and trees of causes are built from these findings, which contain no text.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

from diplomaccloud.judge.convoy_routes import convoy_fleets
from diplomaccloud.judge.movement.convoy import chain_exists, path_state
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.strengths import (
    attack_strength,
    hold_strength,
    prevent_strength,
    supported_strength,
)
from diplomaccloud.judge.movement.support import cuts_on_arrival, spares_support
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.results import Outcome


class Reason(Enum):
    """The reason for the outcome of an order.

    `outcome` is the outcome; `blames_units` says whether the units in the finding caused it.
    """

    HELD = Outcome.HOLD, "unattacked"
    WITHSTOOD = Outcome.HOLD, "stronger than each attack"
    BELEAGUERED = Outcome.HOLD, "the attacks bounced each other"
    MOVED = Outcome.MOVED, "into a free province"
    DISLODGED_UNIT = Outcome.MOVED, "dislodging a unit"
    HEAD_TO_HEAD = Outcome.BOUNCED, "lost or drew a head-to-head battle"
    RIVALS = Outcome.BOUNCED, "others moved to the same province"
    OCCUPIED = Outcome.BOUNCED, "a unit stayed there"
    OWN_STAYED = Outcome.BOUNCED, "a unit of the same power stayed there, as a foreign one would"
    OWN_UNIT = Outcome.BOUNCED, "a unit of the same power stayed there"
    PARADOX_STOPPED = Outcome.BOUNCED, "stopped by a paradox rule"
    NO_CHAIN = Outcome.NOPATH, "no complete convoy route was ordered"
    CONVOY_FAILED = Outcome.NOPATH, "the route was disrupted"
    GIVEN = Outcome.GIVEN, "given"
    CUT = Outcome.CUT, "attacked"
    CUT_BY_DISLODGMENT = Outcome.CUT, "dislodged from where the support went"
    UNMATCHED = Outcome.VOID, "matches no order"
    CONVOYED = Outcome.CONVOYED, "convoyed"
    OTHER_ROUTE = Outcome.CONVOYED, "not on the route"
    READY = Outcome.CONVOYED, "other fleets failed"
    FLEET_DISLODGED = Outcome.DISRUPTED, "dislodged"
    PARADOX_FAILED = Outcome.DISRUPTED, "disrupted by a paradox rule"

    def __init__(self, outcome: Outcome, _gist: str) -> None:
        self.outcome = outcome
        self.blames_units = outcome in {Outcome.BOUNCED, Outcome.NOPATH, Outcome.CUT}


class Finding(NamedTuple):
    """The reason for an order's outcome, with the units and strengths involved.

    `units` are the units that caused it; for a convoy, the army and then the fleets that failed.
    `strength` met `resistance`. `discounted` says that `strength` leaves out supports by the
    power whose own unit they would have helped to dislodge.
    """

    reason: Reason
    units: tuple[int, ...] = ()
    strength: int = 0
    resistance: int = 0
    discounted: bool = False


_HELD, _MOVED, _GIVEN = Finding(Reason.HELD), Finding(Reason.MOVED), Finding(Reason.GIVEN)
_STOPPED, _NO_CHAIN = Finding(Reason.PARADOX_STOPPED), Finding(Reason.NO_CHAIN)
_UNMATCHED = Finding(Reason.UNMATCHED)


def find_reason(movement: MovementState, unit: int) -> Finding:
    """Return the reason for the unit's outcome, once every order is decided.

    It does not say whether the unit was dislodged; see `dislodging_strengths`.
    """
    # A lookup table, because matching the classes of each order takes several times longer.
    return _FINDERS[type(movement.orders[unit])](movement, unit)


def dislodging_strengths(movement: MovementState, unit: int, dislodger: int) -> tuple[int, int]:
    """Return the strength with which `dislodger` dislodged `unit`, and the resistance it met."""
    return attack_strength(movement, dislodger)[0], resistance(movement, dislodger, unit)


def resistance(movement: MovementState, unit: int, target: int) -> int:
    """Return the strength with which `target`, at the goal of `unit`, resists the unit's move."""
    head_to_head = movement.opponent[unit] is not None
    met = supported_strength(movement, target) if head_to_head else hold_strength(movement, target)
    return met[0]


def find_cutters(movement: MovementState, unit: int) -> list[int]:
    """Return the attackers that cut the unit's support."""
    return [
        attacker
        for attacker in movement.attackers(unit)
        if not spares_support(movement, attacker, unit)
        and (
            movement.move_ok[attacker]
            or (cuts_on_arrival(movement, attacker, unit) and path_state(movement, attacker))
        )
    ]


def find_failed_fleets(movement: MovementState, army: int) -> tuple[int, ...]:
    """Return the fleets that were ordered to convoy the army but did not."""
    return tuple(fleet for fleet in movement.routes[army] or () if not movement.convoy_ok[fleet])


def is_on_open_route(movement: MovementState, fleet: int, army: int) -> bool:
    """Return whether the fleet is part of a route that stayed open for the army."""
    route = movement.routes[army] or ()
    if not movement.convoy_ok[fleet] or not path_state(movement, army):
        return False
    if len(route) == 1:
        return True
    seas = frozenset(movement.provinces[other] for other in route if movement.convoy_ok[other])
    routes = convoy_fleets(movement.board, seas, movement.provinces[army])
    return movement.provinces[fleet] in routes.get(movement.goals[army], ())


def _hold(movement: MovementState, unit: int) -> Finding:
    attackers = movement.attackers(unit)
    if not attackers:
        return _HELD
    foes = [
        attacker
        for attacker in attackers
        if movement.powers[attacker] != movement.powers[unit] and path_state(movement, attacker)
    ]
    if not foes:
        return _HELD
    held = hold_strength(movement, unit)[0]
    attack = max(attack_strength(movement, foe)[0] for foe in foes)
    if attack <= held:
        return Finding(Reason.WITHSTOOD, tuple(foes), held, attack)
    strong = tuple(foe for foe in attackers if prevent_strength(movement, foe)[0] > held)
    if len(strong) < 2:
        return _HELD
    return Finding(Reason.BELEAGUERED, strong, held, attack)


# Moves.


def _move(movement: MovementState, unit: int) -> Finding:
    if movement.move_ok[unit]:
        target = movement.at.get(movement.goals[unit])
        if target is None or movement.move_ok[target]:
            return _MOVED
        return Finding(
            Reason.DISLODGED_UNIT, (target,), *dislodging_strengths(movement, target, unit)
        )
    if not path_state(movement, unit):
        if not chain_exists(movement, unit, movement.routes[unit] or ()):
            return _NO_CHAIN
        return Finding(Reason.CONVOY_FAILED, find_failed_fleets(movement, unit))
    if unit in movement.paradox_stopped:
        return _STOPPED
    return _bounce(movement, unit)


def _bounce(movement: MovementState, unit: int) -> Finding:
    goal = movement.goals[unit]
    target = movement.at.get(goal)
    head_to_head = movement.opponent[unit] is not None
    rivals, most = _rivals(movement, unit)
    full = supported_strength(movement, unit)[0]
    if target is not None and (head_to_head or not movement.move_ok[target]):
        is_own = movement.powers[target] == movement.powers[unit]
        # Rule 12 decides only if the move would have dislodged a foreign unit.
        attack = full if is_own else attack_strength(movement, unit)[0]
        held = resistance(movement, unit, target)
        if held >= attack and held >= most:
            if is_own and not head_to_head:
                return Finding(Reason.OWN_STAYED, (target,))
            reason = Reason.HEAD_TO_HEAD if head_to_head else Reason.OCCUPIED
            return Finding(reason, (target,), attack, held, attack < full)
        if is_own and most < full:
            return Finding(Reason.OWN_UNIT, (target,))
        return Finding(Reason.RIVALS, rivals, attack, most, attack < full)
    return Finding(Reason.RIVALS, rivals, full, most)


def _rivals(movement: MovementState, unit: int) -> tuple[tuple[int, ...], int]:
    """Return the strongest other moves to the unit's goal, and their strength."""
    strongest: list[int] = []
    most = 0
    for rival in movement.rivals[movement.goals[unit]]:
        if rival != unit:
            strength = prevent_strength(movement, rival)[0]
            if strength > most:
                most = strength
                strongest.clear()
            if strength == most:
                strongest.append(rival)
    return tuple(strongest), most


# Supports and convoys.


def _support(movement: MovementState, unit: int) -> Finding:
    if not movement.support_into[unit]:
        return _UNMATCHED
    if movement.support_ok[unit]:
        return _GIVEN
    cut_by = find_cutters(movement, unit)
    arrived = any(cuts_on_arrival(movement, attacker, unit) for attacker in cut_by)
    return Finding(Reason.CUT if arrived else Reason.CUT_BY_DISLODGMENT, tuple(cut_by))


def _convoy(movement: MovementState, unit: int) -> Finding:
    army = movement.cargo[unit]
    if army is None:
        return _UNMATCHED
    if path_state(movement, army):
        return Finding(
            Reason.CONVOYED if is_on_open_route(movement, unit, army) else Reason.OTHER_ROUTE,
            (army,),
        )
    if movement.convoy_ok[unit]:
        return Finding(Reason.READY, (army, *find_failed_fleets(movement, army)))
    return Finding(
        Reason.PARADOX_FAILED if unit in movement.paradox_failed else Reason.FLEET_DISLODGED,
        (army,),
    )


_FINDERS: Mapping[type[MovementOrder], Callable[[MovementState, int], Finding]] = {
    Hold: _hold,
    Move: _move,
    SupportHold: _support,
    SupportMove: _support,
    Convoy: _convoy,
}
