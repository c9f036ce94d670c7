"""Words for what was found about an order: one sentence, and phrases for the parts of it."""

from collections.abc import Iterable, Sequence

from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.findings import Finding, Why, driven
from diplomaccloud.judge.movement.state import Battle
from diplomaccloud.judge.orders import Convoy, Hold, Move, SupportHold, SupportMove
from diplomaccloud.judge.results import Outcome


def listed(names: Iterable[str]) -> str:
    """Return `Russia, Turkey and Italy`."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


class Wording:
    """Puts findings about one battle into words."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.map: Geography = geography(battle.board)

    def sentence(self, unit: int, found: Finding, driver: int | None) -> str:
        """Return why the unit's order came to what it did; `driver` is who dislodged it."""
        if driver is None:
            return self._told(unit, found) + "."
        driven_out = self.dislodged(unit, driver)
        if found.why in {Why.HELD, Why.WITHSTOOD, Why.BELEAGUERED}:
            return f"D{driven_out[1:]}."
        if found.why is Why.CUT_DISLODGED:
            return f"Cut, being {driven_out}."
        if found.why is Why.CUT and found.units == (driver,):
            strengths = self._strengths(*driven(self.battle, unit, driver))
            return f"{self._told(unit, found)}, which dislodged it, {strengths}."
        if found.why is Why.HEAD_ON and found.units == (driver,):
            return f"{self._told(unit, found)}, and dislodged it."
        return f"{self._told(unit, found)}; {driven_out}."

    def _told(self, unit: int, found: Finding) -> str:
        order = self.battle.orders[unit]
        if isinstance(order, Move):
            return self._move(unit, order, found)
        if isinstance(order, Hold):
            return self._hold(unit, found)
        if found.why is Why.UNMATCHED:
            return f"Void: {self.unmatched(order)}"
        if isinstance(order, Convoy):
            return self._convoy(found)
        if found.why is Why.GIVEN:
            return self._given(order)
        return f"Cut by the attack of {listed(map(self.origin, found.units))}"

    # Phrases.

    def place(self, unit: int) -> str:
        """Return the name of the province the unit stood in."""
        return self.map.the(self.battle.provinces[unit])

    def goal(self, unit: int) -> str:
        """Return the name of the province the unit was ordered to."""
        return self.map.the(self.battle.goals[unit])

    def whose(self, unit: int) -> str:
        """Return the name of the unit's power."""
        return self.map.power(self.battle.powers[unit])

    def kind(self, unit: int) -> str:
        """Return `army` or `fleet`."""
        return self.battle.units[unit].kind.word

    def unit(self, unit: int) -> str:
        """Return `the army in Paris`."""
        return f"the {self.kind(unit)} in {self.place(unit)}"

    def origin(self, unit: int) -> str:
        """Return `Russia from Warsaw`."""
        return f"{self.whose(unit)} from {self.place(unit)}"

    def way(self, unit: int) -> str:
        """Return `London to Norway`."""
        return f"{self.place(unit)} to {self.goal(unit)}"

    def dislodged(self, unit: int, driver: int) -> str:
        """Return `dislodged by Russia from Warsaw, 2 against 1`."""
        strengths = self._strengths(*driven(self.battle, unit, driver))
        return f"dislodged by {self.origin(driver)}, {strengths}"

    def fleets(self, units: Sequence[int]) -> str:
        """Return `the fleet in A`, or `the fleets in A and B`."""
        noun = "fleet" if len(units) == 1 else "fleets"
        return f"the {noun} in {listed(map(self.place, units))}"

    def fleets_failed(self, units: Sequence[int]) -> str:
        """Return why the fleets did not convoy."""
        drowned = [one for one in units if one in self.battle.drowned]
        sunk = [one for one in units if one not in self.battle.drowned]
        told = []
        if sunk:
            told.append(f"{self.fleets(sunk)} {'was' if len(sunk) == 1 else 'were'} dislodged")
        if drowned:
            told.append(f"a paradox kept {self.fleets(drowned)} from convoying")
        return listed(told)

    def _strengths(self, own: int, theirs: int) -> str:
        return f"{own} against {theirs}"

    # Holds and moves.

    def _hold(self, unit: int, found: Finding) -> str:
        held = f"Held in {self.place(unit)}"
        if found.why is Why.WITHSTOOD:
            who = listed(map(self.origin, found.units))
            attacks = "attack" if len(found.units) == 1 else "attacks"
            return f"{held} against the {attacks} of {who}, {found.own} against {found.theirs}"
        if found.why is Why.BELEAGUERED:
            who = listed(map(self.origin, found.units))
            return f"{held}: the attacks of {who} kept each other out"
        return held

    def _move(self, unit: int, order: Move, found: Finding) -> str:
        if found.why.outcome is Outcome.BOUNCED:
            return self._bounced(unit, found)
        if found.why is Why.NO_CHAIN:
            return f"No convoy was ordered all the way from {self.way(unit)}"
        if found.why is Why.FLEETS_LOST:
            return f"The convoy from {self.way(unit)} failed: {self.fleets_failed(found.units)}"
        how = "Moved by convoy" if self.battle.by_convoy(unit) else "Moved"
        moved = f"{how} to {self.map.the(order.to)}"
        if found.why is Why.MOVED:
            return moved
        (target,) = found.units
        theirs = f"{self.whose(target)}’s {self.kind(target)}"
        return f"{moved} and dislodged {theirs}, {found.own} against {found.theirs}"

    def _bounced(self, unit: int, found: Finding) -> str:
        bounced = f"Bounced in {self.goal(unit)}"
        if found.why is Why.STAYED:
            return f"{bounced}: every move in a paradox fails"
        if not found.units:
            return bounced
        other = found.units[0]
        if found.why is Why.OWN_UNIT:
            return f"{bounced}: {self.whose(unit)} cannot dislodge its own {self.kind(other)}"
        strengths = self._strengths(found.own, found.theirs)
        note = self._discount(unit) if found.less else ""
        if found.why is Why.RIVALS:
            return (
                f"{bounced}: {self._rivals(unit, found.units)} attacked it too, {strengths}{note}"
            )
        did = "came the other way" if found.why is Why.HEAD_ON else "did not give way"
        return f"{bounced}: {self.whose(other)} {did}, {strengths}{note}"

    def _rivals(self, unit: int, rivals: Sequence[int]) -> str:
        if len(rivals) == 1 and self.battle.powers[rivals[0]] != self.battle.powers[unit]:
            return self.whose(rivals[0])
        return listed(self._rival(unit, rival) for rival in rivals)

    def _rival(self, unit: int, rival: int) -> str:
        if self.battle.powers[rival] == self.battle.powers[unit]:
            return f"its own {self.kind(rival)} from {self.place(rival)}"
        return self.origin(rival)

    def _discount(self, unit: int) -> str:
        power = self.whose(self.battle.at[self.battle.goals[unit]])
        if self.battle.rules.own_attack_void:
            return f", {power} having supported the attack on its own unit"
        return f", {power}’s support against its own unit not counted"

    # Supports and convoys.

    def _given(self, order: SupportHold | SupportMove) -> str:
        whom = self.unit(self.battle.at[order.target.province])
        if isinstance(order, SupportHold):
            return f"Supported {whom}"
        return f"Supported the move of {whom} to {self.map.the(order.to)}"

    def unmatched(self, order: SupportHold | SupportMove | Convoy) -> str:
        """Return why a support or convoy fits no order of the unit it names."""
        target = self.battle.at[order.target.province]
        whom = self.unit(target)
        if isinstance(order, SupportHold):
            return f"{whom} was ordered to move"
        there = self.map.the(order.to)
        if self.battle.goals[target] == order.to:
            if isinstance(order, Convoy) and self.battle.by_convoy(target):
                return f"{whom} was ordered to go by other seas"
            if isinstance(order, Convoy):
                return f"{whom} went to {there} by land"
            return f"no convoy was ordered for {whom} all the way to {there}"
        return f"{whom} was not ordered to {there}"

    def _convoy(self, found: Finding) -> str:
        (army, *lost) = found.units
        whom = f"the army from {self.way(army)}"
        if found.why is Why.OTHER_ROUTE:
            return f"Took no part in the convoy of {whom}, which went by another route"
        if found.why is Why.CARRIED:
            bounced = "" if self.battle.moves[army] else ", where it bounced"
            return f"Convoyed {whom}{bounced}"
        if found.why is Why.STOOD_READY:
            whole = chain_exists(self.battle, army, self.battle.routes[army] or ())
            why = self.fleets_failed(lost) if whole else "no convoy was ordered all the way"
            return f"Stood ready to convoy {whom}, but {why}"
        if found.why is Why.DROWNED:
            return f"Could not convoy {whom}: a paradox ended the convoy"
        return f"Could not convoy {whom}"
