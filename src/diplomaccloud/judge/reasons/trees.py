"""Grows the tree of causes of an order in a decided battle.

The root's sentence is that of the order's result, made from the same finding. Below it stand
what was compared or what failed, and below that why; an order is told once in a tree.

A tree follows moves that wait for each other over a dozen orders, and asks of no more units
what had been without them than `MOST_ASKED` allows: a column of hundreds of units costs little.
"""

from collections.abc import Iterable, Iterator

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.findings import Finding, Why, driven, find
from diplomaccloud.judge.movement.state import Battle
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

_SOURCES: dict[Why, tuple[Source, ...]] = {
    Why.HELD: (),
    Why.WITHSTOOD: (rule(3), datc("5.B.1")),
    Why.BELEAGUERED: (rule(4), datc("5.B.6")),
    Why.MOVED: (datc("5.B.1"),),
    Why.DROVE_OUT: (datc("5.B.1"),),
    Why.HEAD_ON: (rule(6), datc("5.B.7")),
    Why.RIVALS: (rule(3), datc("5.B.6")),
    Why.HELD_OUT: (rule(5), datc("5.B.5")),
    Why.OWN_UNIT: (rule(12), datc("5.B.8")),
    Why.STAYED: (datc("4.A.2"),),
    Why.NO_CHAIN: (section("Convoy Orders"), datc("5.B.4")),
    Why.FLEETS_LOST: (rule(17), datc("5.B.4")),
    Why.GIVEN: (section("Support"), datc("5.B.2")),
    Why.CUT: (rule(13), datc("5.B.2")),
    Why.CUT_DISLODGED: (rule(14), datc("5.B.2")),
    Why.UNMATCHED: (rule(9),),
    Why.CARRIED: (datc("5.B.3"),),
    Why.OTHER_ROUTE: (rule(20), datc("5.B.4")),
    Why.STOOD_READY: (rule(17), datc("5.B.4")),
    Why.SUNK: (rule(17), datc("5.B.3")),
    Why.DROWNED: (datc("4.A.2"), datc("5.B.9")),
}


MOST_ORDERS = 12
"""How many orders a tree tells of that each hung on the next; on the last of them nothing more."""

MOST_ASKED, LEAST_ASKED = 100_000, 6
"""How many questions one tree asks, times the square of the units: so much may judging them cost.

That is enough to ask about everybody in a battle of forty. But `LEAST_ASKED` it always may.
"""


class Forest:
    """The trees of one battle; one what-if serves them all."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.words = Wording(battle)
        self._what_if = WhatIf(battle)

    def tree(self, unit: int) -> Cause:
        """Return the tree of causes of the unit's order, what was decisive at its end."""
        root = _Tree(self.battle, self.words).order(unit)
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
        battle = self.battle
        asked = [battle.at[province] for province in _mentioned(root)]
        most = max(LEAST_ASKED, MOST_ASKED // len(battle.units) ** 2)
        for other in sorted(asked[:most]):
            yield from self._effect(unit, other)
        if (helped := self._helped(unit)) is not None:
            yield from self._effect(helped, unit)

    def _effect(self, unit: int, other: int) -> Iterator[Cause]:
        if self._one_of_dozens(unit) or self._one_of_dozens(other):
            return
        now = self._what_if.change(unit, other)
        if now is not None:
            units, who = self.battle.units, self.words.unit(other)
            effect = Decisive(units[other], units[unit], *now, who, self._so(unit, now))
            sentence = if_it_held([who], effect.so)
            yield Cause(Topic.DECISIVE, sentence, unit=units[other], decisive=effect)

    def _one_of_dozens(self, unit: int) -> bool:
        """Return whether the unit is a fleet beyond the dozen of a convoy that is asked about."""
        army = self.battle.cargo[unit]
        route = () if army is None else self.battle.routes[army] or ()
        return len(route) > MOST_FLEETS and unit not in route[:MOST_FLEETS]

    def _helped(self, unit: int) -> int | None:
        """Return the unit that the unit supports or convoys."""
        battle = self.battle
        order = battle.orders[unit]
        if isinstance(order, SupportHold | SupportMove) and battle.given[unit]:
            return battle.at[order.target.province]
        return battle.cargo[unit]

    def _so(self, unit: int, now: Fate) -> str:
        """Return what would have been otherwise."""
        words = self.words
        outcome, out = now
        was, was_out = fate(self.battle, unit)
        told = []
        if outcome is not was:
            noun = _NOUN[type(self.battle.orders[unit])]
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

    def __init__(self, battle: Battle, words: Wording) -> None:
        self.battle = battle
        self.words = words
        self.tally = Tally(battle, words)
        self.convoys = Convoys(battle, words, self.dislodged, self.withstood)
        self._seen: set[int] = set()
        self._out: set[int] = set()

    def order(self, unit: int, inner: bool = False) -> Cause:
        """Return the node of the unit's order; an inner one names the order first."""
        battle = self.battle
        found = find(battle, unit)
        driver = battle.dislodger(unit)
        sentence = self.words.sentence(unit, found, driver)
        if inner:
            sentence = f"{battle.orders[unit]}: {sentence}"
        causes: tuple[Cause, ...] = ()
        if unit not in self._seen and len(self._seen) < MOST_ORDERS:
            self._seen.add(unit)
            causes = tuple(self._causes(unit, found))
            if driver is not None and unit not in self._out:
                causes += (self.dislodged(unit, driver),)
        mine = battle.units[unit]
        return Cause(Topic.RESULT, sentence, self._sources(unit, found), mine, causes=causes)

    def _sources(self, unit: int, found: Finding) -> tuple[Source, ...]:
        sources = _SOURCES[found.why]
        if found.why is Why.HELD and self.battle.dislodger(unit) is not None:
            return (datc("5.B.1"),)
        order = self.battle.orders[unit]
        if found.why is Why.UNMATCHED and isinstance(order, SupportHold):
            return (rule(8),)
        if found.why is Why.FLEETS_LOST and self.battle.drowned & set(found.units):
            return (rule(21), datc("4.A.2"), *sources)
        if found.why is Why.STOOD_READY and len(found.units) == 1:
            return _SOURCES[Why.NO_CHAIN]
        if found.why.outcome is Outcome.BOUNCED and self.battle.by_convoy(unit):
            return (*sources, rule(18))
        return sources

    def _causes(self, unit: int, found: Finding) -> Iterator[Cause]:
        order = self.battle.orders[unit]
        if isinstance(order, Hold):
            yield from self.withstood(unit) if self.battle.attackers(unit) else self._calm(unit)
        elif isinstance(order, Move):
            yield from self._move(unit)
        elif found.why in {Why.GIVEN, Why.CUT, Why.CUT_DISLODGED}:
            if not self.battle.attackers(unit):
                yield from self._calm(unit, ", so that nothing could cut its support")
            yield from cut_causes(self.battle, self.words, unit, self.dislodged)
            if isinstance(order, SupportMove) and found.why is Why.GIVEN:
                yield from self._in_vain(unit, order)
        elif found.why is not Why.UNMATCHED:
            army = self.battle.cargo[unit]
            if army is not None:
                yield from self.convoys.route(army, unit)

    def _in_vain(self, unit: int, order: SupportMove) -> Iterator[Cause]:
        """Yield the strength of the supported move, if a support that was given adds nothing."""
        node = self.tally.attack(self.battle.at[order.target.province])
        backers = node.strength.backers if node.strength else ()
        if any(one.unit == self.battle.units[unit] and not one.counts for one in backers):
            yield node

    # Holds and moves.

    def withstood(self, unit: int) -> Iterator[Cause]:
        """Yield the strengths that met where a unit was attacked and not dislodged."""
        attackers = self.battle.attackers(unit)
        if not attackers or self.battle.dislodger(unit) is not None:
            return
        yield self.tally.hold(unit)
        for one in attackers:
            yield self.tally.attack(one)

    def _move(self, unit: int) -> Iterator[Cause]:
        battle = self.battle
        if battle.by_convoy(unit):
            yield from self.convoys.route(unit)
        if not path_state(battle, unit):
            return
        if battle.moves[unit] and (ring := self._ring(unit)):
            yield ring
        yield self.tally.attack(unit)
        target = battle.at.get(battle.goals[unit])
        if target is not None:
            yield from self._target(unit, target)
        rivals = [rival for rival in battle.rivals[battle.goals[unit]] if rival != unit]
        for rival in rivals:
            yield from self._rival(rival)
        if battle.moves[unit] and not rivals:
            yield from self._alone(unit, target)

    def _alone(self, unit: int, target: int | None) -> Iterator[Cause]:
        """Yield that nobody else went where the unit went, unless there was somebody to fight."""
        goal = self.words.goal(unit)
        if target is None:
            text = f"{goal[:1].upper()}{goal[1:]} was empty, and nobody else went there."
            yield Cause(Topic.CALM, text)
        elif self.battle.moves[target]:
            yield Cause(Topic.CALM, "Nobody else went there.")

    def _calm(self, unit: int, so: str = "") -> Iterator[Cause]:
        """Yield that nobody attacked the unit, and what that comes to."""
        yield Cause(Topic.CALM, f"Nobody attacked {self.words.unit(unit)}{so}.")

    def _target(self, unit: int, target: int) -> Iterator[Cause]:
        battle = self.battle
        if battle.facing[unit] is not None:
            yield self.tally.defend(target)
        elif battle.moves[target]:
            yield self._leaf(target)
        else:
            yield self.tally.hold(target)
            if battle.goals[target] and battle.dislodger(target) is None:
                yield self.order(target, inner=True)

    def _leaf(self, unit: int) -> Cause:
        sentence = f"{self.battle.orders[unit]} left {self.words.place(unit)} free."
        return Cause(Topic.RESULT, sentence, (datc("5.B.5"),), self.battle.units[unit])

    def _rival(self, rival: int) -> Iterator[Cause]:
        battle = self.battle
        yield self.tally.prevent(rival)
        if not path_state(battle, rival):
            yield from self.convoys.route(rival)

    def _ring(self, unit: int) -> Cause | None:
        """Return the node for units that moved around in a ring or changed places."""
        battle = self.battle
        ring, here = [unit], battle.at.get(battle.goals[unit])
        while here is not None and here != unit and battle.moves[here] and here not in ring:
            ring.append(here)
            here = battle.at.get(battle.goals[here])
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
        battle, words = self.battle, self.words
        own, theirs = driven(battle, unit, driver)
        who = words.unit(unit)
        text = (
            f"{who[:1].upper()}{who[1:]} was dislodged by {words.origin(driver)}, "
            f"{own} against {theirs}."
        )
        mine = battle.units[driver]
        sources = (datc("5.B.1"),)
        if unit in self._out:
            return Cause(Topic.DISLODGED, text, sources, mine)
        self._out.add(unit)
        opposed = battle.facing[driver] is not None
        met = self.tally.defend(unit) if opposed else self.tally.hold(unit)
        causes = (self.tally.attack(driver), met)
        return Cause(Topic.DISLODGED, text, sources, mine, causes=causes)
