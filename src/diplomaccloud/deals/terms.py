"""Terms: the clauses that a proposal offers, and whether they can be offered now."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase, Season
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

_TURN: Final = re.compile(r"([SFW])(\d{1,5})\Z", re.ASCII)


class TurnError(ValueError):
    """Text that does not name a season of a year."""


@dataclass(frozen=True, slots=True)
class DealTurn:
    """A season of a year, with all of its phases; `str()` gives `F1903`."""

    season: Season
    year: int

    @classmethod
    def parse(cls, text: str) -> "DealTurn":
        """Return the turn written as `F1903`; raise `TurnError`."""
        match = _TURN.match(text)
        if match is None:
            raise TurnError(f"not a season: {text[:12]!r} (write S1901, F1901 or W1901)")
        return cls(Season(match[1]), int(match[2]))

    @classmethod
    def of(cls, phase: Phase) -> "DealTurn":
        """Return the turn that a phase belongs to."""
        return cls(phase.season, phase.year)

    @property
    def order(self) -> tuple[int, int]:
        """A key that sorts turns by time."""
        return self.year, "SFW".index(self.season.value)

    @property
    def title(self) -> str:
        """`Fall 1903`."""
        return f"{self.season.word} {self.year}"

    def __str__(self) -> str:
        return f"{self.season.value}{self.year}"


@dataclass(frozen=True, slots=True)
class Ordered:
    """A promise to give this order in the phase of the terms, or not to if `given` is false."""

    order: Order
    given: bool = True


@dataclass(frozen=True, slots=True)
class Zone:
    """The provinces are demilitarized for the powers, to the end of `until`.

    Their units inside must leave with their first move. No unit may move, support, convoy or
    retreat into the zone or be built there. `until` is None for the rest of the game.
    """

    powers: tuple[Power, ...]
    provinces: tuple[ProvinceCode, ...]
    until: DealTurn | None = None


@dataclass(frozen=True, slots=True)
class Peace:
    """No power moves, or helps a move, into the units or centers of another, unless agreed."""

    powers: tuple[Power, ...]
    until: DealTurn | None = None


@dataclass(frozen=True, slots=True)
class Alliance:
    """The powers are at peace and allied against others; the ledger judges only the peace."""

    powers: tuple[Power, ...]
    against: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Each power votes for a draw if the other powers of the clause do."""

    powers: tuple[Power, ...]


Clause: TypeAlias = Ordered | Zone | Peace | Alliance | Draw


def powers_bound(clause: Clause) -> tuple[Power, ...]:
    """Return the powers that the clause binds."""
    return (power_of(clause.order),) if isinstance(clause, Ordered) else clause.powers


def end_of(clause: Clause) -> DealTurn | None:
    """Return the last turn in which a zone or a peace binds; None if it has no end."""
    return clause.until if isinstance(clause, Zone | Peace) else None


MAX_CLAUSES: Final = 8
"""The most clauses that a proposal may have in all of its alternatives together."""
MAX_ALTERNATIVES: Final = 3


@dataclass(frozen=True, slots=True)
class Terms:
    """Clauses offered to the parties; if there are several `alternatives`, one is accepted.

    `phase` is the phase in which the proposal is made. Its orders are for that phase, and all
    other clauses bind from then on. `parties` are sorted.
    """

    phase: Phase
    parties: tuple[Power, ...]
    alternatives: tuple[tuple[Clause, ...], ...]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all alternatives, in order."""
        return tuple(clause for clauses in self.alternatives for clause in clauses)


class TermsError(ValueError):
    """Terms that cannot be offered now; `place` is the faulty part: `alternatives[0][1].until`."""

    def __init__(self, message: str, place: str) -> None:
        super().__init__(message)
        self.place = place


def require_possible(
    terms: Terms, board: Board, position: Position, rules: RuleSet = DEFAULT
) -> None:
    """Raise `TermsError` unless the terms can be offered in `position`.

    Terms must name the phase of the position, their orders must be possible for their units, their
    ends must not be in the past, and no alternative may repeat or contradict itself.
    """
    if terms.phase != position.phase:
        raise TermsError(f"These terms are for {terms.phase.title}, which is over.", "phase")
    for number, clauses in enumerate(terms.alternatives):
        for index, clause in enumerate(clauses):
            place = f"alternatives[{number}][{index}]"
            if fault := _find_fault(clause, board, position, rules):
                part = "order" if isinstance(clause, Ordered) else "until"
                raise TermsError(fault, f"{place}.{part}")
            if conflict := _find_conflict(clauses, index):
                raise TermsError(conflict, place)


def _find_fault(clause: Clause, board: Board, position: Position, rules: RuleSet) -> str | None:
    if isinstance(clause, Ordered):
        return why_illegal(board, position, power_of(clause.order), clause.order, rules)
    end = end_of(clause)
    is_over = end is not None and end.order < DealTurn.of(position.phase).order
    return f"{end.title} is over." if end is not None and is_over else None


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
        return getattr(clause.order, "unit", None) == getattr(earlier.order, "unit", None)
    return clause.order == earlier.order and clause.given != earlier.given
