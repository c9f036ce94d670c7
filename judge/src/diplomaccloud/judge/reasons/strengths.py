"""Explains the strengths in a decided movement phase: each number and every support behind it.

Like the resolver's, the numbers come from `movement.strengths`.
"""

from collections.abc import Iterator

from diplomaccloud.judge.board import Location, Power
from diplomaccloud.judge.messages.values import Message, Parameter, Place, PowerName, join_sentences
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.findings import find_cutters, resistance
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.strengths import (
    attack_strength,
    hold_strength,
    prevent_strength,
    supported_strength,
)
from diplomaccloud.judge.orders import SupportHold, SupportMove
from diplomaccloud.judge.reasons.cuts import find_paradox_causes
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule
from diplomaccloud.judge.reasons.values import Cause, OrderedSupport, Side, Strength, Topic
from diplomaccloud.judge.units import Unit

Supports = tuple[OrderedSupport, ...]


class StrengthCauses:
    """Builds the nodes about the strengths in one movement phase."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement

    def explain_attack(self, unit: int) -> Cause:
        """Return the strength of a move against the unit at its goal."""
        movement = self.movement
        is_there = bool(path_state(movement, unit))
        value = attack_strength(movement, unit)[0] if is_there else 0
        target = self._find_target(unit)
        spared = None if target is None else movement.powers[target]
        sources = [datc("5.B.8")]
        place = Place(movement.goals[unit])
        if target is not None and movement.powers[unit] == spared:
            full = supported_strength(movement, unit)[0]
            if is_there and full <= resistance(movement, unit, target):
                # The move would have failed against a foreign unit, too.
                supports = self._find_supports(unit)
                message = self._describe("attack_strength", unit, full, supports, place=place)
                return self._node(Side.ATTACK, unit, full, message, *sources, supports=supports)
            message = self._attack_on_own_unit(unit, target, value)
            return self._node(Side.ATTACK, unit, value, message, *sources, rule(12))
        supports = self._find_supports(unit, spared)
        if any(support.unit.power == spared for support in supports):
            sources.append(rule(12))
        if not is_there:
            message = Message.of(
                "attack_without_convoy", unit=movement.units[unit], place=place, value=value
            )
        else:
            message = self._describe("attack_strength", unit, value, supports, place=place)
        return self._node(Side.ATTACK, unit, value, message, *sources, supports=supports)

    def _attack_on_own_unit(self, unit: int, target: int, value: int) -> Message:
        """Return the strength against a unit of the same power, and against others moving there.

        The second number is the one compared with the others; a bare 0 would contradict it. It has
        supports, because without them a move is no stronger than any unit that stays.
        """
        movement = self.movement
        place = Place(movement.goals[unit])
        if not path_state(movement, unit) or len(movement.rivals[movement.goals[unit]]) < 2:
            return Message.of(
                "attack_on_own_unit",
                unit=movement.units[unit],
                place=place,
                value=value,
                target=movement.units[target],
            )
        return self._describe(
            "attack_on_own_unit_with_rivals",
            unit,
            value,
            self._find_supports(unit),
            place=place,
            target=movement.units[target],
            against=supported_strength(movement, unit)[0],
        )

    def explain_hold(self, unit: int) -> Cause:
        """Return the strength with which a unit held its province."""
        movement = self.movement
        value = hold_strength(movement, unit)[0]
        supports = self._find_supports(unit, holding=True)
        key = "hold_strength_after_move" if movement.goals[unit] else "hold_strength"
        message = self._describe(key, unit, value, supports)
        sources = datc("5.B.5"), rule(8)
        return self._node(Side.HOLD, unit, value, message, *sources, supports=supports)

    def explain_defense(self, unit: int) -> Cause:
        """Return the strength of a move against its opponent in a head-to-head battle."""
        value = supported_strength(self.movement, unit)[0]
        supports = self._find_supports(unit)
        message = self._describe("defend_strength", unit, value, supports)
        sources = datc("5.B.7"), rule(6)
        return self._node(Side.DEFEND, unit, value, message, *sources, supports=supports)

    def explain_prevention(self, unit: int) -> Cause:
        """Return the strength with which a move kept others out of its goal."""
        movement = self.movement
        value = prevent_strength(movement, unit)[0]
        supports = self._find_supports(unit)
        place = Place(movement.goals[unit])
        if value:
            sources = [datc("5.B.6")]
            if movement.dislodger(unit) is not None:
                sources.append(rule(10))
            message = self._describe("prevent_strength", unit, value, supports, place=place)
            return self._node(Side.PREVENT, unit, value, message, *sources, supports=supports)
        key, sources = "prevent_dislodged", [datc("5.B.6"), rule(11), datc("4.A.7")]
        if not path_state(movement, unit):
            key, sources = "prevent_without_convoy", [datc("5.B.6"), datc("5.B.4")]
        message = Message.of(key, unit=movement.units[unit], place=place, value=value)
        return self._node(Side.PREVENT, unit, value, message, *sources, supports=supports)

    def _node(
        self,
        side: Side,
        number: int,
        value: int,
        message: Message,
        *sources: Source,
        supports: Supports = (),
    ) -> Cause:
        unit = self.movement.units[number]
        strength = Strength(side, unit, value, supports)
        causes = tuple(
            cause
            for support in supports
            if support.counts
            for cause in find_paradox_causes(self.movement, self.movement.at[support.unit.province])
        )
        return Cause(Topic.STRENGTH, message, sources, unit, strength, causes=causes)

    def _describe(
        self, key: str, unit: int, value: int, supports: Supports, **parameters: Parameter
    ) -> Message:
        """Return a message about a strength and the supports that did or did not count."""
        counted = tuple(support.unit for support in supports if support.counts)
        parameters = {"unit": self.movement.units[unit], "value": value, **parameters}
        if counted:
            strength = Message.of(f"{key}_supported", **parameters, supporters=counted)
        else:
            strength = Message.of(key, **parameters)
        return join_sentences([strength, *_describe_not_counted(supports)])

    def _find_target(self, unit: int) -> int | None:
        """Return the unit that a move would have to dislodge, if any."""
        target = self.movement.at.get(self.movement.goals[unit])
        if target is None:
            return None
        if self.movement.opponent[unit] is None and self.movement.move_ok[target]:
            return None
        return target

    def _find_supports(
        self, unit: int, spared: Power | None = None, holding: bool = False
    ) -> Supports:
        """Return every support ordered for the unit; supports by the power `spared` don't count."""
        movement = self.movement
        return tuple(
            OrderedSupport(movement.units[number], self._find_why_not(number, order, spared))
            for number, order in enumerate(movement.orders)
            if isinstance(order, SupportHold | SupportMove)
            and order.target == movement.units[unit]
            and not (holding and movement.support_into[number] and isinstance(order, SupportMove))
        )

    def _find_why_not(
        self, number: int, order: SupportHold | SupportMove, spared: Power | None
    ) -> Message | None:
        """Return why the support does not count, or `None` if it does."""
        movement = self.movement
        supporters = (movement.units[number],)
        if not movement.support_into[number]:
            return self._describe_unmatched(number, order)
        if not movement.support_ok[number]:
            attackers = tuple(movement.units[cutter] for cutter in find_cutters(movement, number))
            return Message.of("support_was_cut", supporters=supporters, attackers=attackers)
        if spared is None:
            return None
        key = ""
        if movement.powers[number] == spared:
            key = "support_against_own_unit"
        elif movement.rules.own_attack_void and any(
            movement.powers[other] == spared and movement.support_ok[other]
            for other in movement.supporters[movement.at[order.target.province]]
        ):
            key = "support_in_void_attack"
        return Message.of(key, supporters=supporters, power=PowerName(spared)) if key else None

    def _describe_unmatched(self, number: int, order: SupportHold | SupportMove) -> Message:
        """Return the reason why the support does not match the order of its unit."""
        movement = self.movement
        supporters = (movement.units[number],)
        target = movement.at[order.target.province]
        unit = movement.units[target]
        if isinstance(order, SupportHold):
            return Message.of("support_of_moving_unit", supporters=supporters, target=unit)
        matches = Location(movement.goals[target]) == order.to
        key = "support_without_convoy" if matches else "support_of_other_order"
        return Message.of(key, supporters=supporters, target=unit, place=Place(order.to))


def _describe_not_counted(supports: Supports) -> Iterator[Message]:
    """Yield the reasons why supports do not count, with one message per reason."""
    supporters: dict[Message, list[Unit]] = {}
    for support in supports:
        if support.why_not is not None:
            others = {
                name: value
                for name, value in support.why_not.parameters.items()
                if name != "supporters"
            }
            reason = Message(support.why_not.key, others)
            supporters.setdefault(reason, []).append(support.unit)
    for reason, units in supporters.items():
        yield Message(reason.key, {"supporters": tuple(units), **reason.parameters})
