"""Explains why each attack on a supporting unit did or did not cut the support."""

from collections.abc import Callable, Iterator

from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.findings import find_cutters
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.support import cuts_on_arrival, spares_support
from diplomaccloud.judge.orders import SupportMove
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.rules import Paradox

DislodgmentCause = Callable[[int, int], Cause]


def find_cut_causes(
    movement: MovementState, unit: int, explain_dislodgment: DislodgmentCause
) -> Iterator[Cause]:
    """Yield a node for each attack on the unit, whose support must match an order."""
    cut_by = find_cutters(movement, unit)
    for number in movement.attackers(unit):
        attacker = movement.units[number]
        if number not in cut_by:
            message, sources = _explain_spared(movement, number, unit)
            yield Cause(Topic.SPARED, message, sources, attacker)
        elif cuts_on_arrival(movement, number, unit):
            into = Place(movement.support_into[unit])
            message = Message.of("cut_from_elsewhere", attacker=attacker, place=into)
            yield Cause(Topic.CUT, message, _cut_sources(movement, number, unit), attacker)
        else:
            message = Message.of(
                "cut_by_dislodging", attacker=attacker, supporter=movement.units[unit]
            )
            causes = (explain_dislodgment(unit, number),)
            sources = (rule(14), datc("5.B.2"))
            yield Cause(Topic.CUT, message, sources, attacker, causes=causes)


def _cut_sources(movement: MovementState, attacker: int, unit: int) -> tuple[Source, ...]:
    sources = [rule(13), datc("5.B.2")]
    if movement.dislodger(attacker) is not None:
        sources.insert(1, rule(15))
    route = movement.routes[attacker] or ()
    if (
        isinstance(movement.orders[unit], SupportMove)
        and movement.at.get(movement.support_into[unit]) in route
    ):
        sources.insert(0, rule(22))
    return tuple(sources)


_SPARED = {
    Paradox.RULE_1971: "spared_by_rule_of_1971",
    Paradox.RULE_1982: "spared_by_rule_of_1982",
    Paradox.RULE_2000: "spared_by_rule_of_2000",
}


def find_paradox_causes(movement: MovementState, supporter: int) -> Iterator[Cause]:
    """Yield a node for each attack that a paradox rule kept from cutting a support."""
    for number in movement.attackers(supporter):
        ended = movement.paradox_failed.intersection(movement.routes[number] or ())
        if (ended and not path_state(movement, number)) or (
            path_state(movement, number) and spares_support(movement, number, supporter)
        ):
            message, sources = _explain_spared(movement, number, supporter)
            yield Cause(Topic.SPARED, message, sources, movement.units[number])


def _explain_spared(
    movement: MovementState, number: int, unit: int
) -> tuple[Message, tuple[Source, ...]]:
    """Return the reason why an attack did not cut the support, and the rules behind it."""
    attacker = movement.units[number]
    if not path_state(movement, number):
        if movement.paradox_failed.intersection(movement.routes[number] or ()):
            return Message.of("not_cut_paradox", attacker=attacker), (rule(21), datc("4.A.2"))
        return Message.of("not_cut_no_convoy", attacker=attacker), (datc("5.B.4"),)
    if movement.support_into[unit] == movement.provinces[number]:
        sources = (rule(13), datc("4.A.4" if movement.by_convoy(number) else "5.B.2"))
        return Message.of("not_cut_from_target", attacker=attacker), sources
    if spares_support(movement, number, unit):
        sea = Place(movement.support_into[unit])
        key = _SPARED[movement.rules.paradox]
        message = Message.of(key, attacker=attacker, place=sea)
        return message, (rule(21), datc("4.A.2"))
    return Message.of("not_cut_own_support", attacker=attacker), (rule(16), datc("5.B.2"))
