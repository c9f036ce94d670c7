"""Builds the tree of causes of an order in a decided movement phase.

The root has the message of the order's result. Its children show what was compared or what failed,
and their children the reasons. Each order is explained only once.

A tree follows moves that depend on each other through at most a dozen orders, and `MAX_ASKED`
limits the number of what-if questions, so that even a column of hundreds of units is cheap.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from diplomaccloud.judge.messages.values import Message, Parameter, Place, join_sentences
from diplomaccloud.judge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.reasons.facts import DecidedPhase, Fate
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.strengths import (
    explain_attack,
    explain_defense,
    explain_hold,
    explain_prevention,
    find_cut_causes,
)
from diplomaccloud.judge.reasons.values import Cause, Decisive, Topic
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import Paradox

_MISMATCH = (rule(9),)
_READY = (rule(17), datc("5.B.4"))
_NO_CHAIN = (section("Convoy Orders"), datc("5.B.4"))
_STANDOFF = (rule(4), datc("5.B.6"))
_OWN_UNIT = (rule(12), datc("5.B.8"))

_SOURCES: dict[str, tuple[Source, ...]] = {
    "held": (),
    "dislodged": (datc("5.B.1"),),
    "destroyed": (datc("5.B.1"),),
    "held_against_attack": (datc("5.B.1"), datc("5.B.5")),
    "held_beleaguered": _STANDOFF,
    "moved": (datc("5.B.1"),),
    "moved_by_convoy": (datc("5.B.1"),),
    "moved_and_dislodged": (datc("5.B.1"),),
    "moved_by_convoy_and_dislodged": (datc("5.B.1"),),
    "bounced_head_to_head": (rule(6), datc("5.B.7")),
    "dislodged_head_to_head": (rule(6), datc("5.B.7")),
    "destroyed_head_to_head": (rule(6), datc("5.B.7")),
    "bounced_rivals": (rule(3), datc("5.B.6")),
    "bounced_stronger_rivals": (datc("5.B.1"), datc("5.B.6")),
    "bounced_occupied": (datc("5.B.1"), datc("5.B.5")),
    "bounced_own_stayed": _OWN_UNIT,
    "bounced_own_unit": _OWN_UNIT,
    "bounced_by_paradox": (datc("4.A.2"),),
    "no_convoy": _NO_CHAIN,
    "convoy_fleets_dislodged": _READY,
    "convoy_failed_by_paradox": _READY,
    "supported_hold": (section("Support"), datc("5.B.2")),
    "supported_move": (section("Support"), datc("5.B.2")),
    "support_cut": (rule(13), datc("5.B.2")),
    "support_cut_and_dislodged": (rule(13), datc("5.B.2")),
    "support_cut_by_dislodgment": (rule(14), datc("5.B.2")),
    "support_cut_and_destroyed": (rule(13), datc("5.B.2")),
    "support_cut_by_destruction": (rule(14), datc("5.B.2")),
    "support_void_target_moved": (rule(8),),
    "void_target_not_ordered": _MISMATCH,
    "support_void_no_convoy": _MISMATCH,
    "convoy_void_other_fleets": _MISMATCH,
    "convoy_void_by_land": _MISMATCH,
    "convoyed": (datc("5.B.3"),),
    "convoyed_and_bounced": (datc("5.B.3"),),
    "convoy_other_route": (rule(20), datc("5.B.4")),
    "convoy_disrupted_other_route": (rule(20), datc("5.B.4")),
    "convoy_ready_fleets_dislodged": _READY,
    "convoy_ready_paradox": _READY,
    "convoy_ready_no_chain": _READY,
    "convoy_disrupted": (rule(17), datc("5.B.3")),
    "convoy_disrupted_by_paradox": (datc("4.A.2"), datc("5.B.9")),
}
"""The rules behind the reason of an order, by the key of its first message."""

MAX_ORDERS = 12
"""The most orders in a chain that a tree explains; the last is only stated."""

MAX_FLEETS = 12
"""The most fleets in one convoy that a tree explains and tests; the others are only counted.

Convoys in real games rarely have more. Without a limit, the trees of a convoy would grow with the
square of its fleets.
"""

MAX_OTHERS = 2
"""The most other units that a tree names as affected by a support."""

MAX_ASKED, MIN_ASKED = 100_000, 6
"""The most what-if questions that one tree asks, times the square of the number of units.

This limits the time, but allows a question about each of forty units. `MIN_ASKED` questions are
always allowed.
"""


def build_tree(phase: DecidedPhase, unit: int) -> Cause:
    """Return the tree of causes of the unit's order.

    The effect of a support comes first, then the decisive paradox rule if it would otherwise be
    far down the tree. The decisive units come last.
    """
    root = _Tree(phase).explain_order(unit)
    causes = (
        *_explain_support_effect(phase, unit),
        *_find_paradox_rule(root),
        *root.causes,
        *_find_decisive(phase, unit, root),
    )
    return Cause(root.topic, root.message, root.sources, root.unit, causes=causes)


def _find_paradox_rule(root: Cause) -> Iterator[Cause]:
    """Yield the first node about a paradox, unless it is already at the top of the tree."""
    issue = datc("4.A.2")
    if any(issue in cause.sources for cause in (root, *root.causes)):
        return
    for cause in root.walk():
        if issue in cause.sources:
            yield Cause(Topic.PARADOX, cause.message, cause.sources, cause.unit)
            return


# The effect of a support.


def _explain_support_effect(phase: DecidedPhase, unit: int) -> Iterator[Cause]:
    """Yield nodes about the effect of the unit's support, if it gave one.

    Other units are named only if the support had no effect on the supported unit.
    """
    order = phase.orders[unit]
    if phase.verdict.outcomes[unit] is not Outcome.GIVEN:
        return
    target = phase.find_helped(unit)
    changes = list(_find_changes(phase, unit, [target]))
    if not changes:
        others = (i for i in range(len(phase.units)) if i not in {unit, target})
        changes = list(islice(_find_changes(phase, unit, others), MAX_OTHERS))
    if not changes:
        changes = [Cause(Topic.EFFECT, _say_why_not_needed(phase, order, target))]
    yield from changes


def _find_changes(phase: DecidedPhase, support: int, numbers: Iterable[int]) -> Iterator[Cause]:
    """Yield what would have happened to units without the support, if anything is different."""
    fates, without = phase.fates, phase.list_fates_without(support)
    for number in numbers:
        unit = phase.units[number]
        (was, was_dislodged), (outcome, dislodged) = fates[number], without[number]
        moves = outcome is Outcome.MOVED
        if moves != (was is Outcome.MOVED):
            key = "without_support_moves" if moves else "without_support_stays"
            message = Message.of(key, unit=unit, place=Place(phase.goals[number]))
            yield Cause(Topic.EFFECT, message)
        elif dislodged != was_dislodged:
            key = "without_support_dislodged" if dislodged else "without_support_not_dislodged"
            yield Cause(Topic.EFFECT, Message.of(key, unit=unit))


def _say_why_not_needed(phase: DecidedPhase, order: MovementOrder, target: int) -> Message:
    """Return why the support had no effect."""
    unit = phase.units[target]
    if isinstance(order, SupportMove):
        key = "support_not_needed_to_move" if phase.moves(target) else "support_of_failed_move"
        return Message.of(key, unit=unit, place=Place(order.to))
    if not phase.attackers(target):
        return Message.of("support_not_needed_unattacked", unit=unit)
    if phase.dislodger(target) is not None:
        return Message.of("support_of_dislodged_unit", unit=unit)
    return Message.of("support_not_needed_to_hold", unit=unit)


# The units whose orders decided.


def _find_decisive(phase: DecidedPhase, unit: int, root: Cause) -> Iterator[Cause]:
    """Yield a node for every unit in the tree whose order decided the unit's fate.

    For a support that counts or a convoy that holds, also yield its effect on other units.
    """
    named: dict[int, None] = {}
    for cause in root.walk():
        supports = () if cause.strength is None else cause.strength.supports
        for one in (cause.unit, *(support.unit for support in supports)):
            if one is not None:
                named[phase.at[one.province]] = None
    limit = max(MIN_ASKED, MAX_ASKED // len(phase.units) ** 2)
    for other in sorted(islice(named, limit)):
        yield from _find_effect(phase, unit, other)
    if phase.facts[unit].cargo >= 0:
        yield from _find_effect(phase, phase.facts[unit].cargo, unit)
    elif phase.verdict.outcomes[unit] is Outcome.GIVEN:
        yield from _find_effect(phase, phase.find_helped(unit), unit)


def _find_effect(phase: DecidedPhase, unit: int, other: int) -> Iterator[Cause]:
    """Yield a node about the fate of the unit if `other` had held, if it would be different."""
    if _is_left_out(phase, unit) or _is_left_out(phase, other):
        return
    changed = phase.find_change(unit, other)
    if changed is not None:
        effect = _describe_effect(phase, unit, other, changed)
        message = effect.describe((effect.unit,))
        yield Cause(Topic.DECISIVE, message, unit=effect.unit, decisive=effect)


def _is_left_out(phase: DecidedPhase, unit: int) -> bool:
    """Return whether the unit is a fleet beyond the limit of fleets to ask about."""
    army = phase.facts[unit].cargo
    return army >= 0 and unit not in phase.find_route(army)[:MAX_FLEETS]


def _describe_effect(phase: DecidedPhase, number: int, other: int, changed: Fate) -> Decisive:
    """Return what would have been different about the order, the unit, or both."""
    outcome, dislodged = changed
    was, was_dislodged = phase.fates[number]
    unit, without = phase.units[number], phase.units[other]
    if outcome is was:
        key = "if_held_dislodged" if dislodged else "if_held_not_dislodged"
        return Decisive(without, unit, outcome, dislodged, key)
    key = _CHANGES.get((type(phase.orders[number]), outcome), "if_held_order_void")
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


class _Tree:
    """Builds one tree and keeps track of what it has already explained."""

    def __init__(self, phase: DecidedPhase) -> None:
        self.phase = phase
        self._orders: set[int] = set()
        self._dislodged: set[int] = set()
        self._convoys: set[int] = set()

    def explain_order(self, number: int, inner: bool = False) -> Cause:
        """Return the node about the unit's order; an inner node names the order first."""
        phase = self.phase
        message, unit = phase.messages[number], phase.units[number]
        sources = self._find_sources(number)
        dislodger = phase.dislodger(number)
        if inner:
            order = phase.orders[number]
            message = Message.of("order_and_result", order=order, result=message)
        causes: tuple[Cause, ...] = ()
        if number not in self._orders and len(self._orders) < MAX_ORDERS:
            self._orders.add(number)
            causes = tuple(self._find_causes(number))
            if dislodger is not None and number not in self._dislodged:
                causes += (self.explain_dislodgment(number, dislodger),)
        return Cause(Topic.RESULT, message, sources, unit, causes=causes)

    def _find_sources(self, unit: int) -> tuple[Source, ...]:
        """Return the rules behind the reason for the unit's outcome."""
        phase, outcome = self.phase, self.phase.verdict.outcomes[unit]
        message = phase.messages[unit]
        if message.key == "sentences":
            message = message.parameters["sentences"][0]  # type: ignore[index, assignment]
        sources = _SOURCES[message.key]
        if outcome is Outcome.HOLD and phase.dislodger(unit) is not None:
            return _STANDOFF if len(phase.find_strong_attackers(unit)) > 1 else sources
        if message.key == "support_cut" and not phase.find_cutters(unit):
            return _SOURCES["support_cut_by_dislodgment"]
        if outcome is Outcome.NOPATH and sources is _READY:
            failed = phase.find_failed_fleets(unit)
            if any(phase.facts[fleet].in_paradox for fleet in failed):
                return (rule(21), datc("4.A.2"), *sources)
        if message.key == "convoy_ready_no_chain":
            return sources if phase.find_failed_fleets(phase.facts[unit].cargo) else _NO_CHAIN
        blocked = message.key in {"bounced_occupied", "bounced_own_stayed"}
        if blocked and phase.goals[phase.at[phase.goals[unit]]]:
            sources = (rule(5), datc("5.B.5"))
        if outcome is Outcome.BOUNCED and phase.facts[unit].by_convoy:
            return (*sources, rule(18))
        return sources

    def _find_causes(self, unit: int) -> Iterator[Cause]:
        phase, order = self.phase, self.phase.orders[unit]
        attackers = phase.attackers(unit)
        if isinstance(order, Hold):
            yield from self.explain_stand(unit) if attackers else self._calm("not_attacked", unit)
        elif isinstance(order, Move):
            yield from self._explain_move(unit)
        elif phase.find_supported_province(unit) is not None:
            if not attackers:
                yield from self._calm("support_not_attacked", unit)
            yield from find_cut_causes(phase, unit, self.explain_dislodgment)
            if isinstance(order, SupportMove) and phase.facts[unit].succeeds:
                yield from self._explain_useless_support(unit)
        elif phase.facts[unit].cargo >= 0:
            yield from self._explain_convoy(phase.facts[unit].cargo, unit)

    def _explain_useless_support(self, unit: int) -> Iterator[Cause]:
        """Yield the strength of the supported move if the support adds nothing to it."""
        node = explain_attack(self.phase, self.phase.find_helped(unit))
        supports = node.strength.supports if node.strength else ()
        supporter = self.phase.units[unit]
        if any(support.unit == supporter and not support.counts for support in supports):
            yield node

    def _calm(self, key: str, unit: int) -> Iterator[Cause]:
        yield Cause(Topic.CALM, Message.of(key, unit=self.phase.units[unit]))

    # Holds and moves.

    def explain_stand(self, unit: int) -> Iterator[Cause]:
        """Yield the strengths that were compared when a unit was attacked but not dislodged."""
        attackers = self.phase.attackers(unit)
        if not attackers or self.phase.dislodger(unit) is not None:
            return
        # For a unit that held, its own result says this.
        if not isinstance(self.phase.orders[unit], Hold):
            strong = self.phase.find_strong_attackers(unit)
            if len(strong) > 1:
                message = Message.of("attacks_bounced", attackers=strong)
                yield Cause(Topic.RESULT, message, _STANDOFF)
        yield explain_hold(self.phase, unit)
        for attacker in attackers:
            yield explain_attack(self.phase, attacker)

    def _explain_move(self, unit: int) -> Iterator[Cause]:
        phase = self.phase
        yield from self._explain_convoy(unit)
        if not phase.facts[unit].path_open:
            return
        if phase.moves(unit) and (cycle := self._explain_cycle(unit)):
            yield cycle
        yield explain_attack(phase, unit)
        target = phase.at.get(phase.goals[unit])
        if target is not None:
            yield from self._explain_target(unit, target)
        rivals = [rival for rival in phase.rivals[phase.goals[unit]] if rival != unit]
        for rival in rivals:
            yield explain_prevention(phase, rival)
            if not phase.facts[rival].path_open:
                yield from self._explain_convoy(rival)
        if phase.moves(unit) and not rivals:
            if target is None:
                place = Place(phase.goals[unit])
                yield Cause(Topic.CALM, Message.of("goal_empty", place=place))
            elif phase.moves(target):
                yield Cause(Topic.CALM, Message.of("no_rival"))

    def _explain_target(self, unit: int, target: int) -> Iterator[Cause]:
        phase = self.phase
        if phase.facts[unit].head_to_head:
            yield explain_defense(phase, target)
        elif phase.moves(target):
            leaver = phase.units[target]
            message = Message.of("left_province", order=phase.orders[target], unit=leaver)
            yield Cause(Topic.RESULT, message, (datc("5.B.5"),), leaver)
        else:
            yield explain_hold(phase, target)
            if phase.goals[target] and phase.dislodger(target) is None:
                yield self.explain_order(target, inner=True)

    def _explain_cycle(self, unit: int) -> Cause | None:
        """Return the node about units that moved in a circle or swapped places."""
        phase = self.phase
        cycle, following = [unit], phase.at.get(phase.goals[unit])
        while following is not None and phase.moves(following) and following not in cycle:
            cycle.append(following)
            following = phase.at.get(phase.goals[following])
        if following != unit:
            return None
        units = tuple(phase.units[number] for number in cycle)
        if len(cycle) == 2:
            return Cause(Topic.RING, Message.of("swap_by_convoy", units=units), (rule(19),))
        message = Message.of("circular_movement", units=units)
        return Cause(Topic.RING, message, (rule(7), datc("5.B.9")))

    def explain_dislodgment(self, number: int, dislodger: int) -> Cause:
        """Return the node about the dislodgment of the unit by `dislodger`."""
        phase, attacker = self.phase, self.phase.units[dislodger]
        message = Message.of(
            "unit_dislodged",
            unit=phase.units[number],
            attacker=attacker,
            strength=phase.facts[dislodger].attack,
            resistance=phase.find_resistance(dislodger, number),
        )
        causes: tuple[Cause, ...] = ()
        if number not in self._dislodged:
            self._dislodged.add(number)
            head_to_head = phase.facts[dislodger].head_to_head
            explain = explain_defense if head_to_head else explain_hold
            causes = (explain_attack(phase, dislodger), explain(phase, number))
        return Cause(Topic.DISLODGED, message, (datc("5.B.1"),), attacker, causes=causes)

    # Convoys.

    def _explain_convoy(self, army: int, first: int | None = None) -> Iterator[Cause]:
        """Yield the node about the army's convoy and its fleets, once for each convoyed army.

        For a very large convoy, it has the fleet `first`, the fleets that failed, and a few more.
        """
        phase = self.phase
        if not phase.facts[army].by_convoy or army in self._convoys:
            return
        self._convoys.add(army)
        route, unit = phase.find_route(army), phase.units[army]
        sources = [datc("5.B.4")]
        if phase.goals[army] in phase.board.army_neighbors[unit.province]:
            sources += [section("Land and Convoy Routes"), datc("4.A.3")]
        ranked = sorted(
            route, key=lambda fleet: (fleet != first, phase.facts[fleet].succeeds, fleet)
        )
        fleets = tuple([self._explain_fleet(fleet) for fleet in sorted(ranked[:MAX_FLEETS])])
        key, more_sources = self._judge_route(army, route)
        parameters: dict[str, Parameter] = {"army": unit, "place": Place(phase.goals[army])}
        if route:
            parameters["fleets"] = tuple(phase.units[fleet] for fleet in route[:MAX_FLEETS])
        messages = [Message.of(key, **parameters)]
        if len(route) > MAX_FLEETS:
            messages.append(Message.of("more_fleets", count=len(route) - MAX_FLEETS))
        message = join_sentences(messages)
        yield Cause(Topic.PATH, message, (*sources, *more_sources), unit, causes=fleets)

    def _judge_route(self, army: int, route: tuple[int, ...]) -> tuple[str, tuple[Source, ...]]:
        """Return the key of a message about the army's convoy, and the rules behind it."""
        phase, facts = self.phase, self.phase.facts[army]
        if not route:
            return "route_without_fleets", (section("Convoy Orders"),)
        if not facts.chain_ordered:
            return "route_incomplete", ()
        if not phase.find_failed_fleets(army):
            return "route_ordered", ()
        if facts.path_open:
            return "route_stayed_open", (rule(20),)
        if phase.rules.any_route_disrupts and facts.chain_sails:
            return "any_route_disrupts", (rule(17), datc("4.A.1"))
        return "route_disrupted", (rule(17),)

    def _explain_fleet(self, fleet: int) -> Cause:
        phase = self.phase
        unit, dislodger = phase.units[fleet], phase.dislodger(fleet)
        causes: tuple[Cause, ...] = ()
        if dislodger is not None:
            causes = (self.explain_dislodgment(fleet, dislodger),)
        if phase.facts[fleet].in_paradox:
            all_hold = phase.rules.paradox is Paradox.ALL_HOLD
            key = "fleet_in_paradox_all_hold" if all_hold else "fleet_in_paradox"
            sources = (rule(21), datc("4.A.2"))
            return Cause(Topic.PARADOX, Message.of(key, unit=unit), sources, unit, causes=causes)
        if dislodger is None:
            stand = tuple(self.explain_stand(fleet))
            message = Message.of("fleet_held", unit=unit)
            return Cause(Topic.FLEET, message, (datc("5.B.3"),), unit, causes=stand)
        message = Message.of("fleet_dislodged", unit=unit)
        return Cause(Topic.FLEET, message, (rule(17), datc("5.B.3")), unit, causes=causes)
