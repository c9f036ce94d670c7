"""Terms: what a proposal offers, and in which phase."""

from dataclasses import dataclass
from typing import Final

from diplomaccloud.deals.clauses import Clause
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase

MAX_CLAUSES: Final = 8
"""The most clauses of a proposal, over all of its alternatives."""
MAX_ALTERNATIVES: Final = 3


@dataclass(frozen=True, slots=True)
class Terms:
    """Clauses that powers agree on; of several `alternatives`, the other party accepts one.

    `phase` is the one in which the proposal is made: its orders are those of that phase, and
    everything else binds from it on. `parties` are sorted.
    """

    phase: Phase
    parties: tuple[Power, ...]
    alternatives: tuple[tuple[Clause, ...], ...]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all alternatives, in order."""
        return tuple(clause for clauses in self.alternatives for clause in clauses)
