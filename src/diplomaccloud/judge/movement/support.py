"""Supports: whether one counts or is cut."""

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.movement.battle import Battle, State
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.orders import SupportMove
from diplomaccloud.judge.rules import Paradox


def support_state(battle: Battle, supporter: int) -> State:
    """Return whether a matched support counts.

    Source: DATC 5.B.2.
    """
    state: State = True
    for attacker in battle.attackers(supporter):
        if _spares(battle, attacker, supporter):
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

    The unit under attack cannot cut the support given against itself, nor does a power cut
    its own (in most editions).
    """
    if battle.powers[attacker] == battle.powers[supporter]:
        return battle.rules.own_attack_cuts_support and (
            battle.focus[supporter] != battle.provinces[attacker]
        )
    return battle.focus[supporter] != battle.provinces[attacker]


def _spares(battle: Battle, attacker: int, supporter: int) -> bool:
    """Return whether the paradox rules of 1971 and 1982 leave the support uncut (4.A.2)."""
    rule = battle.rules.paradox
    route = battle.routes[attacker]
    if route is None or rule not in {Paradox.RULE_1971, Paradox.RULE_1982}:
        return False
    if battle.units[supporter].kind is not UnitKind.FLEET:
        return False
    fleet = battle.at.get(battle.focus[supporter])
    if fleet is None:
        return False
    if rule is Paradox.RULE_1982:
        return battle.cargo[fleet] is not None
    order = battle.orders[supporter]
    return fleet in route and isinstance(order, SupportMove) and order.target.kind is UnitKind.FLEET
