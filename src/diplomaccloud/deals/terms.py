"""Terms: the clauses that a proposal offers, and its phase."""

from dataclasses import dataclass
from typing import Final

from diplomaccloud.deals.clauses import Clause
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase

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
