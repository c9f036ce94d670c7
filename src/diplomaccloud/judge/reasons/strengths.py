"""Lays open the strengths of a decided movement: each number, and every support behind it.

The numbers come from `strengths`, where the resolver takes them from.
"""

from collections.abc import Iterator

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.findings import find_cutters
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.strengths import (
    attack_strength,
    hold_strength,
    prevent_strength,
    supported_strength,
)
from diplomaccloud.judge.orders import SupportHold, SupportMove
from diplomaccloud.judge.reasons.messages import Wording, listed
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule
from diplomaccloud.judge.reasons.values import Backer, Cause, Side, Strength, Topic


class Tally:
    """Makes the nodes for the strengths of one movement."""

    def __init__(self, movement: MovementState, words: Wording) -> None:
        self.movement = movement
        self.words = words

    def attack(self, unit: int) -> Cause:
        """Return the strength of a move against what stands at its goal."""
        movement, words = self.movement, self.words
        value = attack_strength(movement, unit)[0] if path_state(movement, unit) else 0
        target = self._in_the_way(unit)
        spared = None if target is None else movement.powers[target]
        sources = [datc("5.B.8")]
        if target is not None and movement.powers[unit] == spared:
            sources.append(rule(12))
            text = f"{_capital(words.unit(unit))} went for {words.goal(unit)} with strength 0"
            text += f" against a unit of its own power{self._against_others(unit)}"
            return self._node(Side.ATTACK, unit, value, text, *sources)
        backers = tuple(self._backers(unit, spared))
        if any(movement.powers[movement.at[b.unit.province]] == spared for b in backers):
            sources.append(rule(12))
        start = words.unit(unit)
        text = f"{_capital(start)} attacked {words.goal(unit)} with strength {value}"
        if not path_state(movement, unit):
            text += ", since no convoy brought it there"
        return self._node(
            Side.ATTACK, unit, value, text + self._behind(backers), *sources, backers=backers
        )

    def hold(self, unit: int) -> Cause:
        """Return the strength with which a unit stayed where it was."""
        movement, words = self.movement, self.words
        value = hold_strength(movement, unit)[0]
        moving = bool(movement.goals[unit])
        backers = tuple(self._backers(unit, holding=True))
        why = ", its move having failed" if moving else ""
        text = f"{_capital(words.unit(unit))} held with strength {value}{why}"
        sources = [datc("5.B.5"), rule(8)]
        return self._node(
            Side.HOLD, unit, value, text + self._behind(backers), *sources, backers=backers
        )

    def defend(self, unit: int) -> Cause:
        """Return the strength of a move against the one that comes the other way."""
        value = supported_strength(self.movement, unit)[0]
        backers = tuple(self._backers(unit))
        who = _capital(self.words.unit(unit))
        text = f"{who} came the other way with strength {value}"
        sources = [datc("5.B.7"), rule(6)]
        return self._node(
            Side.DEFEND, unit, value, text + self._behind(backers), *sources, backers=backers
        )

    def prevent(self, unit: int) -> Cause:
        """Return the strength with which a move kept others out of its goal."""
        movement, words = self.movement, self.words
        value = prevent_strength(movement, unit)[0]
        backers = tuple(self._backers(unit))
        text = (
            f"{_capital(words.unit(unit))} went for {words.goal(unit)} too, with strength {value}"
        )
        sources = [datc("5.B.6"), rule(3)]
        if not value:
            failed = not path_state(movement, unit)
            sources = [datc("5.B.6"), *([datc("5.B.4")] if failed else [rule(11), datc("4.A.7")])]
            because = "no convoy brought it there" if failed else "it was dislodged from there"
            text = f"{text}, since {because}."
            return self._node(Side.PREVENT, unit, value, text, *sources, backers=backers)
        if movement.dislodger(unit) is not None:
            sources.append(rule(10))
        text += self._behind(backers)
        return self._node(Side.PREVENT, unit, value, text, *sources, backers=backers)

    def _node(
        self,
        side: Side,
        unit: int,
        value: int,
        sentence: str,
        *sources: Source,
        backers: tuple[Backer, ...] = (),
    ) -> Cause:
        mine = self.movement.units[unit]
        strength = Strength(side, mine, value, backers)
        return Cause(Topic.STRENGTH, sentence, sources, mine, strength)

    def _against_others(self, unit: int) -> str:
        """Return the rest of a sentence: how strong a move was against others to its goal.

        That is the number compared with theirs, which a bare 0 would contradict.
        """
        movement = self.movement
        if not path_state(movement, unit) or len(movement.rivals[movement.goals[unit]]) < 2:
            return "."
        behind = self._behind(tuple(self._backers(unit)))
        value = supported_strength(movement, unit)[0]
        return f", and with {value} against the others that did{behind}"

    def _in_the_way(self, unit: int) -> int | None:
        """Return the unit that a move would have to dislodge, if any."""
        target = self.movement.at.get(self.movement.goals[unit])
        if target is None:
            return None
        if self.movement.opponent[unit] is None and self.movement.move_ok[target]:
            return None
        return target

    def _backers(
        self, unit: int, spared: Power | None = None, holding: bool = False
    ) -> Iterator[Backer]:
        """Yield every support ordered for the unit; those of the power `spared` do not count."""
        for i, order in enumerate(self.movement.orders):
            if not isinstance(order, SupportHold | SupportMove):
                continue
            if order.target != self.movement.units[unit]:
                continue
            if holding and self.movement.support_into[i] and isinstance(order, SupportMove):
                continue
            yield Backer(self.movement.units[i], self._why_not(i, order, spared))

    def _why_not(self, i: int, order: SupportHold | SupportMove, spared: Power | None) -> str:
        movement, words = self.movement, self.words
        unit = movement.at[order.target.province]
        if not movement.support_into[i]:
            return words.unmatched(order)
        if not movement.support_ok[i]:
            return f"cut by {listed(map(words.origin, find_cutters(movement, i)))}"
        if spared is None:
            return ""
        if movement.powers[i] == spared:
            return f"{words.whose(i)} does not help to dislodge its own unit"
        voided = movement.rules.own_attack_void and any(
            movement.powers[b] == spared and movement.support_ok[b]
            for b in movement.supporters[unit]
        )
        return f"{words.map.power(spared)} takes part in it" if voided else ""

    def _behind(self, backers: tuple[Backer, ...]) -> str:
        """Return the rest of a sentence: who supported, and whose support did not count."""
        words = self.words
        at = self.movement.at
        good = [words.place(at[one.unit.province]) for one in backers if one.counts]
        told = f", supported from {listed(good)}" if good else ""
        bad: dict[str, list[str]] = {}
        for one in backers:
            if not one.counts:
                bad.setdefault(one.why_not, []).append(words.place(at[one.unit.province]))
        for why, places in bad.items():
            noun = "support" if len(places) == 1 else "supports"
            told += f"; the {noun} from {listed(places)} did not count: {why}"
        return f"{told}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
