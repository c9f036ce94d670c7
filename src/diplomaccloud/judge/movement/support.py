"""Supports: whether one counts or is cut."""

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.state import Battle, State
from diplomaccloud.judge.orders import SupportMove
from diplomaccloud.judge.rules import Paradox


def support_state(battle: Battle, supporter: int) -> State:
    """Return whether a matched support counts.

    Source: DATC 5.B.2.
    """
    state: State = True
    for attacker in battle.attackers(supporter):
        spared = spares(battle, attacker, supporter)
        if spared:
            continue
        if spared is None:
            state = None
            continue
        if battle.moves[attacker]:
            return False
        if cuts_if_it_arrives(battle, attacker, supporter):
            path = path_state(battle, attacker)
            if path:
                return False
            if path is None:
                state = None
        elif battle.moves[attacker] is None:
            state = None
    return state


def cuts_if_it_arrives(battle: Battle, attacker: int, supporter: int) -> bool:
    """Return whether the attack cuts the support even if it bounces.

    The unit under attack cannot cut the support given against itself, unless it comes by sea
    and 4.A.4 is so decided; nor does a power cut its own (in most editions).
    """
    rules = battle.rules
    own = battle.powers[attacker] == battle.powers[supporter]
    if own and not rules.own_attack_cuts_support:
        return False
    if battle.focus[supporter] != battle.provinces[attacker]:
        return True
    return rules.convoyed_attack_cuts and battle.routes[attacker] is not None


_SPARING = {Paradox.RULE_1971, Paradox.RULE_1982, Paradox.RULE_2000}


def spares(battle: Battle, attacker: int, supporter: int) -> State:
    """Return whether a printed paradox rule leaves the support uncut (4.A.2).

    These rules go before the one that a dislodged unit gives no support (6.F.17).
    """
    rule = battle.rules.paradox
    route = battle.routes[attacker]
    if route is None or rule not in _SPARING:
        return False
    if battle.units[supporter].kind is not UnitKind.FLEET:
        return False
    fleet = battle.at.get(battle.focus[supporter])
    if fleet is None:
        return False
    if rule is Paradox.RULE_2000:
        return _needs(battle, attacker, route, supporter, fleet)
    if rule is Paradox.RULE_1982:
        return battle.cargo[fleet] is not None
    order = battle.orders[supporter]
    return fleet in route and isinstance(order, SupportMove) and order.target.kind is UnitKind.FLEET


def _needs(
    battle: Battle, attacker: int, route: tuple[int, ...], supporter: int, fleet: int
) -> State:
    """Return whether the support is for an attack on a fleet that the convoy needs.

    It does not need the fleet if it arrives without it (2000 rulebook, rule 22).
    """
    if fleet not in route or not isinstance(battle.orders[supporter], SupportMove):
        return False
    arrives = path_state(battle, attacker, without=fleet)
    return None if arrives is None else not arrives
