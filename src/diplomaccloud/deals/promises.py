"""What a power has promised for one phase, and whether an order breaks a promise."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from diplomaccloud.deals.breaches import find_attack, find_entry, is_same_order
from diplomaccloud.deals.ledger import Agreed, is_agreed, is_bound
from diplomaccloud.deals.terms import (
    Alliance,
    Clause,
    Draw,
    Ordered,
    Peace,
    Terms,
    Zone,
    powers_bound,
)
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position


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
                    if is_attack and not is_agreed(order, self.power, others, self.agreed):
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
        if is_bound(terms, clause, phase)
    ]
    agreed = tuple(list_agreed(deals, phase))
    promises = {
        power: Promises(power, tuple(c for c in bound if power in powers_bound(c)), agreed)
        for power in powers
    }
    return {power: own for power, own in promises.items() if own.clauses}


def list_agreed(deals: Iterable[tuple[Terms, int]], phase: Phase) -> list[Agreed]:
    """Return the orders that were agreed on for a phase; each deal comes with its alternative."""
    return [
        Agreed(clause.order, frozenset(terms.parties))
        for terms, alternative in deals
        for clause in terms.alternatives[alternative]
        if isinstance(clause, Ordered) and clause.given and is_bound(terms, clause, phase)
    ]
