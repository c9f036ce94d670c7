"""Explains the strengths in a decided movement phase, the supports behind them, and their cuts."""

from collections.abc import Callable, Iterator

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.messages.values import Message, Parameter, Place, PowerName, join_sentences
from diplomaccloud.judge.orders import SupportHold, SupportMove
from diplomaccloud.judge.reasons.facts import DecidedPhase
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule
from diplomaccloud.judge.reasons.values import Cause, OrderedSupport, Side, Strength, Topic
from diplomaccloud.judge.rules import Paradox
from diplomaccloud.judge.units import Unit

Supports = tuple[OrderedSupport, ...]


def explain_attack(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength of a move against the unit at its goal."""
    facts = phase.facts[unit]
    value = facts.attack if facts.path_open else 0
    target = _find_target(phase, unit)
    spared = None if target is None else phase.units[target].power
    sources = [datc("5.B.8")]
    place = Place(phase.goals[unit])
    if target is not None and phase.units[unit].power == spared:
        if facts.path_open and facts.support <= phase.find_resistance(unit, target):
            # The move would have failed against a foreign unit, too.
            value, supports = facts.support, _find_supports(phase, unit)
            message = _describe(phase, "attack_strength", unit, value, supports, place=place)
            return _node(phase, Side.ATTACK, unit, value, message, *sources, supports=supports)
        message = _attack_on_own_unit(phase, unit, target, value)
        return _node(phase, Side.ATTACK, unit, value, message, *sources, rule(12))
    supports = _find_supports(phase, unit, spared)
    if any(support.unit.power == spared for support in supports):
        sources.append(rule(12))
    if facts.path_open:
        message = _describe(phase, "attack_strength", unit, value, supports, place=place)
    else:
        named = phase.units[unit]
        message = Message.of("attack_without_convoy", unit=named, place=place, value=value)
    return _node(phase, Side.ATTACK, unit, value, message, *sources, supports=supports)


def _find_target(phase: DecidedPhase, unit: int) -> int | None:
    """Return the unit that a move would have to dislodge, if any."""
    target = phase.at.get(phase.goals[unit])
    if target is None or (phase.moves(target) and not phase.facts[unit].head_to_head):
        return None
    return target


def _attack_on_own_unit(phase: DecidedPhase, unit: int, target: int, value: int) -> Message:
    """Return the strength against a unit of the same power, and against others moving there.

    The second number is the one compared with the others; a bare 0 would contradict it. It has
    supports, because without them a move is no stronger than any unit that stays.
    """
    place, attacked = Place(phase.goals[unit]), phase.units[target]
    facts = phase.facts[unit]
    if not facts.path_open or len(phase.rivals[phase.goals[unit]]) < 2:
        return Message.of(
            "attack_on_own_unit",
            unit=phase.units[unit],
            place=place,
            value=value,
            target=attacked,
        )
    supports, against = _find_supports(phase, unit), facts.support
    key = "attack_on_own_unit_with_rivals"
    return _describe(
        phase, key, unit, value, supports, place=place, target=attacked, against=against
    )


def explain_hold(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength with which a unit held its province."""
    value, supports = phase.facts[unit].hold, _find_supports(phase, unit, holding=True)
    key = "hold_strength_after_move" if phase.goals[unit] else "hold_strength"
    message = _describe(phase, key, unit, value, supports)
    sources = datc("5.B.5"), rule(8)
    return _node(phase, Side.HOLD, unit, value, message, *sources, supports=supports)


def explain_defense(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength of a move against its opponent in a head-to-head battle."""
    value, supports = phase.facts[unit].support, _find_supports(phase, unit)
    message = _describe(phase, "defend_strength", unit, value, supports)
    sources = datc("5.B.7"), rule(6)
    return _node(phase, Side.DEFEND, unit, value, message, *sources, supports=supports)


def explain_prevention(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength with which a move kept others out of its goal."""
    value, supports = phase.facts[unit].prevent, _find_supports(phase, unit)
    place = Place(phase.goals[unit])
    sources = [datc("5.B.6")]
    if value:
        if phase.dislodger(unit) is not None:
            sources.append(rule(10))
        message = _describe(phase, "prevent_strength", unit, value, supports, place=place)
    else:
        key = "prevent_dislodged" if phase.facts[unit].path_open else "prevent_without_convoy"
        sources += [rule(11), datc("4.A.7")] if phase.facts[unit].path_open else [datc("5.B.4")]
        message = Message.of(key, unit=phase.units[unit], place=place, value=value)
    return _node(phase, Side.PREVENT, unit, value, message, *sources, supports=supports)


def _node(
    phase: DecidedPhase,
    side: Side,
    number: int,
    value: int,
    message: Message,
    *sources: Source,
    supports: Supports = (),
) -> Cause:
    unit = phase.units[number]
    counted = [phase.at[support.unit.province] for support in supports if support.counts]
    causes = tuple(cause for i in counted for cause in find_paradox_causes(phase, i))
    strength = Strength(side, unit, value, supports)
    return Cause(Topic.STRENGTH, message, sources, unit, strength, causes=causes)


def _describe(
    phase: DecidedPhase,
    key: str,
    unit: int,
    value: int,
    supports: Supports,
    **parameters: Parameter,
) -> Message:
    """Return a message about a strength and the supports that did or did not count."""
    counted = tuple(support.unit for support in supports if support.counts)
    parameters = {"unit": phase.units[unit], "value": value, **parameters}
    if counted:
        strength = Message.of(f"{key}_supported", **parameters, supporters=counted)
    else:
        strength = Message.of(key, **parameters)
    return join_sentences([strength, *_describe_not_counted(supports)])


def _describe_not_counted(supports: Supports) -> Iterator[Message]:
    """Yield the reasons why supports do not count, with one message per reason."""
    supporters: dict[Message, list[Unit]] = {}
    for support in supports:
        if support.why_not is not None:
            parameters = {**support.why_not.parameters}
            del parameters["supporters"]
            reason = Message(support.why_not.key, parameters)
            supporters.setdefault(reason, []).append(support.unit)
    for reason, units in supporters.items():
        yield Message(reason.key, {"supporters": tuple(units), **reason.parameters})


def _find_supports(
    phase: DecidedPhase, unit: int, spared: Power | None = None, holding: bool = False
) -> Supports:
    """Return every support ordered for the unit; supports by the power `spared` don't count."""
    return tuple(
        OrderedSupport(phase.units[number], _find_why_not(phase, number, order, spared))
        for number, order in enumerate(phase.orders)
        if isinstance(order, SupportHold | SupportMove)
        and order.target == phase.units[unit]
        and not (
            holding
            and isinstance(order, SupportMove)
            and phase.find_supported_province(number) is not None
        )
    )


def _find_why_not(
    phase: DecidedPhase, number: int, order: SupportHold | SupportMove, spared: Power | None
) -> Message | None:
    """Return why the support does not count, or `None` if it does."""
    supporters = (phase.units[number],)
    target = phase.at[order.target.province]
    if phase.find_supported_province(number) is None:
        unit = phase.units[target]
        if isinstance(order, SupportHold):
            return Message.of("support_of_moving_unit", supporters=supporters, target=unit)
        matches = phase.goals[target] == order.to
        key = "support_without_convoy" if matches else "support_of_other_order"
        return Message.of(key, supporters=supporters, target=unit, place=Place(order.to))
    if not phase.facts[number].succeeds:
        attackers = tuple(phase.units[cutter] for cutter in phase.find_cutters(number))
        return Message.of("support_was_cut", supporters=supporters, attackers=attackers)
    if spared is None:
        return None
    if phase.units[number].power == spared:
        key = "support_against_own_unit"
    elif phase.rules.own_attack_void and _has_support_of(phase, target, spared):
        key = "support_in_void_attack"
    else:
        return None
    return Message.of(key, supporters=supporters, power=PowerName(spared))


def _has_support_of(phase: DecidedPhase, unit: int, power: Power) -> bool:
    """Return whether a support by the power counts for the unit."""
    return any(
        phase.units[number].power == power
        and phase.facts[number].succeeds
        and isinstance(order, SupportHold | SupportMove)
        and order.target == phase.units[unit]
        for number, order in enumerate(phase.orders)
    )


# Attacks on supporting units.


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
        if phase.is_spared_in_paradox(number) or _is_in_paradox(phase, number):
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
    is_spared = phase.is_spared_in_paradox(number)
    if not facts.path_open and not is_spared:
        if _is_in_paradox(phase, number):
            return Message.of("not_cut_paradox", attacker=attacker), (rule(21), datc("4.A.2"))
        return Message.of("not_cut_no_convoy", attacker=attacker), (datc("5.B.4"),)
    if into == attacker.province:
        sources = (rule(13), datc("4.A.4" if facts.by_convoy else "5.B.2"))
        return Message.of("not_cut_from_target", attacker=attacker), sources
    if is_spared:
        key = _SPARED[phase.rules.paradox]
        message = Message.of(key, attacker=attacker, place=Place(into))
        return message, (rule(21), datc("4.A.2"))
    return Message.of("not_cut_own_support", attacker=attacker), (rule(16), datc("5.B.2"))
