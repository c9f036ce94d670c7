"""Builds the tree of causes of an order in a decided movement phase.

The root has the message of the order's result, built from the same finding. Its children show what
was compared or what failed, and their children the reasons. Each order is explained only once.

A tree follows moves that depend on each other through at most a dozen orders, and `MAX_ASKED`
limits the number of what-if questions, so that even a column of hundreds of units is cheap.
"""

from collections.abc import Iterator

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.findings import (
    Finding,
    Reason,
    dislodging_strengths,
    find_reason,
)
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.strengths import hold_strength, prevent_strength
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.reasons.convoys import MAX_FLEETS, ConvoyCauses
from diplomaccloud.judge.reasons.cuts import find_cut_causes
from diplomaccloud.judge.reasons.results import ResultMaker
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.strengths import StrengthCauses
from diplomaccloud.judge.reasons.support_effects import explain_support_effect
from diplomaccloud.judge.reasons.values import Cause, Decisive, Topic
from diplomaccloud.judge.reasons.what_if import Fate, WhatIf, find_fate
from diplomaccloud.judge.results import Outcome

_SOURCES: dict[Reason, tuple[Source, ...]] = {
    Reason.HELD: (),
    Reason.WITHSTOOD: (datc("5.B.1"), datc("5.B.5")),
    Reason.BELEAGUERED: (rule(4), datc("5.B.6")),
    Reason.MOVED: (datc("5.B.1"),),
    Reason.DISLODGED_UNIT: (datc("5.B.1"),),
    Reason.HEAD_TO_HEAD: (rule(6), datc("5.B.7")),
    Reason.RIVALS: (rule(3), datc("5.B.6")),
    Reason.OCCUPIED: (datc("5.B.1"), datc("5.B.5")),
    Reason.OWN_STAYED: (rule(12), datc("5.B.8")),
    Reason.OWN_UNIT: (rule(12), datc("5.B.8")),
    Reason.PARADOX_STOPPED: (datc("4.A.2"),),
    Reason.NO_CHAIN: (section("Convoy Orders"), datc("5.B.4")),
    Reason.CONVOY_FAILED: (rule(17), datc("5.B.4")),
    Reason.GIVEN: (section("Support"), datc("5.B.2")),
    Reason.CUT: (rule(13), datc("5.B.2")),
    Reason.CUT_BY_DISLODGMENT: (rule(14), datc("5.B.2")),
    Reason.UNMATCHED: (rule(9),),
    Reason.CONVOYED: (datc("5.B.3"),),
    Reason.OTHER_ROUTE: (rule(20), datc("5.B.4")),
    Reason.READY: (rule(17), datc("5.B.4")),
    Reason.FLEET_DISLODGED: (rule(17), datc("5.B.3")),
    Reason.PARADOX_FAILED: (datc("4.A.2"), datc("5.B.9")),
}

_OCCUPIED = {Reason.OCCUPIED, Reason.OWN_STAYED}

MAX_ORDERS = 12
"""The most orders in a chain that a tree explains; the last is only stated."""

MAX_ASKED, MIN_ASKED = 100_000, 6
"""The most what-if questions that one tree asks, times the square of the number of units.

This limits the time, but allows a question about each of forty units. `MIN_ASKED` questions are
always allowed.
"""


class CauseTrees:
    """The trees of one movement phase; they share one what-if."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self.results = ResultMaker(movement)
        self._what_if = WhatIf(movement)

    def build_tree(self, unit: int) -> Cause:
        """Return the tree of causes of the unit's order.

        The effect of a support comes first, then the decisive paradox rule if it would otherwise be
        far down the tree. The decisive units come last.
        """
        root = _Tree(self.results).explain_order(unit)
        return Cause(
            root.topic,
            root.message,
            root.sources,
            root.unit,
            causes=(
                *explain_support_effect(self.movement, self._what_if, unit),
                *_find_paradox_rule(root),
                *root.causes,
                *self._find_decisive(unit, root),
            ),
        )

    def _find_decisive(self, unit: int, root: Cause) -> Iterator[Cause]:
        """Yield a node for every unit in the tree whose order decided the unit's fate.

        For a support that counts or a convoy that holds, also yield its effect on other units.
        """
        movement = self.movement
        named = [movement.at[province] for province in _list_provinces(root)]
        limit = max(MIN_ASKED, MAX_ASKED // len(movement.units) ** 2)
        for other in sorted(named[:limit]):
            yield from self._find_effect(unit, other)
        if (helped := self._find_helped(unit)) is not None:
            yield from self._find_effect(helped, unit)

    def _find_effect(self, unit: int, other: int) -> Iterator[Cause]:
        if self._is_left_out(unit) or self._is_left_out(other):
            return
        changed = self._what_if.find_change(unit, other)
        if changed is not None:
            effect = self._describe_effect(unit, other, changed)
            message = effect.describe((effect.unit,))
            yield Cause(Topic.DECISIVE, message, unit=effect.unit, decisive=effect)

    def _is_left_out(self, unit: int) -> bool:
        """Return whether the unit is a fleet beyond the limit of fleets to ask about."""
        army = self.movement.cargo[unit]
        route = () if army is None else self.movement.routes[army] or ()
        return len(route) > MAX_FLEETS and unit not in route[:MAX_FLEETS]

    def _find_helped(self, unit: int) -> int | None:
        """Return the unit that the unit supports or convoys."""
        movement = self.movement
        order = movement.orders[unit]
        if isinstance(order, SupportHold | SupportMove) and movement.support_ok[unit]:
            return movement.at[order.target.province]
        return movement.cargo[unit]

    def _describe_effect(self, number: int, other: int, changed: Fate) -> Decisive:
        """Return what would have been different about the order, the unit, or both."""
        outcome, dislodged = changed
        was, was_dislodged = find_fate(self.movement, number)
        unit, without = self.movement.units[number], self.movement.units[other]
        if outcome is was:
            key = "if_held_dislodged" if dislodged else "if_held_not_dislodged"
            return Decisive(without, unit, outcome, dislodged, key)
        key = _CHANGES.get((type(self.movement.orders[number]), outcome), "if_held_order_void")
        if dislodged == was_dislodged:
            return Decisive(without, unit, outcome, dislodged, key)
        also = "would_be_dislodged" if dislodged else "would_not_be_dislodged"
        return Decisive(without, unit, outcome, dislodged, key, Message.of(also, unit=unit))


_CHANGES: dict[tuple[type[MovementOrder], Outcome], str] = {
    (Move, Outcome.MOVED): "if_held_move_succeeds",
    (Move, Outcome.BOUNCED): "if_held_move_bounces",
    (Move, Outcome.NOPATH): "if_held_no_convoy",
    (SupportHold, Outcome.GIVEN): "if_held_support_counts",
    (SupportMove, Outcome.GIVEN): "if_held_support_counts",
    (SupportHold, Outcome.CUT): "if_held_support_cut",
    (SupportMove, Outcome.CUT): "if_held_support_cut",
    (Convoy, Outcome.CONVOYED): "if_held_convoy_holds",
    (Convoy, Outcome.DISRUPTED): "if_held_convoy_fails",
}


def _find_paradox_rule(root: Cause) -> Iterator[Cause]:
    """Yield the first node about a paradox, unless it is already at the top of the tree."""
    issue = datc("4.A.2")
    if any(issue in cause.sources for cause in (root, *root.causes)):
        return
    for cause in root.walk():
        if issue in cause.sources:
            yield Cause(Topic.PARADOX, cause.message, cause.sources, cause.unit)
            return


def _list_provinces(root: Cause) -> list[ProvinceCode]:
    """Return the provinces of all units that the tree names, in order, without duplicates."""
    provinces: dict[ProvinceCode, None] = {}
    for cause in root.walk():
        units = [] if cause.unit is None else [cause.unit]
        if cause.strength is not None:
            units += [support.unit for support in cause.strength.supports]
        provinces |= {unit.province: None for unit in units}
    return list(provinces)


class _Tree:
    """Builds one tree and keeps track of the orders already explained."""

    def __init__(self, results: ResultMaker) -> None:
        self.movement = results.movement
        self.results = results
        self.strengths = StrengthCauses(self.movement)
        self.convoys = ConvoyCauses(self.movement, self.explain_dislodgment, self.explain_stand)
        self._seen: set[int] = set()
        self._dislodged: set[int] = set()

    def explain_order(self, number: int, inner: bool = False) -> Cause:
        """Return the node about the unit's order; an inner node names the order first."""
        movement = self.movement
        finding = find_reason(movement, number)
        dislodger = movement.dislodger(number)
        message = self.results.find_message(number, finding, dislodger)
        if inner:
            order = movement.orders[number]
            message = Message.of("order_and_result", order=order, result=message)
        causes: tuple[Cause, ...] = ()
        if number not in self._seen and len(self._seen) < MAX_ORDERS:
            self._seen.add(number)
            causes = tuple(self._find_causes(number, finding))
            if dislodger is not None and number not in self._dislodged:
                causes += (self.explain_dislodgment(number, dislodger),)
        unit = movement.units[number]
        return Cause(
            Topic.RESULT, message, self._find_sources(number, finding), unit, causes=causes
        )

    def _find_sources(self, unit: int, finding: Finding) -> tuple[Source, ...]:
        reason = finding.reason
        sources = _SOURCES[reason]
        if reason is Reason.HELD and self.movement.dislodger(unit) is not None:
            return (datc("5.B.1"),)
        order = self.movement.orders[unit]
        if reason is Reason.UNMATCHED and isinstance(order, SupportHold):
            return (rule(8),)
        if reason is Reason.CONVOY_FAILED and self.movement.paradox_failed & set(finding.units):
            return (rule(21), datc("4.A.2"), *sources)
        if reason is Reason.READY and len(finding.units) == 1:
            return _SOURCES[Reason.NO_CHAIN]
        if reason is Reason.RIVALS and finding.strength != finding.resistance:
            sources = (datc("5.B.1"), datc("5.B.6"))
        if reason in _OCCUPIED and self.movement.goals[finding.units[0]]:
            sources = (rule(5), datc("5.B.5"))
        if reason.outcome is Outcome.BOUNCED and self.movement.by_convoy(unit):
            return (*sources, rule(18))
        return sources

    def _find_causes(self, unit: int, finding: Finding) -> Iterator[Cause]:
        order = self.movement.orders[unit]
        attackers = self.movement.attackers(unit)
        if isinstance(order, Hold):
            yield from self.explain_stand(unit) if attackers else self._calm("not_attacked", unit)
        elif isinstance(order, Move):
            yield from self._explain_move(unit)
        elif finding.reason in {Reason.GIVEN, Reason.CUT, Reason.CUT_BY_DISLODGMENT}:
            if not attackers:
                yield from self._calm("support_not_attacked", unit)
            yield from find_cut_causes(self.movement, unit, self.explain_dislodgment)
            if isinstance(order, SupportMove) and finding.reason is Reason.GIVEN:
                yield from self._explain_useless_support(unit, order)
        elif finding.reason is not Reason.UNMATCHED:
            army = self.movement.cargo[unit]
            if army is not None:
                yield from self.convoys.explain_route(army, unit)

    def _explain_useless_support(self, unit: int, order: SupportMove) -> Iterator[Cause]:
        """Yield the strength of the supported move if the support adds nothing to it."""
        node = self.strengths.explain_attack(self.movement.at[order.target.province])
        supports = node.strength.supports if node.strength else ()
        supporter = self.movement.units[unit]
        if any(support.unit == supporter and not support.counts for support in supports):
            yield node

    # Holds and moves.

    def explain_stand(self, unit: int) -> Iterator[Cause]:
        """Yield the strengths that were compared when a unit was attacked but not dislodged."""
        attackers = self.movement.attackers(unit)
        if not attackers or self.movement.dislodger(unit) is not None:
            return
        hold = self.strengths.explain_hold(unit)
        attacks = [self.strengths.explain_attack(attacker) for attacker in attackers]
        held = hold_strength(self.movement, unit)[0]
        strong = tuple(
            self.movement.units[attacker]
            for attacker in attackers
            if prevent_strength(self.movement, attacker)[0] > held
        )
        # For a unit that held, its own result says this.
        if len(strong) > 1 and not isinstance(self.movement.orders[unit], Hold):
            message = Message.of("attacks_bounced", attackers=strong)
            yield Cause(Topic.RESULT, message, (rule(4), datc("5.B.6")))
        yield hold
        yield from attacks

    def _explain_move(self, unit: int) -> Iterator[Cause]:
        movement = self.movement
        if movement.by_convoy(unit):
            yield from self.convoys.explain_route(unit)
        if not path_state(movement, unit):
            return
        if movement.move_ok[unit] and (cycle := self._explain_cycle(unit)):
            yield cycle
        yield self.strengths.explain_attack(unit)
        target = movement.at.get(movement.goals[unit])
        if target is not None:
            yield from self._explain_target(unit, target)
        rivals = [rival for rival in movement.rivals[movement.goals[unit]] if rival != unit]
        for rival in rivals:
            yield from self._explain_rival(rival)
        if movement.move_ok[unit] and not rivals:
            yield from self._explain_calm_move(unit, target)

    def _explain_calm_move(self, unit: int, target: int | None) -> Iterator[Cause]:
        """Yield a node saying that no other unit moved there, unless a unit was dislodged."""
        if target is None:
            place = Place(self.movement.goals[unit])
            yield Cause(Topic.CALM, Message.of("goal_empty", place=place))
        elif self.movement.move_ok[target]:
            yield Cause(Topic.CALM, Message.of("no_rival"))

    def _calm(self, key: str, unit: int) -> Iterator[Cause]:
        yield Cause(Topic.CALM, Message.of(key, unit=self.movement.units[unit]))

    def _explain_target(self, unit: int, target: int) -> Iterator[Cause]:
        movement = self.movement
        if movement.opponent[unit] is not None:
            yield self.strengths.explain_defense(target)
        elif movement.move_ok[target]:
            leaver = movement.units[target]
            message = Message.of("left_province", order=movement.orders[target], unit=leaver)
            yield Cause(Topic.RESULT, message, (datc("5.B.5"),), leaver)
        else:
            yield self.strengths.explain_hold(target)
            if movement.goals[target] and movement.dislodger(target) is None:
                yield self.explain_order(target, inner=True)

    def _explain_rival(self, rival: int) -> Iterator[Cause]:
        yield self.strengths.explain_prevention(rival)
        if not path_state(self.movement, rival):
            yield from self.convoys.explain_route(rival)

    def _explain_cycle(self, unit: int) -> Cause | None:
        """Return the node about units that moved in a circle or swapped places."""
        movement = self.movement
        cycle, following = [unit], movement.at.get(movement.goals[unit])
        while following is not None and movement.move_ok[following] and following not in cycle:
            cycle.append(following)
            following = movement.at.get(movement.goals[following])
        if following != unit:
            return None
        units = tuple(movement.units[number] for number in cycle)
        if len(cycle) == 2:
            return Cause(Topic.RING, Message.of("swap_by_convoy", units=units), (rule(19),))
        message = Message.of("circular_movement", units=units)
        return Cause(Topic.RING, message, (rule(7), datc("5.B.9")))

    def explain_dislodgment(self, number: int, dislodger: int) -> Cause:
        """Return the node about the dislodgment of the unit by `dislodger`."""
        movement = self.movement
        strength, resistance = dislodging_strengths(movement, number, dislodger)
        attacker = movement.units[dislodger]
        message = Message.of(
            "unit_dislodged",
            unit=movement.units[number],
            attacker=attacker,
            strength=strength,
            resistance=resistance,
        )
        sources = (datc("5.B.1"),)
        if number in self._dislodged:
            return Cause(Topic.DISLODGED, message, sources, attacker)
        self._dislodged.add(number)
        head_to_head = movement.opponent[dislodger] is not None
        explain = self.strengths.explain_defense if head_to_head else self.strengths.explain_hold
        causes = (self.strengths.explain_attack(dislodger), explain(number))
        return Cause(Topic.DISLODGED, message, sources, attacker, causes=causes)
