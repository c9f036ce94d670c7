"""Words for what was found about an order: one sentence, and phrases for the parts of it."""

from collections.abc import Iterable, Sequence

from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.findings import Finding, Reason, dislodging_strengths
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import Convoy, Hold, Move, SupportHold, SupportMove
from diplomaccloud.judge.results import Outcome


def listed(names: Iterable[str]) -> str:
    """Return `Russia, Turkey and Italy`."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


class Wording:
    """Puts findings about one battle into words."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self.map: Geography = geography(movement.board)

    def sentence(self, unit: int, found: Finding, driver: int | None) -> str:
        """Return why the unit's order came to what it did; `driver` is who dislodged it."""
        if driver is None:
            return self._told(unit, found) + "."
        driven_out = self.dislodged(unit, driver)
        if found.reason in {Reason.HELD, Reason.WITHSTOOD, Reason.BELEAGUERED}:
            return f"D{driven_out[1:]}."
        if found.reason is Reason.CUT_BY_DISLODGMENT:
            return f"Cut, being {driven_out}."
        if found.reason is Reason.CUT and found.units == (driver,):
            strengths = self._strengths(*dislodging_strengths(self.movement, unit, driver))
            return f"{self._told(unit, found)}, which dislodged it, {strengths}."
        if found.reason is Reason.HEAD_TO_HEAD and found.units == (driver,):
            return f"{self._told(unit, found)}, and dislodged it."
        return f"{self._told(unit, found)}; {driven_out}."

    def _told(self, unit: int, found: Finding) -> str:
        order = self.movement.orders[unit]
        if isinstance(order, Move):
            return self._move(unit, order, found)
        if isinstance(order, Hold):
            return self._hold(unit, found)
        if found.reason is Reason.UNMATCHED:
            return f"Void: {self.unmatched(order)}"
        if isinstance(order, Convoy):
            return self._convoy(found)
        if found.reason is Reason.GIVEN:
            return self._given(order)
        return f"Cut by the attack of {listed(map(self.origin, found.units))}"

    # Phrases.

    def place(self, unit: int) -> str:
        """Return the name of the province the unit stood in."""
        return self.map.the(self.movement.provinces[unit])

    def goal(self, unit: int) -> str:
        """Return the name of the province the unit was ordered to."""
        return self.map.the(self.movement.goals[unit])

    def whose(self, unit: int) -> str:
        """Return the name of the unit's power."""
        return self.map.power(self.movement.powers[unit])

    def kind(self, unit: int) -> str:
        """Return `army` or `fleet`."""
        return self.movement.units[unit].kind.word

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
        strengths = self._strengths(*dislodging_strengths(self.movement, unit, driver))
        return f"dislodged by {self.origin(driver)}, {strengths}"

    def fleets(self, units: Sequence[int]) -> str:
        """Return `the fleet in A`, or `the fleets in A and B`."""
        noun = "fleet" if len(units) == 1 else "fleets"
        return f"the {noun} in {listed(map(self.place, units))}"

    def fleets_failed(self, units: Sequence[int]) -> str:
        """Return why the fleets did not convoy."""
        drowned = [one for one in units if one in self.movement.paradox_failed]
        sunk = [one for one in units if one not in self.movement.paradox_failed]
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
        if found.reason is Reason.WITHSTOOD:
            who = listed(map(self.origin, found.units))
            attacks = "attack" if len(found.units) == 1 else "attacks"
            strengths = self._strengths(found.strength, found.resistance)
            return f"{held} against the {attacks} of {who}, {strengths}"
        if found.reason is Reason.BELEAGUERED:
            who = listed(map(self.origin, found.units))
            return f"{held}: the attacks of {who} kept each other out"
        return held

    def _move(self, unit: int, order: Move, found: Finding) -> str:
        if found.reason.outcome is Outcome.BOUNCED:
            return self._bounced(unit, found)
        if found.reason is Reason.NO_CHAIN:
            return f"No convoy was ordered all the way from {self.way(unit)}"
        if found.reason is Reason.CONVOY_FAILED:
            return f"The convoy from {self.way(unit)} failed: {self.fleets_failed(found.units)}"
        how = "Moved by convoy" if self.movement.by_convoy(unit) else "Moved"
        moved = f"{how} to {self.map.the(order.to)}"
        if found.reason is Reason.MOVED:
            return moved
        (target,) = found.units
        theirs = f"{self.whose(target)}’s {self.kind(target)}"
        return f"{moved} and dislodged {theirs}, {found.strength} against {found.resistance}"

    def _bounced(self, unit: int, found: Finding) -> str:
        bounced = f"Bounced in {self.goal(unit)}"
        if found.reason is Reason.PARADOX_STOPPED:
            return f"{bounced}: every move in a paradox fails"
        if not found.units:
            return bounced
        other = found.units[0]
        if found.reason is Reason.OWN_UNIT:
            return f"{bounced}: {self.whose(unit)} cannot dislodge its own {self.kind(other)}"
        strengths = self._strengths(found.strength, found.resistance)
        note = self._discount(unit) if found.discounted else ""
        if found.reason is Reason.RIVALS:
            return (
                f"{bounced}: {self._rivals(unit, found.units)} attacked it too, {strengths}{note}"
            )
        did = "came the other way" if found.reason is Reason.HEAD_TO_HEAD else "did not give way"
        return f"{bounced}: {self.whose(other)} {did}, {strengths}{note}"

    def _rivals(self, unit: int, rivals: Sequence[int]) -> str:
        if len(rivals) == 1 and self.movement.powers[rivals[0]] != self.movement.powers[unit]:
            return self.whose(rivals[0])
        return listed(self._rival(unit, rival) for rival in rivals)

    def _rival(self, unit: int, rival: int) -> str:
        if self.movement.powers[rival] == self.movement.powers[unit]:
            return f"its own {self.kind(rival)} from {self.place(rival)}"
        return self.origin(rival)

    def _discount(self, unit: int) -> str:
        power = self.whose(self.movement.at[self.movement.goals[unit]])
        if self.movement.rules.own_attack_void:
            return f", {power} having supported the attack on its own unit"
        return f", {power}’s support against its own unit not counted"

    # Supports and convoys.

    def _given(self, order: SupportHold | SupportMove) -> str:
        whom = self.unit(self.movement.at[order.target.province])
        if isinstance(order, SupportHold):
            return f"Supported {whom}"
        return f"Supported the move of {whom} to {self.map.the(order.to)}"

    def unmatched(self, order: SupportHold | SupportMove | Convoy) -> str:
        """Return why a support or convoy fits no order of the unit it names."""
        target = self.movement.at[order.target.province]
        whom = self.unit(target)
        if isinstance(order, SupportHold):
            return f"{whom} was ordered to move"
        there = self.map.the(order.to)
        if self.movement.goals[target] == order.to:
            if isinstance(order, Convoy) and self.movement.by_convoy(target):
                return f"{whom} was ordered to go by other seas"
            if isinstance(order, Convoy):
                return f"{whom} went to {there} by land"
            return f"no convoy was ordered for {whom} all the way to {there}"
        return f"{whom} was not ordered to {there}"

    def _convoy(self, found: Finding) -> str:
        (army, *lost) = found.units
        whom = f"the army from {self.way(army)}"
        if found.reason is Reason.OTHER_ROUTE:
            return f"Took no part in the convoy of {whom}, which went by another route"
        if found.reason is Reason.CONVOYED:
            bounced = "" if self.movement.move_ok[army] else ", where it bounced"
            return f"Convoyed {whom}{bounced}"
        if found.reason is Reason.READY:
            whole = chain_exists(self.movement, army, self.movement.routes[army] or ())
            why = self.fleets_failed(lost) if whole else "no convoy was ordered all the way"
            return f"Stood ready to convoy {whom}, but {why}"
        if found.reason is Reason.PARADOX_FAILED:
            return f"Could not convoy {whom}: a paradox ended the convoy"
        return f"Could not convoy {whom}"
