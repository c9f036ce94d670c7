"""Clauses: the individual promises that make up a deal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase, Season

_TURN: Final = re.compile(r"([SFW])(\d{1,5})\Z", re.ASCII)


class TurnError(ValueError):
    """Text that does not name a season of a year."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A season of a year, with all of its phases; `str()` gives `F1903`."""

    season: Season
    year: int

    @classmethod
    def parse(cls, text: str) -> "Turn":
        """Return the turn written as `F1903`; raise `TurnError`."""
        match = _TURN.match(text)
        if match is None:
            raise TurnError(f"not a season: {text[:12]!r} (write S1901, F1901 or W1901)")
        return cls(Season(match[1]), int(match[2]))

    @classmethod
    def of(cls, phase: Phase) -> "Turn":
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
    until: Turn | None = None


@dataclass(frozen=True, slots=True)
class Peace:
    """No power moves, or helps a move, into the units or centers of another, unless agreed."""

    powers: tuple[Power, ...]
    until: Turn | None = None


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

DAIDE: Final[Mapping[type, tuple[str, ...]]] = {
    Ordered: ("XDO", "NOT XDO"),
    Zone: ("DMZ",),
    Peace: ("PCE",),
    Alliance: ("ALY", "VSS"),
    Draw: ("DRW",),
}
"""The tokens of the DAIDE message syntax that each clause stands for."""


def powers_bound(clause: Clause) -> tuple[Power, ...]:
    """Return the powers that the clause binds."""
    return (power_of(clause.order),) if isinstance(clause, Ordered) else clause.powers


def end_of(clause: Clause) -> Turn | None:
    """Return the last turn in which a zone or a peace binds; None if it has no end."""
    return clause.until if isinstance(clause, Zone | Peace) else None
