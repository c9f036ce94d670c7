"""Grows the tree of causes of an order in a decided movement.

The root's sentence is that of the order's result, made from the same finding. Below it stand
what was compared or what failed, and below that why; an order is told once in a tree.

A tree follows moves that wait for each other over a dozen orders, and asks of no more units
what had been without them than `MOST_ASKED` allows: a column of hundreds of units costs little.
"""

from collections.abc import Iterable, Iterator

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.findings import Finding, Reason, dislodging_strengths, find_reason
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.reasons.convoys import MOST_FLEETS, Convoys
from diplomaccloud.judge.reasons.cuts import cut_causes
from diplomaccloud.judge.reasons.messages import Wording
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.strengths import Tally
from diplomaccloud.judge.reasons.values import Cause, Decisive, Topic, if_it_held
from diplomaccloud.judge.reasons.what_if import Fate, WhatIf, fate
from diplomaccloud.judge.results import Outcome

_SOURCES: dict[Reason, tuple[Source, ...]] = {
    Reason.HELD: (),
    Reason.WITHSTOOD: (rule(3), datc("5.B.1")),
    Reason.BELEAGUERED: (rule(4), datc("5.B.6")),
    Reason.MOVED: (datc("5.B.1"),),
    Reason.DISLODGED_UNIT: (datc("5.B.1"),),
    Reason.HEAD_TO_HEAD: (rule(6), datc("5.B.7")),
    Reason.RIVALS: (rule(3), datc("5.B.6")),
    Reason.OCCUPIED: (rule(5), datc("5.B.5")),
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


MOST_ORDERS = 12
"""How many orders a tree tells of that each hung on the next; on the last of them nothing more."""

MOST_ASKED, LEAST_ASKED = 100_000, 6
"""How many questions one tree asks, times the square of the units: so much may judging them cost.

That is enough to ask about everybody in a battle of forty. But `LEAST_ASKED` it always may.
"""


class Forest:
    """The trees of one battle; one what-if serves them all."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self.words = Wording(movement)
        self._what_if = WhatIf(movement)

    def tree(self, unit: int) -> Cause:
        """Return the tree of causes of the unit's order, what was decisive at its end."""
        root = _Tree(self.movement, self.words).order(unit)
        return Cause(
            root.topic,
            root.sentence,
            root.sources,
            root.unit,
            causes=(*root.causes, *self._decisive(unit, root)),
        )

    def _decisive(self, unit: int, root: Cause) -> Iterator[Cause]:
        """Yield a node for every unit in the tree without whose order all would be otherwise.

        For a support that counts and a convoy that holds, also what they were worth to others.
        """
        movement = self.movement
        asked = [movement.at[province] for province in _mentioned(root)]
        most = max(LEAST_ASKED, MOST_ASKED // len(movement.units) ** 2)
        for other in sorted(asked[:most]):
            yield from self._effect(unit, other)
        if (helped := self._helped(unit)) is not None:
            yield from self._effect(helped, unit)

    def _effect(self, unit: int, other: int) -> Iterator[Cause]:
        if self._one_of_dozens(unit) or self._one_of_dozens(other):
            return
        now = self._what_if.change(unit, other)
        if now is not None:
            units, who = self.movement.units, self.words.unit(other)
            effect = Decisive(units[other], units[unit], *now, who, self._so(unit, now))
            sentence = if_it_held([who], effect.so)
            yield Cause(Topic.DECISIVE, sentence, unit=units[other], decisive=effect)

    def _one_of_dozens(self, unit: int) -> bool:
        """Return whether the unit is a fleet beyond the dozen of a convoy that is asked about."""
        army = self.movement.cargo[unit]
        route = () if army is None else self.movement.routes[army] or ()
        return len(route) > MOST_FLEETS and unit not in route[:MOST_FLEETS]

    def _helped(self, unit: int) -> int | None:
        """Return the unit that the unit supports or convoys."""
        movement = self.movement
        order = movement.orders[unit]
        if isinstance(order, SupportHold | SupportMove) and movement.support_ok[unit]:
            return movement.at[order.target.province]
        return movement.cargo[unit]

    def _so(self, unit: int, now: Fate) -> str:
        """Return what would have been otherwise."""
        words = self.words
        outcome, out = now
        was, was_out = fate(self.movement, unit)
        told = []
        if outcome is not was:
            noun = _NOUN[type(self.movement.orders[unit])]
            noun = "order" if outcome is Outcome.VOID else noun
            told.append(f"the {noun} of {words.unit(unit)} would have {_WOULD[outcome]}")
        if out != was_out:
            who = "it" if told else words.unit(unit)
            told.append(f"{who} would {'' if out else 'not '}have been dislodged")
        return " and ".join(told)


_NOUN: dict[type[MovementOrder], str] = {
    Hold: "hold",
    Move: "move",
    SupportHold: "support",
    SupportMove: "support",
    Convoy: "convoy",
}

_WOULD = {
    Outcome.MOVED: "succeeded",
    Outcome.BOUNCED: "bounced",
    Outcome.NOPATH: "failed for want of a convoy",
    Outcome.GIVEN: "counted",
    Outcome.CUT: "been cut",
    Outcome.VOID: "been void",
    Outcome.CONVOYED: "held",
    Outcome.DISRUPTED: "failed",
}


def _mentioned(root: Cause) -> list[ProvinceCode]:
    """Return the provinces of all units that the tree speaks of, each once, as they come up."""
    found: dict[ProvinceCode, None] = {}
    for cause in root.walk():
        units = [] if cause.unit is None else [cause.unit]
        if cause.strength is not None:
            units += [backer.unit for backer in cause.strength.backers]
        found |= {unit.province: None for unit in units}
    return list(found)


class _Tree:
    """Grows one tree; remembers which orders it has told."""

    def __init__(self, movement: MovementState, words: Wording) -> None:
        self.movement = movement
        self.words = words
        self.tally = Tally(movement, words)
        self.convoys = Convoys(movement, words, self.dislodged, self.withstood)
        self._seen: set[int] = set()
        self._out: set[int] = set()

    def order(self, unit: int, inner: bool = False) -> Cause:
        """Return the node of the unit's order; an inner one names the order first."""
        movement = self.movement
        found = find_reason(movement, unit)
        driver = movement.dislodger(unit)
        sentence = self.words.sentence(unit, found, driver)
        if inner:
            sentence = f"{movement.orders[unit]}: {sentence}"
        causes: tuple[Cause, ...] = ()
        if unit not in self._seen and len(self._seen) < MOST_ORDERS:
            self._seen.add(unit)
            causes = tuple(self._causes(unit, found))
            if driver is not None and unit not in self._out:
                causes += (self.dislodged(unit, driver),)
        mine = movement.units[unit]
        return Cause(Topic.RESULT, sentence, self._sources(unit, found), mine, causes=causes)

    def _sources(self, unit: int, found: Finding) -> tuple[Source, ...]:
        sources = _SOURCES[found.reason]
        if found.reason is Reason.HELD and self.movement.dislodger(unit) is not None:
            return (datc("5.B.1"),)
        order = self.movement.orders[unit]
        if found.reason is Reason.UNMATCHED and isinstance(order, SupportHold):
            return (rule(8),)
        if found.reason is Reason.CONVOY_FAILED and self.movement.paradox_failed & set(found.units):
            return (rule(21), datc("4.A.2"), *sources)
        if found.reason is Reason.READY and len(found.units) == 1:
            return _SOURCES[Reason.NO_CHAIN]
        if found.reason.outcome is Outcome.BOUNCED and self.movement.by_convoy(unit):
            return (*sources, rule(18))
        return sources

    def _causes(self, unit: int, found: Finding) -> Iterator[Cause]:
        order = self.movement.orders[unit]
        if isinstance(order, Hold):
            yield from self.withstood(unit) if self.movement.attackers(unit) else self._calm(unit)
        elif isinstance(order, Move):
            yield from self._move(unit)
        elif found.reason in {Reason.GIVEN, Reason.CUT, Reason.CUT_BY_DISLODGMENT}:
            if not self.movement.attackers(unit):
                yield from self._calm(unit, ", so that nothing could cut its support")
            yield from cut_causes(self.movement, self.words, unit, self.dislodged)
            if isinstance(order, SupportMove) and found.reason is Reason.GIVEN:
                yield from self._in_vain(unit, order)
        elif found.reason is not Reason.UNMATCHED:
            army = self.movement.cargo[unit]
            if army is not None:
                yield from self.convoys.route(army, unit)

    def _in_vain(self, unit: int, order: SupportMove) -> Iterator[Cause]:
        """Yield the strength of the supported move, if a support that was given adds nothing."""
        node = self.tally.attack(self.movement.at[order.target.province])
        backers = node.strength.backers if node.strength else ()
        if any(one.unit == self.movement.units[unit] and not one.counts for one in backers):
            yield node

    # Holds and moves.

    def withstood(self, unit: int) -> Iterator[Cause]:
        """Yield the strengths that met where a unit was attacked and not dislodged."""
        attackers = self.movement.attackers(unit)
        if not attackers or self.movement.dislodger(unit) is not None:
            return
        yield self.tally.hold(unit)
        for one in attackers:
            yield self.tally.attack(one)

    def _move(self, unit: int) -> Iterator[Cause]:
        movement = self.movement
        if movement.by_convoy(unit):
            yield from self.convoys.route(unit)
        if not path_state(movement, unit):
            return
        if movement.move_ok[unit] and (ring := self._ring(unit)):
            yield ring
        yield self.tally.attack(unit)
        target = movement.at.get(movement.goals[unit])
        if target is not None:
            yield from self._target(unit, target)
        rivals = [rival for rival in movement.rivals[movement.goals[unit]] if rival != unit]
        for rival in rivals:
            yield from self._rival(rival)
        if movement.move_ok[unit] and not rivals:
            yield from self._alone(unit, target)

    def _alone(self, unit: int, target: int | None) -> Iterator[Cause]:
        """Yield that nobody else went where the unit went, unless there was somebody to fight."""
        goal = self.words.goal(unit)
        if target is None:
            text = f"{goal[:1].upper()}{goal[1:]} was empty, and nobody else went there."
            yield Cause(Topic.CALM, text)
        elif self.movement.move_ok[target]:
            yield Cause(Topic.CALM, "Nobody else went there.")

    def _calm(self, unit: int, so: str = "") -> Iterator[Cause]:
        """Yield that nobody attacked the unit, and what that comes to."""
        yield Cause(Topic.CALM, f"Nobody attacked {self.words.unit(unit)}{so}.")

    def _target(self, unit: int, target: int) -> Iterator[Cause]:
        movement = self.movement
        if movement.opponent[unit] is not None:
            yield self.tally.defend(target)
        elif movement.move_ok[target]:
            yield self._leaf(target)
        else:
            yield self.tally.hold(target)
            if movement.goals[target] and movement.dislodger(target) is None:
                yield self.order(target, inner=True)

    def _leaf(self, unit: int) -> Cause:
        sentence = f"{self.movement.orders[unit]} left {self.words.place(unit)} free."
        return Cause(Topic.RESULT, sentence, (datc("5.B.5"),), self.movement.units[unit])

    def _rival(self, rival: int) -> Iterator[Cause]:
        movement = self.movement
        yield self.tally.prevent(rival)
        if not path_state(movement, rival):
            yield from self.convoys.route(rival)

    def _ring(self, unit: int) -> Cause | None:
        """Return the node for units that moved around in a ring or changed places."""
        movement = self.movement
        ring, here = [unit], movement.at.get(movement.goals[unit])
        while here is not None and here != unit and movement.move_ok[here] and here not in ring:
            ring.append(here)
            here = movement.at.get(movement.goals[here])
        if here != unit:
            return None
        names = self._names(ring)
        if len(ring) == 2:
            text = f"The units in {names} changed places, which a convoy allows."
            return Cause(Topic.RING, text, (rule(19),))
        text = f"The units in {names} moved around in a ring, each into the place of the next."
        return Cause(Topic.RING, text, (rule(7), datc("5.B.9")))

    def _names(self, units: Iterable[int]) -> str:
        *others, last = [self.words.place(one) for one in units]
        return f"{', '.join(others)} and {last}"

    def dislodged(self, unit: int, driver: int) -> Cause:
        """Return the node that says how `driver` dislodged `unit`."""
        movement, words = self.movement, self.words
        own, theirs = dislodging_strengths(movement, unit, driver)
        who = words.unit(unit)
        text = (
            f"{who[:1].upper()}{who[1:]} was dislodged by {words.origin(driver)}, "
            f"{own} against {theirs}."
        )
        mine = movement.units[driver]
        sources = (datc("5.B.1"),)
        if unit in self._out:
            return Cause(Topic.DISLODGED, text, sources, mine)
        self._out.add(unit)
        opposed = movement.opponent[driver] is not None
        met = self.tally.defend(unit) if opposed else self.tally.hold(unit)
        causes = (self.tally.attack(driver), met)
        return Cause(Topic.DISLODGED, text, sources, mine, causes=causes)
