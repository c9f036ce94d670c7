"""Puts each decided order into a word and one sentence, and names who caused it."""

from collections.abc import Iterable

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.movement.battle import Battle
from diplomaccloud.judge.movement.convoy import chain_exists, path_state
from diplomaccloud.judge.movement.strengths import (
    attack_strength,
    backing,
    hold_strength,
    prevent_strength,
)
from diplomaccloud.judge.movement.support import cuts_if_it_arrives
from diplomaccloud.judge.orders import Convoy, Hold, Move, SupportHold, SupportMove
from diplomaccloud.judge.results import OrderResult, Outcome

Verdict = tuple[Outcome, str, tuple[int, ...]]
"""An outcome, its sentence without the full stop, and the units that caused it."""


class Explainer:
    """Explains the orders of one decided battle."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.map: Geography = geography(battle.board)

    def result(self, unit: int, dislodger: int | None, implicit: bool = False) -> OrderResult:
        """Return the result of the unit's order; `dislodger` is who drove it out, if any."""
        outcome, sentence, causes = self._verdict(unit)
        if dislodger is not None:
            attacker = self._whose(dislodger)
            driven = f"dislodged by {attacker} from {self._name(dislodger)}"
            held = outcome is Outcome.HOLD
            sentence = f"D{driven[1:]}" if held else f"{sentence}; {driven}"
            causes = (*causes, dislodger)
        return OrderResult(
            self.battle.orders[unit],
            outcome,
            f"{sentence}.",
            by=self.provinces(causes),
            implicit=implicit,
        )

    def provinces(self, units: Iterable[int]) -> tuple[ProvinceCode, ...]:
        """Return the provinces where `units` stood, sorted, each once."""
        return tuple(sorted({self.battle.provinces[unit] for unit in units}))

    def _verdict(self, unit: int) -> Verdict:
        match self.battle.orders[unit]:
            case Hold():
                return Outcome.HOLD, f"Held in {self._name(unit)}", ()
            case Move():
                return self._move(unit)
            case SupportHold() | SupportMove() as order:
                return self._support(unit, order)
            case Convoy() as order:
                return self._convoy(unit, order)

    def _name(self, unit: int) -> str:
        return self.map.names[self.battle.provinces[unit]]

    def _whose(self, unit: int) -> str:
        return self.map.power(self.battle.powers[unit])

    def _goal(self, unit: int) -> str:
        return self.map.name(self.battle.goals[unit])

    # Moves.

    def _move(self, unit: int) -> Verdict:
        battle = self.battle
        if battle.moves[unit]:
            how = "Moved by convoy" if battle.by_convoy(unit) else "Moved"
            return Outcome.MOVED, f"{how} to {self._goal(unit)}", ()
        if not path_state(battle, unit):
            return self._no_path(unit)
        if unit in battle.stayed:
            text = f"Bounced in {self._goal(unit)}: every move in a paradox fails"
            return Outcome.BOUNCED, text, ()
        return self._bounce(unit)

    def _no_path(self, unit: int) -> Verdict:
        battle = self.battle
        route = battle.routes[unit] or ()
        way = f"{self._name(unit)} to {self._goal(unit)}"
        if not chain_exists(battle, unit, route):
            return Outcome.NOPATH, f"No convoy was ordered all the way from {way}", ()
        lost = [fleet for fleet in route if not battle.sails[fleet]]
        drowned = [fleet for fleet in lost if fleet in battle.drowned]
        if drowned:
            where = _listed(self._name(fleet) for fleet in drowned)
            why = f"a paradox kept the fleet in {where} from convoying"
            return Outcome.NOPATH, f"The convoy from {way} failed: {why}", tuple(drowned)
        where = _listed(self._name(fleet) for fleet in lost)
        why = f"the fleet in {where} was dislodged"
        return Outcome.NOPATH, f"The convoy from {way} failed: {why}", tuple(lost)

    def _bounce(self, unit: int) -> Verdict:
        battle = self.battle
        goal = battle.goals[unit]
        strength = attack_strength(battle, unit)[0]
        where = self.map.names[goal]
        opponent = battle.facing[unit]
        target = battle.at.get(goal)
        if opponent is not None and not battle.moves[opponent]:
            opposed = backing(battle, opponent)[0]
            if opposed >= strength:
                return self._against(unit, opponent, "came the other way", strength, opposed)
        for rival in battle.rivals[goal]:
            opposed = prevent_strength(battle, rival)[0] if rival != unit else 0
            if opposed and opposed >= strength:
                own = backing(battle, unit)[0]
                return self._against(unit, rival, "attacked it too", own, opposed)
        if opponent is not None:
            opposed = backing(battle, opponent)[0]
            return self._against(unit, opponent, "came the other way", strength, opposed)
        if target is None:
            return Outcome.BOUNCED, f"Bounced in {where}", ()
        held = hold_strength(battle, target)[0]
        return self._against(unit, target, "did not give way", strength, held)

    def _against(self, unit: int, other: int, did: str, own: int, theirs: int) -> Verdict:
        battle = self.battle
        start = f"Bounced in {self._goal(unit)}"
        same = battle.powers[unit] == battle.powers[other]
        if same and battle.provinces[other] == battle.goals[unit]:
            why = f"{self._whose(unit)} cannot dislodge its own {self._word(other)}"
            return Outcome.BOUNCED, f"{start}: {why}", (other,)
        who = self._whose(other)
        if same:
            who = f"its own {self._word(other)} from {self._name(other)}"
        text = f"{start}: {who} {did}, {own} against {theirs}"
        return Outcome.BOUNCED, text, (other,)

    def _word(self, unit: int) -> str:
        return self.battle.units[unit].kind.word

    # Supports.

    def _support(self, unit: int, order: SupportHold | SupportMove) -> Verdict:
        battle = self.battle
        target = battle.at[order.target.province]
        if not battle.focus[unit]:
            return Outcome.VOID, self._unmatched(order, target), ()
        if not battle.given[unit]:
            return self._cut(unit)
        whom = f"the {self._word(target)} in {self._name(target)}"
        if isinstance(order, SupportHold):
            return Outcome.GIVEN, f"Supported {whom}", ()
        there = self.map.name(order.to)
        return Outcome.GIVEN, f"Supported the move of {whom} to {there}", ()

    def _unmatched(self, order: SupportHold | SupportMove | Convoy, target: int) -> str:
        whom = f"the {self._word(target)} in {self._name(target)}"
        if isinstance(order, SupportHold):
            return f"Void: {whom} was ordered to move"
        there = self.map.name(order.to)
        if self.battle.goals[target] == order.to:
            if isinstance(order, Convoy):
                return f"Void: {whom} went to {there} by land"
            return f"Void: no convoy was ordered for {whom} all the way to {there}"
        return f"Void: {whom} was not ordered to {there}"

    def _cut(self, unit: int) -> Verdict:
        battle = self.battle
        cutters = [
            one
            for one in battle.attackers(unit)
            if battle.moves[one]
            or (cuts_if_it_arrives(battle, one, unit) and path_state(battle, one))
        ]
        who = _listed(f"{self._whose(one)} from {self._name(one)}" for one in cutters)
        return Outcome.CUT, f"Cut by the attack of {who}", tuple(cutters)

    # Convoys.

    def _convoy(self, unit: int, order: Convoy) -> Verdict:
        battle = self.battle
        army = battle.at[order.target.province]
        if battle.cargo[unit] is None:
            return Outcome.VOID, self._unmatched(order, army), ()
        whom = f"the army from {self._name(army)} to {self._goal(army)}"
        if path_state(battle, army) or battle.sails[unit]:
            return Outcome.CONVOYED, f"Convoyed {whom}", ()
        if unit in battle.drowned:
            return Outcome.DISRUPTED, f"Could not convoy {whom}: a paradox ends the convoy", ()
        return Outcome.DISRUPTED, f"Could not convoy {whom}", ()


def _listed(names: Iterable[str]) -> str:
    """Return `Russia, Turkey and Italy`."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last
