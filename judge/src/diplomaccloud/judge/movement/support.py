"""Supports: whether they count or are cut."""

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.movement.convoy import convoy_used, path_state
from diplomaccloud.judge.movement.state import MovementState, State
from diplomaccloud.judge.orders import SupportMove
from diplomaccloud.judge.rules import Paradox


def support_state(movement: MovementState, supporter: int) -> State:
    """Return whether a matched support counts.

    Source: DATC 5.B.2.
    """
    state: State = True
    for attacker in movement.attackers(supporter):
        hit = _would_cut(movement, attacker, supporter)
        if hit is False:
            continue
        # Checked last, because the rule matters only for an attack that would cut the support.
        spared = spares_support(movement, attacker, supporter)
        if hit and spared is False:
            return False
        if not spared:
            state = None
    return state


def _would_cut(movement: MovementState, attacker: int, supporter: int) -> State:
    """Return whether the attack cuts the support, ignoring paradox rules that may spare it."""
    if movement.move_ok[attacker]:
        return True
    cuts = cuts_on_arrival(movement, attacker, supporter)
    if cuts is not False:
        path = path_state(movement, attacker)
        if path is not False:
            return True if cuts and path else None
    return None if movement.move_ok[attacker] is None else False


def cuts_on_arrival(movement: MovementState, attacker: int, supporter: int) -> State:
    """Return whether the attack cuts the support even if it bounces.

    A unit cannot cut support given against itself, unless it comes by convoy and the rules say so
    (4.A.4). In most editions, a power does not cut its own support.
    """
    rules = movement.rules
    own = movement.powers[attacker] == movement.powers[supporter]
    if own and not rules.own_attack_cuts_support:
        return False
    if movement.support_into[supporter] != movement.provinces[attacker]:
        return True
    return convoy_used(movement, attacker) if rules.convoyed_attack_cuts else False


_RULES_THAT_SPARE_SUPPORT = {Paradox.RULE_1971, Paradox.RULE_1982, Paradox.RULE_2000}


def spares_support(movement: MovementState, attacker: int, supporter: int) -> State:
    """Return whether a printed paradox rule keeps the support from being cut (4.A.2).

    These rules take precedence over the rule that a dislodged unit gives no support (6.F.17).
    """
    rule = movement.rules.paradox
    route = movement.routes[attacker]
    if route is None or rule not in _RULES_THAT_SPARE_SUPPORT:
        return False
    fleet = movement.at.get(movement.support_into[supporter])
    if fleet is None or movement.units[supporter].kind is not UnitKind.FLEET:
        return False
    if rule is Paradox.RULE_2000:
        return _convoy_needs_fleet(movement, attacker, route, supporter, fleet)
    if rule is Paradox.RULE_1982:
        return _both_go_by_convoy(movement, attacker, movement.cargo[fleet])
    order = movement.orders[supporter]
    if fleet in route and isinstance(order, SupportMove) and order.target.kind is UnitKind.FLEET:
        return convoy_used(movement, attacker)
    return False


def _both_go_by_convoy(movement: MovementState, attacker: int, army: int | None) -> State:
    """Return whether both the attacker and the army that the fleet convoys go by convoy."""
    if army is None:
        return False
    convoys = convoy_used(movement, attacker), convoy_used(movement, army)
    return False if False in convoys else None if None in convoys else True


def _convoy_needs_fleet(
    movement: MovementState, attacker: int, route: tuple[int, ...], supporter: int, fleet: int
) -> State:
    """Return whether the support is for an attack on a fleet that the convoy needs.

    The convoy does not need the fleet if it works without it (2000 rulebook, rule 22).
    """
    if fleet not in route or not isinstance(movement.orders[supporter], SupportMove):
        return False
    arrives = path_state(movement, attacker, without=fleet)
    return None if arrives is None else not arrives
