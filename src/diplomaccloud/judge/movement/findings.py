"""Finds what decided each order of a battle: the cause, who it was, and the numbers.

A finding is what sentences and trees of causes are made of; it is cheap, and holds no text.
"""

from enum import Enum
from typing import NamedTuple

from diplomaccloud.judge.convoy_routes import convoy_fleets
from diplomaccloud.judge.movement.convoy import chain_exists, path_state
from diplomaccloud.judge.movement.state import Battle
from diplomaccloud.judge.movement.strengths import (
    attack_strength,
    backing,
    hold_strength,
    prevent_strength,
)
from diplomaccloud.judge.movement.support import cuts_if_it_arrives, spares
from diplomaccloud.judge.orders import Convoy, Hold, Move, SupportHold, SupportMove
from diplomaccloud.judge.results import Outcome


class Why(Enum):
    """What decided an order.

    `outcome` is the word for the result; `blames` says whether the units found are to blame.
    """

    HELD = Outcome.HOLD, "unattacked"
    WITHSTOOD = Outcome.HOLD, "stronger than each attack"
    BELEAGUERED = Outcome.HOLD, "the attacks bounced each other"
    MOVED = Outcome.MOVED, "into a free province"
    DROVE_OUT = Outcome.MOVED, "dislodging a unit"
    HEAD_ON = Outcome.BOUNCED, "came the other way"
    RIVALS = Outcome.BOUNCED, "moved to the same province"
    HELD_OUT = Outcome.BOUNCED, "stood there"
    OWN_UNIT = Outcome.BOUNCED, "its own unit stood there"
    STAYED = Outcome.BOUNCED, "stopped by a paradox rule"
    NO_CHAIN = Outcome.NOPATH, "no chain ordered"
    FLEETS_LOST = Outcome.NOPATH, "the chain broke"
    GIVEN = Outcome.GIVEN, "given"
    CUT = Outcome.CUT, "attacked"
    CUT_DISLODGED = Outcome.CUT, "dislodged from where the support went"
    UNMATCHED = Outcome.VOID, "fits no order"
    CARRIED = Outcome.CONVOYED, "carried"
    OTHER_ROUTE = Outcome.CONVOYED, "not on the route"
    STOOD_READY = Outcome.CONVOYED, "others failed"
    SUNK = Outcome.DISRUPTED, "dislodged"
    DROWNED = Outcome.DISRUPTED, "ended by a paradox rule"

    def __init__(self, outcome: Outcome, _gist: str) -> None:
        self.outcome = outcome
        self.blames = outcome in {Outcome.BOUNCED, Outcome.NOPATH, Outcome.CUT}


class Finding(NamedTuple):
    """Why an order came to what it did; `own` and `theirs` are the strengths that met.

    `units` are those that caused it; of a convoy, the army and then the fleets that failed it.
    `less` says that supports of `own` did not count, being
    of the power whose unit they would have helped to dislodge.
    """

    why: Why
    units: tuple[int, ...] = ()
    own: int = 0
    theirs: int = 0
    less: bool = False


_HELD, _MOVED, _GIVEN = Finding(Why.HELD), Finding(Why.MOVED), Finding(Why.GIVEN)
_STAYED, _NO_CHAIN = Finding(Why.STAYED), Finding(Why.NO_CHAIN)
_UNMATCHED = Finding(Why.UNMATCHED)


def find(battle: Battle, unit: int) -> Finding:
    """Return what decided the unit's order, once every order is decided.

    Says nothing of whether the unit was dislodged; see `driven`.
    """
    match battle.orders[unit]:
        case Hold():
            return _hold(battle, unit)
        case Move():
            return _move(battle, unit)
        case SupportHold() | SupportMove():
            return _support(battle, unit)
        case Convoy():
            return _convoy(battle, unit)


def driven(battle: Battle, unit: int, driver: int) -> tuple[int, int]:
    """Return the strength with which `driver` dislodged `unit`, and that which it met."""
    opposed = battle.facing[driver] is not None
    met = backing(battle, unit) if opposed else hold_strength(battle, unit)
    return attack_strength(battle, driver)[0], met[0]


def cutters(battle: Battle, unit: int) -> list[int]:
    """Return the attackers that cut the unit's support."""
    return [
        one
        for one in battle.attackers(unit)
        if not spares(battle, one, unit)
        and (
            battle.moves[one] or (cuts_if_it_arrives(battle, one, unit) and path_state(battle, one))
        )
    ]


def fleets_lost(battle: Battle, army: int) -> tuple[int, ...]:
    """Return the fleets with orders to carry the army that did not do their part."""
    return tuple(fleet for fleet in battle.routes[army] or () if not battle.sails[fleet])


def carries_it(battle: Battle, fleet: int, army: int) -> bool:
    """Return whether the fleet is part of a route that stayed open for the army."""
    route = battle.routes[army] or ()
    if not battle.sails[fleet] or not path_state(battle, army):
        return False
    if len(route) == 1:
        return True
    seas = frozenset(battle.provinces[one] for one in route if battle.sails[one])
    routes = convoy_fleets(battle.board, seas, battle.provinces[army])
    return battle.provinces[fleet] in routes.get(battle.goals[army], ())


def _hold(battle: Battle, unit: int) -> Finding:
    attackers = battle.attackers(unit)
    if not attackers:
        return _HELD
    foes = [
        one
        for one in attackers
        if battle.powers[one] != battle.powers[unit] and path_state(battle, one)
    ]
    if not foes:
        return _HELD
    held = hold_strength(battle, unit)[0]
    attack = max(attack_strength(battle, foe)[0] for foe in foes)
    if attack <= held:
        return Finding(Why.WITHSTOOD, tuple(foes), held, attack)
    strong = tuple(one for one in attackers if prevent_strength(battle, one)[0] > held)
    if len(strong) < 2:
        return _HELD
    return Finding(Why.BELEAGUERED, strong, held, attack)


# Moves.


def _move(battle: Battle, unit: int) -> Finding:
    if battle.moves[unit]:
        target = battle.at.get(battle.goals[unit])
        if target is None or battle.moves[target]:
            return _MOVED
        return Finding(Why.DROVE_OUT, (target,), *driven(battle, target, unit))
    if not path_state(battle, unit):
        if not chain_exists(battle, unit, battle.routes[unit] or ()):
            return _NO_CHAIN
        return Finding(Why.FLEETS_LOST, fleets_lost(battle, unit))
    if unit in battle.stayed:
        return _STAYED
    return _bounce(battle, unit)


def _bounce(battle: Battle, unit: int) -> Finding:
    goal = battle.goals[unit]
    target = battle.at.get(goal)
    opposed = battle.facing[unit] is not None
    rivals, most = _rivals(battle, unit)
    whole = backing(battle, unit)[0]
    if target is not None and (opposed or not battle.moves[target]):
        if battle.powers[target] == battle.powers[unit]:
            if most < whole:
                return Finding(Why.OWN_UNIT, (target,))
            return Finding(Why.RIVALS, rivals, whole, most)
        attack = attack_strength(battle, unit)[0]
        held = (backing(battle, target) if opposed else hold_strength(battle, target))[0]
        if held >= attack and held >= most:
            why = Why.HEAD_ON if opposed else Why.HELD_OUT
            return Finding(why, (target,), attack, held, attack < whole)
        return Finding(Why.RIVALS, rivals, attack, most, attack < whole)
    return Finding(Why.RIVALS, rivals, whole, most)


def _rivals(battle: Battle, unit: int) -> tuple[tuple[int, ...], int]:
    """Return the strongest of the other moves to the unit's goal, and how strong."""
    strengths = {
        rival: prevent_strength(battle, rival)[0]
        for rival in battle.rivals[battle.goals[unit]]
        if rival != unit
    }
    most = max(strengths.values(), default=0)
    return tuple(rival for rival, strength in strengths.items() if strength == most), most


# Supports and convoys.


def _support(battle: Battle, unit: int) -> Finding:
    if not battle.focus[unit]:
        return _UNMATCHED
    if battle.given[unit]:
        return _GIVEN
    found = cutters(battle, unit)
    arrived = any(cuts_if_it_arrives(battle, one, unit) for one in found)
    return Finding(Why.CUT if arrived else Why.CUT_DISLODGED, tuple(found))


def _convoy(battle: Battle, unit: int) -> Finding:
    army = battle.cargo[unit]
    if army is None:
        return _UNMATCHED
    if path_state(battle, army):
        return Finding(Why.CARRIED if carries_it(battle, unit, army) else Why.OTHER_ROUTE, (army,))
    if battle.sails[unit]:
        return Finding(Why.STOOD_READY, (army, *fleets_lost(battle, army)))
    return Finding(Why.DROWNED if unit in battle.drowned else Why.SUNK, (army,))
