"""Explains why each attack on a supporting unit did or did not cut the support."""

from collections.abc import Callable, Iterator

from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.orders import SupportMove
from diplomaccloud.judge.reasons.facts import DecidedPhase
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.rules import Paradox


def find_cut_causes(
    phase: DecidedPhase, unit: int, explain_dislodgment: Callable[[int, int], Cause]
) -> Iterator[Cause]:
    """Yield a node for each attack on the unit, whose support must match an order."""
    cut_by = phase.find_cutters(unit)
    for number in phase.attackers(unit):
        attacker = phase.units[number]
        if number not in cut_by:
            message, sources = _explain_spared(phase, number, unit)
            yield Cause(Topic.SPARED, message, sources, attacker)
        elif phase.facts[number].cuts:
            into = Place(phase.find_supported_province(unit) or "")
            message = Message.of("cut_from_elsewhere", attacker=attacker, place=into)
            yield Cause(Topic.CUT, message, _cut_sources(phase, number, unit), attacker)
        else:
            supporter = phase.units[unit]
            message = Message.of("cut_by_dislodging", attacker=attacker, supporter=supporter)
            causes = (explain_dislodgment(unit, number),)
            sources = (rule(14), datc("5.B.2"))
            yield Cause(Topic.CUT, message, sources, attacker, causes=causes)


def _cut_sources(phase: DecidedPhase, attacker: int, unit: int) -> tuple[Source, ...]:
    sources = [rule(13), datc("5.B.2")]
    if phase.dislodger(attacker) is not None:
        sources.insert(1, rule(15))
    fleet = phase.at.get(phase.find_supported_province(unit) or "")
    if isinstance(phase.orders[unit], SupportMove) and fleet in phase.find_route(attacker):
        sources.insert(0, rule(22))
    return tuple(sources)


_SPARED = {
    Paradox.RULE_1971: "spared_by_rule_of_1971",
    Paradox.RULE_1982: "spared_by_rule_of_1982",
    Paradox.RULE_2000: "spared_by_rule_of_2000",
}


def find_paradox_causes(phase: DecidedPhase, supporter: int) -> Iterator[Cause]:
    """Yield a node for each attack that a paradox rule kept from cutting a support."""
    for number in phase.attackers(supporter):
        facts = phase.facts[number]
        if facts.is_spared if facts.path_open else _is_in_paradox(phase, number):
            message, sources = _explain_spared(phase, number, supporter)
            yield Cause(Topic.SPARED, message, sources, phase.units[number])


def _is_in_paradox(phase: DecidedPhase, army: int) -> bool:
    """Return whether the paradox rule disrupted a convoy of the army."""
    return any(phase.facts[fleet].in_paradox for fleet in phase.find_route(army))


def _explain_spared(
    phase: DecidedPhase, number: int, unit: int
) -> tuple[Message, tuple[Source, ...]]:
    """Return the reason why an attack did not cut the support, and the rules behind it."""
    attacker, facts = phase.units[number], phase.facts[number]
    into = phase.find_supported_province(unit) or ""
    if not facts.path_open:
        if _is_in_paradox(phase, number):
            return Message.of("not_cut_paradox", attacker=attacker), (rule(21), datc("4.A.2"))
        return Message.of("not_cut_no_convoy", attacker=attacker), (datc("5.B.4"),)
    if into == attacker.province:
        sources = (rule(13), datc("4.A.4" if facts.by_convoy else "5.B.2"))
        return Message.of("not_cut_from_target", attacker=attacker), sources
    if facts.is_spared:
        key = _SPARED[phase.rules.paradox]
        message = Message.of(key, attacker=attacker, place=Place(into))
        return message, (rule(21), datc("4.A.2"))
    return Message.of("not_cut_own_support", attacker=attacker), (rule(16), datc("5.B.2"))
