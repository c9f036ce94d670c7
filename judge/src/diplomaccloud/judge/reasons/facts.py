"""The facts about a decided movement phase from which explanations are built.

The kernel decides, finds the reasons and measures the strengths; nothing here repeats a rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from diplomaccloud.judge.board import Board, ProvinceCode, province_of
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import Hold, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.reasons.statements import call_destroyed, open_phrasebook
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

Fate = tuple[Outcome, bool]
"""The outcome of a unit's order, and whether the unit was dislodged."""


class Facts(NamedTuple):
    """The facts about one unit; units are numbers, and -1 stands for none.

    `dislodger` is the unit that dislodges it; `cargo` is the army that a fleet convoys. `succeeds`:
    the move succeeds, the support counts, or the fleet convoys. `in_paradox`: the paradox rule
    disrupted its convoy. `by_convoy`: it is an army that goes by convoy; `path_open`: that convoy
    holds, or it needs none; `chain_ordered` and `chain_sails`: the fleets ordered to convoy it, or
    those that do, form a chain to its goal. `head_to_head`: it moves against a unit that moves the
    opposite way. If it attacks a support that matches an order, `cuts` says that it cuts it even if
    it bounces, and `is_spared` that a paradox rule keeps it from doing so.

    The strengths are those of DATC 5.B: `support` is 1 plus the supports that count, `hold` is what
    resists an attack, `attack` and `prevent` are those of a move against the unit at its goal and
    against its rivals.
    """

    dislodger: int
    cargo: int
    succeeds: int
    in_paradox: int
    by_convoy: int
    path_open: int
    chain_ordered: int
    chain_sails: int
    head_to_head: int
    cuts: int
    is_spared: int
    support: int
    hold: int
    attack: int
    prevent: int


@dataclass(slots=True)
class DecidedPhase:
    """The orders that units follow in a movement phase, and their outcomes.

    Lists are by unit: `goals` has the province moved to, or an empty text; `messages` has the
    reason for each outcome. `at` is the unit in a province, and `rivals` are the moves into it.
    """

    board: Board
    rules: RuleSet
    units: Sequence[Unit]
    orders: Sequence[MovementOrder]
    verdict: Verdict
    fates: list[Fate]
    facts: Sequence[Facts]
    messages: Sequence[Message]
    goals: list[str]
    at: dict[str, int]
    rivals: dict[str, list[int]]
    _without: dict[tuple[int, ...], list[Fate]] = field(default_factory=dict)

    def attackers(self, unit: int) -> list[int]:
        """Return the units ordered to move to the province of `unit`."""
        return self.rivals.get(self.units[unit].province, [])

    def dislodger(self, unit: int) -> int | None:
        """Return the unit that dislodges `unit`."""
        dislodger = self.facts[unit].dislodger
        return None if dislodger < 0 else dislodger

    def moves(self, unit: int) -> bool:
        """Return whether the unit was ordered to move and does."""
        return self.verdict.outcomes[unit] is Outcome.MOVED

    def find_helped(self, unit: int) -> int:
        """Return the unit that a support names."""
        order: Any = self.orders[unit]
        return self.at[order.target.province]

    def find_route(self, army: int) -> tuple[int, ...]:
        """Return the fleets ordered to convoy an army that goes by convoy."""
        return tuple([i for i, facts in enumerate(self.facts) if facts.cargo == army])

    def find_failed_fleets(self, army: int) -> list[int]:
        """Return the fleets that were ordered to convoy the army but did not."""
        return [fleet for fleet in self.find_route(army) if not self.facts[fleet].succeeds]

    def find_supported_province(self, supporter: int) -> ProvinceCode | None:
        """Return where a support that matches an order goes, or `None` if there is none."""
        order = self.orders[supporter]
        if self.verdict.outcomes[supporter] not in {Outcome.GIVEN, Outcome.CUT}:
            return None
        if isinstance(order, SupportMove):
            return province_of(order.to)
        return order.target.province if isinstance(order, SupportHold) else None

    def find_cutters(self, supporter: int) -> list[int]:
        """Return the attackers that cut the unit's support."""
        attackers = [(i, self.facts[i]) for i in self.attackers(supporter)]
        return [
            i
            for i, facts in attackers
            if not facts.is_spared and (facts.succeeds or (facts.cuts and facts.path_open))
        ]

    def find_resistance(self, attacker: int, target: int) -> int:
        """Return the strength with which `target` resists a move to its province."""
        meets = self.facts[attacker].head_to_head
        return self.facts[target].support if meets else self.facts[target].hold

    def find_strong_attackers(self, unit: int) -> tuple[Unit, ...]:
        """Return the attackers that are stronger than the unit holds its province."""
        held = self.facts[unit].hold
        return tuple([self.units[i] for i in self.attackers(unit) if self.facts[i].prevent > held])

    # What if.

    def list_fates_without(self, *others: int) -> list[Fate]:
        """Return what would have happened to each unit if `others` had been ordered to hold."""
        if others not in self._without:
            orders = [*self.orders]
            for other in others:
                orders[other] = Hold(self.units[other])
            verdict = _resolve(self.board, self.units, orders, self.rules)
            self._without[others] = _list_fates(self.units, verdict)
        return self._without[others]

    def is_spared_in_paradox(self, attacker: int) -> bool:
        """Return whether only a printed paradox rule keeps an attack from cutting a support.

        The rule also decides why a convoy failed if the convoy would hold without the supports that
        such armies attack: otherwise, the army would not arrive because it does not cut, and would
        not cut because it does not arrive.
        """
        facts = self.facts[attacker]
        is_spared = bool(facts.is_spared and facts.cuts)
        if facts.path_open or not is_spared:
            return is_spared
        spared = sorted(
            {
                self.at[goal]
                for goal, facts in zip(self.goals, self.facts, strict=True)
                if facts.is_spared and not facts.path_open
            }
        )
        return self.list_fates_without(*spared)[attacker][0] is not Outcome.NOPATH


def _resolve(
    board: Board, units: Sequence[Unit], orders: Sequence[MovementOrder], rules: RuleSet
) -> Verdict:
    verdict = KERNEL.resolve(board, units, orders, rules, checked=False)
    if verdict is None:
        raise ValueError("units or orders are not those of one position of the board")
    return verdict


def decide_phase(
    board: Board, rules: RuleSet, units: Sequence[Unit], orders: Sequence[MovementOrder]
) -> DecidedPhase:
    """Return the facts about `orders`, which must be legal and one for each unit, in sequence.

    Raises `ValueError` if the units are not those of one position of the board.
    """
    verdict = _resolve(board, units, orders, rules)
    explained = KERNEL.find_facts(board, units, orders, rules) or ()
    book = open_phrasebook(table_of(board))
    messages = [book.find_message(row) for row, _ in explained]
    destroyed = {entry.unit for entry in verdict.dislodged if not entry.retreats}
    goals = [str(province_of(one.to)) if isinstance(one, Move) else "" for one in orders]
    rivals: dict[str, list[int]] = {}
    for i, goal in enumerate(goals):
        if goal:
            rivals.setdefault(goal, []).append(i)
    return DecidedPhase(
        board=board,
        rules=rules,
        units=units,
        orders=orders,
        verdict=verdict,
        fates=_list_fates(units, verdict),
        facts=[Facts(*facts) for _, facts in explained],
        messages=[
            call_destroyed(message) if unit in destroyed else message
            for unit, message in zip(units, messages, strict=False)
        ],
        goals=goals,
        at={unit.province: i for i, unit in enumerate(units)},
        rivals=rivals,
    )


def _list_fates(units: Sequence[Unit], verdict: Verdict) -> list[Fate]:
    dislodged = {entry.unit for entry in verdict.dislodged}
    return [
        (outcome, unit in dislodged) for unit, outcome in zip(units, verdict.outcomes, strict=True)
    ]
