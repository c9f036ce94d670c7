"""The ledger: who kept an accepted deal in one phase, judged by orders and not by luck; promises.

A promised support that is cut, or a promised move that bounces, was ordered and so the promise was
kept. The ledger knows the orders, the votes and the position before them; it ignores outcomes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from diplomaccloud.deals.breaches import find_attack, find_entry, is_same_order
from diplomaccloud.deals.terms import (
    Alliance,
    Clause,
    DealTurn,
    Draw,
    Ordered,
    Peace,
    Terms,
    Zone,
    end_of,
    powers_bound,
)
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position


class DealVerdict(StrEnum):
    """The ledger's verdict on one power and one clause."""

    KEPT = "kept"
    BROKEN = "broken"
    MOOT = "moot"


@dataclass(frozen=True, slots=True)
class Agreed:
    """An order that the parties to an accepted deal agreed on."""

    order: Order
    parties: frozenset[Power]


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """What the ledger knows about a processed phase.

    `orders` were given in `position`; each unit that needed an order has one, even if its player
    wrote none. `draws` are the powers that voted for a draw, or None if the phase has no votes.
    `gone` are the powers for which terms are permanently moot: eliminated, or with a successor who
    starts afresh. `absent` are those without a player in this phase. `agreed` are the orders of all
    deals that bind in this phase.
    """

    board: Board
    position: Position
    orders: Sequence[Order]
    draws: Collection[Power] | None = None
    gone: frozenset[Power] = frozenset()
    absent: frozenset[Power] = frozenset()
    agreed: Sequence[Agreed] = ()
    by_power: Mapping[Power, Sequence[Order]] = field(init=False)

    def __post_init__(self) -> None:
        """Sort the orders by power."""
        by_power: dict[Power, list[Order]] = {}
        for order in self.orders:
            by_power.setdefault(power_of(order), []).append(order)
        object.__setattr__(self, "by_power", by_power)


@dataclass(frozen=True, slots=True)
class Finding:
    """The ledger's finding on one power and one clause; clauses are numbered from 0.

    `fault` is the order that broke the clause. It is None if the clause was kept or is moot, or if
    the power broke it by not giving an order or a vote.
    """

    clause: int
    power: Power
    verdict: DealVerdict
    fault: Order | None = None


@dataclass(frozen=True, slots=True)
class Judgment:
    """The findings for one phase, in clause order; `final` if no later phase is judged."""

    findings: tuple[Finding, ...]
    final: bool

    @property
    def breakers(self) -> tuple[Power, ...]:
        """The powers that broke a clause, sorted."""
        broken = (row.power for row in self.findings if row.verdict is DealVerdict.BROKEN)
        return tuple(sorted(set(broken)))


def judge_terms(terms: Terms, alternative: int, facts: PhaseFacts) -> Judgment:
    """Return who kept the accepted alternative in a phase: that of the terms or a later one.

    Orders are judged in the phase of the terms, a draw in the first phase with votes, and lasting
    promises in every phase until they end. The first breach ends the deal, so nothing that the
    others do afterwards breaks it.
    """
    clauses = terms.alternatives[alternative]
    is_alone = len(set(terms.parties) - facts.gone) < 2
    open_clauses = [
        (number, clause)
        for number, clause in enumerate(clauses)
        if _is_bound(terms, clause, facts.position.phase)
    ]
    findings = tuple(
        _judge(number, clause, power, facts, is_alone=is_alone)
        for number, clause in open_clauses
        if not isinstance(clause, Draw) or facts.draws is not None
        for power in powers_bound(clause)
    )
    continues = any(_continues(clause, facts) for _, clause in open_clauses)
    is_broken = any(finding.verdict is DealVerdict.BROKEN for finding in findings)
    return Judgment(findings, final=is_alone or is_broken or not continues)


def _is_bound(terms: Terms, clause: Clause, phase: Phase) -> bool:
    """Return whether the clause can still be kept or broken in the phase."""
    if isinstance(clause, Ordered):
        return phase == terms.phase
    end = end_of(clause)
    return end is None or DealTurn.of(phase).order <= end.order


def _continues(clause: Clause, facts: PhaseFacts) -> bool:
    """Return whether a clause that was open in this phase still binds in the next one."""
    match clause:
        case Ordered():
            return False
        case Draw():
            return facts.draws is None
        case _:
            end = end_of(clause)
            return end is None or DealTurn.of(facts.position.phase.next_phase()).order <= end.order


def _judge(
    number: int, clause: Clause, power: Power, facts: PhaseFacts, *, is_alone: bool
) -> Finding:
    if is_alone or power in facts.gone or power in facts.absent:
        return Finding(number, power, DealVerdict.MOOT)
    match clause:
        case Ordered():
            return _judge_order(number, clause, power, facts)
        case Draw(powers):
            return _judge_draw(number, powers, power, facts)
        case Zone():
            fault = find_entry(clause, facts.by_power.get(power, ()), facts.board)
        case Peace(powers) | Alliance(powers):
            others = frozenset(powers) - {power} - facts.gone
            orders = [
                order
                for order in facts.by_power.get(power, ())
                if not _is_agreed(order, power, others, facts.agreed)
            ]
            fault = find_attack(others, orders, facts.position)
        case _:
            assert_never(clause)
    return Finding(number, power, DealVerdict.KEPT if fault is None else DealVerdict.BROKEN, fault)


def _is_agreed(
    order: Order, power: Power, others: frozenset[Power], agreed: Sequence[Agreed]
) -> bool:
    """Return whether the power and one of the others have agreed on the order."""
    return any(
        power in deal.parties and deal.parties & others and is_same_order(deal.order, order)
        for deal in agreed
    )


def _judge_order(number: int, clause: Ordered, power: Power, facts: PhaseFacts) -> Finding:
    given = facts.by_power.get(power, ())
    same = next((order for order in given if is_same_order(clause.order, order)), None)
    if clause.given == (same is not None):
        return Finding(number, power, DealVerdict.KEPT)
    fault = same
    if clause.given:
        unit = getattr(clause.order, "unit", None)
        others = (order for order in given if not isinstance(order, Waive) and order.unit == unit)
        fault = next(others, None)
    return Finding(number, power, DealVerdict.BROKEN, fault)


def _judge_draw(number: int, powers: Sequence[Power], power: Power, facts: PhaseFacts) -> Finding:
    draws, others = set(facts.draws or ()), set(powers) - {power} - facts.gone
    if power in draws:
        return Finding(number, power, DealVerdict.KEPT)
    is_due = bool(others) and others <= draws
    return Finding(number, power, DealVerdict.BROKEN if is_due else DealVerdict.MOOT)


# What powers have promised for one phase, and whether an order breaks a promise.


@dataclass(frozen=True, slots=True)
class Promises:
    """The clauses that bind `power` in a phase, oldest deal first.

    `agreed` are the orders agreed on in deals of the phase.
    """

    power: Power
    clauses: tuple[Clause, ...]
    agreed: tuple[Agreed, ...] = ()

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that the power has promised to give."""
        return tuple(
            clause.order
            for clause in self.clauses
            if isinstance(clause, Ordered) and clause.given and power_of(clause.order) == self.power
        )

    def asks_for_draw(self, voters: Collection[Power], standing: Collection[Power]) -> bool:
        """Return whether the power must vote for a draw because all others in a clause do.

        `voters` are the powers that vote for a draw. Only powers in `standing` need to vote.
        """
        others = [
            {power for power in clause.powers if power != self.power and power in standing}
            for clause in self.clauses
            if isinstance(clause, Draw)
        ]
        return any(group and group <= set(voters) for group in others)

    def is_broken_by(self, order: Order, board: Board, position: Position) -> bool:
        """Return whether the ledger would say that this order of the power breaks a clause."""
        for clause in self.clauses:
            match clause:
                case Ordered(refused, False) if is_same_order(refused, order):
                    return True
                case Zone() if find_entry(clause, [order], board):
                    return True
                case Peace(powers) | Alliance(powers):
                    others = frozenset(powers) - {self.power}
                    is_attack = find_attack(others, [order], position) is not None
                    if is_attack and not _is_agreed(order, self.power, others, self.agreed):
                        return True
        return False


def find_promises(
    deals: Iterable[tuple[Terms, int]], powers: Iterable[Power], phase: Phase
) -> dict[Power, Promises]:
    """Return each power's promises for the phase; powers without promises are left out.

    `deals` are the deals that are neither broken nor over, each with its accepted alternative.
    """
    deals = list(deals)
    bound: list[Clause] = [
        clause
        for terms, alternative in deals
        for clause in terms.alternatives[alternative]
        if _is_bound(terms, clause, phase)
    ]
    agreed = tuple(list_agreed(deals, phase))
    promises = {
        power: Promises(power, tuple(c for c in bound if power in powers_bound(c)), agreed)
        for power in powers
    }
    return {power: promised for power, promised in promises.items() if promised.clauses}


def list_agreed(deals: Iterable[tuple[Terms, int]], phase: Phase) -> list[Agreed]:
    """Return the orders that were agreed on for a phase; each deal comes with its alternative."""
    return [
        Agreed(clause.order, frozenset(terms.parties))
        for terms, alternative in deals
        for clause in terms.alternatives[alternative]
        if isinstance(clause, Ordered) and clause.given and _is_bound(terms, clause, phase)
    ]
