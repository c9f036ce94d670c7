"""Builds the tree of causes of an order in a decided movement phase.

The root has the message of the order's result. Its children show what was compared or what failed,
and their children the reasons. Each order is explained only once.

A tree follows moves that depend on each other through at most a dozen orders, and `MAX_ASKED`
limits the number of what-if questions, so that even a column of hundreds of units is cheap.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.messages.values import (
    Message,
    Parameter,
    Place,
    PowerName,
    join_sentences,
)
from diplomaccloud.judge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.reasons.facts import DecidedPhase
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.values import (
    Cause,
    Decisive,
    OrderedSupport,
    Side,
    Strength,
    Topic,
)
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import Paradox
from diplomaccloud.judge.units import Unit

_OWN_UNIT = (rule(12), datc("5.B.8"))
_READY = (rule(17), datc("5.B.4"))
_NO_CHAIN = (section("Convoy Orders"), datc("5.B.4"))
_STANDOFF = (rule(4), datc("5.B.6"))
_DISLODGED = (rule(14), datc("5.B.2"))

_KEYS: dict[tuple[Source, ...], str] = {
    (): "held",
    (datc("5.B.1"),): "dislodged destroyed moved moved_by_convoy moved_and_dislodged "
    "moved_by_convoy_and_dislodged",
    (datc("5.B.1"), datc("5.B.5")): "held_against_attack bounced_occupied",
    (datc("5.B.1"), datc("5.B.6")): "bounced_stronger_rivals",
    _STANDOFF: "held_beleaguered",
    (rule(6), datc("5.B.7")): "bounced_head_to_head dislodged_head_to_head destroyed_head_to_head",
    (rule(3), datc("5.B.6")): "bounced_rivals",
    _OWN_UNIT: "bounced_own_stayed bounced_own_unit",
    (datc("4.A.2"),): "bounced_by_paradox",
    _NO_CHAIN: "no_convoy",
    _READY: "convoy_fleets_dislodged convoy_failed_by_paradox convoy_ready_fleets_dislodged "
    "convoy_ready_paradox convoy_ready_no_chain",
    (section("Support"), datc("5.B.2")): "supported_hold supported_move",
    (rule(13), datc("5.B.2")): "support_cut support_cut_and_dislodged support_cut_and_destroyed",
    _DISLODGED: "support_cut_by_dislodgment support_cut_by_destruction",
    (rule(8),): "support_void_target_moved",
    (rule(9),): "void_target_not_ordered support_void_no_convoy convoy_void_other_fleets "
    "convoy_void_by_land",
    (datc("5.B.3"),): "convoyed convoyed_and_bounced",
    (rule(20), datc("5.B.4")): "convoy_other_route convoy_disrupted_other_route",
    (rule(17), datc("5.B.3")): "convoy_disrupted",
    (datc("4.A.2"), datc("5.B.9")): "convoy_disrupted_by_paradox",
}
_SOURCES = {key: sources for sources, keys in _KEYS.items() for key in keys.split()}
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
    if not any(issue in cause.sources for cause in (root, *root.causes)):
        for cause in islice((one for one in root.walk() if issue in one.sources), 1):
            yield Cause(Topic.PARADOX, cause.message, cause.sources, cause.unit)


# The effect of a support.


def _explain_support_effect(phase: DecidedPhase, unit: int) -> Sequence[Cause]:
    """Return nodes about the effect of the unit's support, if it gave one.

    Other units are named only if the support had no effect on the supported unit.
    """
    if phase.verdict.outcomes[unit] is not Outcome.GIVEN:
        return ()
    target = phase.find_helped(unit)
    others = (i for i in range(len(phase.units)) if i not in {unit, target})
    return (
        list(_find_change(phase, unit, target))
        or list(islice((one for i in others for one in _find_change(phase, unit, i)), MAX_OTHERS))
        or [Cause(Topic.EFFECT, _say_why_not_needed(phase, phase.orders[unit], target))]
    )


def _find_change(phase: DecidedPhase, support: int, number: int) -> Iterator[Cause]:
    """Yield what would have happened to a unit without the support, if it is different."""
    unit, (was, was_dislodged) = phase.units[number], phase.fates[number]
    outcome, dislodged = phase.list_fates_without(support)[number]
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
    key = "support_not_needed_to_hold"
    if not phase.attackers(target):
        key = "support_not_needed_unattacked"
    elif phase.dislodger(target) is not None:
        key = "support_of_dislodged_unit"
    return Message.of(key, unit=unit)


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


def _find_effect(phase: DecidedPhase, number: int, other: int) -> Iterator[Cause]:
    """Yield a node about the fate of a unit if `other` had held, if it would be different."""
    if number == other or isinstance(phase.orders[other], Hold):
        return
    if _is_left_out(phase, number) or _is_left_out(phase, other):
        return
    (was, was_dislodged), fate = phase.fates[number], phase.list_fates_without(other)[number]
    if fate == (was, was_dislodged):
        return
    (outcome, dislodged), unit, also = fate, phase.units[number], None
    if outcome is was:
        key = "if_held_dislodged" if dislodged else "if_held_not_dislodged"
    else:
        key = _CHANGES.get((type(phase.orders[number]), outcome), "if_held_order_void")
        if dislodged != was_dislodged:
            also = "would_be_dislodged" if dislodged else "would_not_be_dislodged"
    dislodgment = Message.of(also, unit=unit) if also else None
    effect = Decisive(phase.units[other], unit, outcome, dislodged, key, dislodgment)
    yield Cause(Topic.DECISIVE, effect.describe((effect.unit,)), unit=effect.unit, decisive=effect)


def _is_left_out(phase: DecidedPhase, unit: int) -> bool:
    """Return whether the unit is a fleet beyond the limit of fleets to ask about."""
    army = phase.facts[unit].cargo
    return army >= 0 and unit not in phase.find_route(army)[:MAX_FLEETS]


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
        message, dislodger = phase.messages[number], phase.dislodger(number)
        sources = self._find_sources(number)
        if inner:
            message = Message.of("order_and_result", order=phase.orders[number], result=message)
        causes: tuple[Cause, ...] = ()
        if number not in self._orders and len(self._orders) < MAX_ORDERS:
            self._orders.add(number)
            causes = tuple(self._find_causes(number))
            if dislodger is not None and number not in self._dislodged:
                causes += (self._explain_dislodgment(number, dislodger),)
        return Cause(Topic.RESULT, message, sources, phase.units[number], causes=causes)

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
            return _DISLODGED
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
            yield from self._explain_stand(unit) if attackers else self._calm("not_attacked", unit)
        elif isinstance(order, Move):
            yield from self._explain_move(unit)
        elif phase.find_supported_province(unit) is not None:
            if not attackers:
                yield from self._calm("support_not_attacked", unit)
            for attacker in attackers:
                yield self._explain_attack_on_support(attacker, unit)
            if isinstance(order, SupportMove) and phase.facts[unit].succeeds:
                # Show the strength of the supported move if the support adds nothing to it.
                node = _explain_attack(phase, phase.find_helped(unit))
                supports = node.strength.supports if node.strength else ()
                if any(one.unit == phase.units[unit] and not one.counts for one in supports):
                    yield node
        elif phase.facts[unit].cargo >= 0:
            yield from self._explain_convoy(phase.facts[unit].cargo, unit)

    def _calm(self, key: str, unit: int) -> Iterator[Cause]:
        yield Cause(Topic.CALM, Message.of(key, unit=self.phase.units[unit]))

    # Holds and moves.

    def _explain_stand(self, unit: int) -> Iterator[Cause]:
        """Yield the strengths that were compared when a unit was attacked but not dislodged."""
        phase, attackers = self.phase, self.phase.attackers(unit)
        if not attackers or phase.dislodger(unit) is not None:
            return
        # For a unit that held, its own result says this.
        strong = phase.find_strong_attackers(unit)
        if not isinstance(phase.orders[unit], Hold) and len(strong) > 1:
            yield Cause(Topic.RESULT, Message.of("attacks_bounced", attackers=strong), _STANDOFF)
        yield _explain_hold(phase, unit)
        for attacker in attackers:
            yield _explain_attack(phase, attacker)

    def _explain_move(self, unit: int) -> Iterator[Cause]:
        phase = self.phase
        goal, moves = phase.goals[unit], phase.moves(unit)
        yield from self._explain_convoy(unit)
        if not phase.facts[unit].path_open:
            return
        if moves and (cycle := self._explain_cycle(unit)):
            yield cycle
        yield _explain_attack(phase, unit)
        target = phase.at.get(goal)
        if target is not None:
            yield from self._explain_target(unit, target)
        rivals = [rival for rival in phase.rivals[goal] if rival != unit]
        for rival in rivals:
            yield _explain_prevention(phase, rival)
            if not phase.facts[rival].path_open:
                yield from self._explain_convoy(rival)
        if moves and not rivals:
            if target is None:
                yield Cause(Topic.CALM, Message.of("goal_empty", place=Place(goal)))
            elif phase.moves(target):
                yield Cause(Topic.CALM, Message.of("no_rival"))

    def _explain_target(self, unit: int, target: int) -> Iterator[Cause]:
        phase, leaver = self.phase, self.phase.units[target]
        if phase.facts[unit].head_to_head:
            yield _explain_defense(phase, target)
        elif phase.moves(target):
            message = Message.of("left_province", order=phase.orders[target], unit=leaver)
            yield Cause(Topic.RESULT, message, (datc("5.B.5"),), leaver)
        else:
            yield _explain_hold(phase, target)
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
        swaps, units = len(cycle) == 2, tuple([phase.units[number] for number in cycle])
        message = Message.of("swap_by_convoy" if swaps else "circular_movement", units=units)
        return Cause(Topic.RING, message, (rule(19),) if swaps else (rule(7), datc("5.B.9")))

    def _explain_dislodgment(self, number: int, dislodger: int) -> Cause:
        """Return the node about the dislodgment of the unit by `dislodger`."""
        phase, facts = self.phase, self.phase.facts[dislodger]
        message = Message.of(
            "unit_dislodged",
            unit=phase.units[number],
            attacker=phase.units[dislodger],
            strength=facts.attack,
            resistance=phase.find_resistance(dislodger, number),
        )
        causes: tuple[Cause, ...] = ()
        if number not in self._dislodged:
            self._dislodged.add(number)
            explain = _explain_defense if facts.head_to_head else _explain_hold
            causes = (_explain_attack(phase, dislodger), explain(phase, number))
        sources = (datc("5.B.1"),)
        return Cause(Topic.DISLODGED, message, sources, phase.units[dislodger], causes=causes)

    # Attacks on supporting units.

    def _explain_attack_on_support(self, number: int, unit: int) -> Cause:
        """Return a node about an attack on the unit, whose support matches an order."""
        phase = self.phase
        attacker, into = phase.units[number], phase.find_supported_province(unit) or ""
        if number not in phase.find_cutters(unit):
            return _explain_spared(phase, number, unit)
        if not phase.facts[number].cuts:
            supporter = phase.units[unit]
            message = Message.of("cut_by_dislodging", attacker=attacker, supporter=supporter)
            causes = (self._explain_dislodgment(unit, number),)
            return Cause(Topic.CUT, message, _DISLODGED, attacker, causes=causes)
        sources = [rule(13), datc("5.B.2")]
        if phase.dislodger(number) is not None:
            sources.insert(1, rule(15))
        on_route = phase.at.get(into) in phase.find_route(number)
        if isinstance(phase.orders[unit], SupportMove) and on_route:
            sources.insert(0, rule(22))
        message = Message.of("cut_from_elsewhere", attacker=attacker, place=Place(into))
        return Cause(Topic.CUT, message, tuple(sources), attacker)

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
            parameters["fleets"] = tuple([phase.units[fleet] for fleet in route[:MAX_FLEETS]])
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
        phase, dislodger = self.phase, self.phase.dislodger(fleet)
        causes: tuple[Cause, ...] = ()
        topic = Topic.FLEET
        sources: tuple[Source, ...] = (rule(17), datc("5.B.3"))
        if dislodger is not None:
            key, causes = "fleet_dislodged", (self._explain_dislodgment(fleet, dislodger),)
        if phase.facts[fleet].in_paradox:
            all_hold = phase.rules.paradox is Paradox.ALL_HOLD
            key = "fleet_in_paradox_all_hold" if all_hold else "fleet_in_paradox"
            topic, sources = Topic.PARADOX, (rule(21), datc("4.A.2"))
        elif dislodger is None:
            key, causes = "fleet_held", tuple(self._explain_stand(fleet))
            sources = sources[1:]
        unit = phase.units[fleet]
        return Cause(topic, Message.of(key, unit=unit), sources, unit, causes=causes)


# Strengths (DATC 5.B.5 to 5.B.8).


Supports = tuple[OrderedSupport, ...]


def _explain_attack(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength of a move against the unit at its goal."""
    facts, place = phase.facts[unit], Place(phase.goals[unit])
    value = facts.attack if facts.path_open else 0
    target = phase.at.get(phase.goals[unit])
    if target is not None and phase.moves(target) and not facts.head_to_head:
        target = None
    spared = None if target is None else phase.units[target].power
    supports = _find_supports(phase, unit, spared)
    sources = [datc("5.B.8")]
    if target is not None and phase.units[unit].power == spared:
        supports = _find_supports(phase, unit)
        if not facts.path_open or facts.support > phase.find_resistance(unit, target):
            return _explain_attack_on_own_unit(phase, unit, target, value, supports)
        # The move would have failed against a foreign unit, too.
        value = facts.support
    elif any(support.unit.power == spared for support in supports):
        sources.append(rule(12))
    key, told = "attack_strength", supports
    if not facts.path_open:
        key, told = "attack_without_convoy", ()
    measure = partial(_measure, phase, Side.ATTACK, unit, value, key, *sources)
    return measure(supports=supports, told=told, place=place)


def _explain_attack_on_own_unit(
    phase: DecidedPhase, unit: int, target: int, value: int, supports: Supports
) -> Cause:
    """Return the strength against a unit of the same power, and against others moving there.

    The second number is the one compared with the others; a bare 0 would contradict it. It has
    supports, because without them a move is no stronger than any unit that stays.
    """
    facts, goal = phase.facts[unit], phase.goals[unit]
    place, attacked = Place(goal), phase.units[target]
    key, sources = "attack_on_own_unit", (datc("5.B.8"), rule(12))
    measure = partial(_measure, phase, Side.ATTACK, unit, value)
    if not facts.path_open or len(phase.rivals[goal]) < 2:
        return measure(key, *sources, place=place, target=attacked)
    key, against = f"{key}_with_rivals", facts.support
    return measure(key, *sources, told=supports, place=place, target=attacked, against=against)


def _explain_hold(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength with which a unit held its province."""
    value, supports = phase.facts[unit].hold, _find_supports(phase, unit, holding=True)
    key = "hold_strength_after_move" if phase.goals[unit] else "hold_strength"
    sources = datc("5.B.5"), rule(8)
    return _measure(phase, Side.HOLD, unit, value, key, *sources, supports=supports)


def _explain_defense(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength of a move against its opponent in a head-to-head battle."""
    value, supports = phase.facts[unit].support, _find_supports(phase, unit)
    key, sources = "defend_strength", (datc("5.B.7"), rule(6))
    return _measure(phase, Side.DEFEND, unit, value, key, *sources, supports=supports)


def _explain_prevention(phase: DecidedPhase, unit: int) -> Cause:
    """Return the strength with which a move kept others out of its goal."""
    facts, supports = phase.facts[unit], _find_supports(phase, unit)
    told, key, sources = supports, "prevent_strength", [datc("5.B.6")]
    if facts.prevent:
        if phase.dislodger(unit) is not None:
            sources.append(rule(10))
    elif facts.path_open:
        told, key = (), "prevent_dislodged"
        sources += [rule(11), datc("4.A.7")]
    else:
        told, key = (), "prevent_without_convoy"
        sources.append(datc("5.B.4"))
    measure = partial(_measure, phase, Side.PREVENT, unit, facts.prevent, key, *sources)
    return measure(supports=supports, told=told, place=Place(phase.goals[unit]))


def _measure(
    phase: DecidedPhase,
    side: Side,
    unit: int,
    value: int,
    key: str,
    *sources: Source,
    supports: Supports = (),
    told: Supports | None = None,
    **parameters: Parameter,
) -> Cause:
    """Return a node about a strength and the supports that did or did not count.

    `told` are those that the message names, if they are not all.
    """
    named, told = phase.units[unit], supports if told is None else told
    parameters = {"unit": named, "value": value, **parameters}
    if counted := tuple([support.unit for support in told if support.counts]):
        key, parameters["supporters"] = f"{key}_supported", counted
    # The supports that do not count have one message for each reason.
    supporters: dict[Message, list[Unit]] = {}
    for support in told:
        if support.why_not is not None:
            reason = {**support.why_not.parameters}
            del reason["supporters"]
            supporters.setdefault(Message(support.why_not.key, reason), []).append(support.unit)
    not_counted = [
        Message(why.key, {"supporters": tuple(units), **why.parameters})
        for why, units in supporters.items()
    ]
    message = join_sentences([Message(key, parameters), *not_counted])
    numbers = [phase.at[support.unit.province] for support in supports if support.counts]
    causes = tuple(cause for i in numbers for cause in _find_paradox_causes(phase, i))
    strength = Strength(side, named, value, supports)
    return Cause(Topic.STRENGTH, message, sources, named, strength, causes=causes)


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
        attackers = tuple([phase.units[cutter] for cutter in phase.find_cutters(number)])
        return Message.of("support_was_cut", supporters=supporters, attackers=attackers)
    if spared is None:
        return None
    if phase.units[number].power == spared:
        key = "support_against_own_unit"
    elif phase.rules.own_attack_void and any(
        phase.units[i].power == spared
        and phase.facts[i].succeeds
        and isinstance(other, SupportHold | SupportMove)
        and other.target == phase.units[target]
        for i, other in enumerate(phase.orders)
    ):
        key = "support_in_void_attack"
    else:
        return None
    return Message.of(key, supporters=supporters, power=PowerName(spared))


# Attacks that cut no support.


_SPARED = {
    Paradox.RULE_1971: "spared_by_rule_of_1971",
    Paradox.RULE_1982: "spared_by_rule_of_1982",
    Paradox.RULE_2000: "spared_by_rule_of_2000",
}


def _find_paradox_causes(phase: DecidedPhase, supporter: int) -> Iterator[Cause]:
    """Yield a node for each attack that a paradox rule kept from cutting a support."""
    for number in phase.attackers(supporter):
        if phase.is_spared_in_paradox(number) or _is_in_paradox(phase, number):
            yield _explain_spared(phase, number, supporter)


def _is_in_paradox(phase: DecidedPhase, army: int) -> bool:
    """Return whether the paradox rule ended the convoy of the army."""
    in_paradox = any(phase.facts[fleet].in_paradox for fleet in phase.find_route(army))
    return in_paradox and not phase.facts[army].path_open


def _explain_spared(phase: DecidedPhase, number: int, unit: int) -> Cause:
    """Return a node about an attack that did not cut the unit's support."""
    attacker, facts = phase.units[number], phase.facts[number]
    into = phase.find_supported_province(unit) or ""
    place: dict[str, Parameter] = {}
    is_spared = phase.is_spared_in_paradox(number)
    if not facts.path_open and not is_spared:
        key, sources = "not_cut_no_convoy", [datc("5.B.4")]
        if _is_in_paradox(phase, number):
            key, sources = "not_cut_paradox", [rule(21), datc("4.A.2")]
    elif into == attacker.province:
        issue = datc("4.A.4" if facts.by_convoy else "5.B.2")
        key, sources = "not_cut_from_target", [rule(13), issue]
    elif is_spared:
        place["place"] = Place(into)
        key, sources = _SPARED[phase.rules.paradox], [rule(21), datc("4.A.2")]
    else:
        key, sources = "not_cut_own_support", [rule(16), datc("5.B.2")]
    message = Message.of(key, attacker=attacker, **place)
    return Cause(Topic.SPARED, message, tuple(sources), attacker)
