"""Checks whether terms can be offered now: possible orders, future ends, no contradictions."""

from collections.abc import Sequence

from diplomaccloud.deals.clauses import Clause, Ordered, Turn, end_of
from diplomaccloud.deals.terms import Terms
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet


class TermsError(ValueError):
    """Terms that cannot be offered now; `alternative` and `clause` count from 0."""

    def __init__(self, message: str, alternative: int = 0, clause: int = 0) -> None:
        super().__init__(message)
        self.alternative = alternative
        self.clause = clause


def require_possible(
    terms: Terms, board: Board, position: Position, rules: RuleSet = DEFAULT
) -> None:
    """Raise `TermsError` unless the terms can be offered in `position`.

    Terms must name the phase of the position, their orders must be possible for their units, their
    ends must not be in the past, and no alternative may repeat or contradict itself.
    """
    if terms.phase != position.phase:
        raise TermsError(f"These terms are for {terms.phase.title}, which is over.")
    for number, clauses in enumerate(terms.alternatives):
        for index, clause in enumerate(clauses):
            message = _find_fault(clause, board, position, rules) or _find_conflict(clauses, index)
            if message is not None:
                raise TermsError(message, number, index)


def _find_fault(clause: Clause, board: Board, position: Position, rules: RuleSet) -> str | None:
    if isinstance(clause, Ordered):
        order = clause.order
        return why_illegal(board, position, power_of(order), order, rules)
    end = end_of(clause)
    if end is not None and end.order < Turn.of(position.phase).order:
        return f"{end.title} is over."
    return None


def _find_conflict(clauses: Sequence[Clause], index: int) -> str | None:
    clause = clauses[index]
    for number, earlier in enumerate(clauses[:index], start=1):
        if clause == earlier:
            return f"This clause repeats clause {number}."
        if isinstance(clause, Ordered) and isinstance(earlier, Ordered) and _clash(clause, earlier):
            return f"This clause contradicts clause {number}."
    return None


def _clash(clause: Ordered, earlier: Ordered) -> bool:
    if clause.given and earlier.given:
        unit, other = _unit_of(clause), _unit_of(earlier)
        return unit == other
    return clause.order == earlier.order and clause.given != earlier.given


def _unit_of(clause: Ordered) -> object:
    return getattr(clause.order, "unit", None)
