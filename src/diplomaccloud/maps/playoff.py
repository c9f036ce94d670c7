"""Placements on a few lands compared by play: many play a few games, the best of them more.

Then the best is changed a little, again and again, where the powers fare unlike, and a change
that play finds better is kept. What the search saw of its winner is its luck, too: what is
published is measured afterwards, in games that nothing was chosen by.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.mesh import Floats
from diplomaccloud.atlas.generator.placement_changes import Placement
from diplomaccloud.bots import BOTS
from diplomaccloud.bots.arena import play_games
from diplomaccloud.bots.selfplay import YEARS, chance, shares, spread
from diplomaccloud.judge.board import Board

Games = list[list[float]]
"""For each game the shares of the powers, in board order."""

Play = Callable[[Board, int, str], Games]
"""Plays so many games on a board, which follow from a seed."""

_DEPTH = 3
"""So many changes may be made at once."""

_DOUBT = 0.004
"""What a change adds to the square of the spread on average, because much is not foretold."""


class Ground(Protocol):
    """A land with all of its placements: `Trials` of the generator or a toy in a test."""

    def placement(self, number: int) -> Placement | None:
        """Return a placement; `None` if nothing comes of that number."""

    def board(self, placement: Placement) -> Board:
        """Return its board."""

    def excess(self, placement: Placement) -> float:
        """Return how far its board is from the targets for boards; 0 if it meets them."""

    def changes(self, placement: Placement) -> list[Placement]:
        """Return placements that differ from it a little."""

    def outlook(self, placement: Placement) -> Floats:
        """Return what is foretold of the powers' shares, but for the mean."""

    def chart(self, placement: Placement, kind: str) -> Chart | None:
        """Return the finished map, its maker ending in `kind`; `None` if it has a fault."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many placements play how many games.

    Of `drawn` placements, from all lands in turn, the `placements` whose boards are nearest the
    targets play `first` games each. `halvings` are pairs: so many of the best play so many games
    more. `rounds` of changes follow: in each, `changes` play `first` games and the best one
    `more`, and what they are to beat plays `first` more. The search ends when the spread seen is
    `enough`.
    """

    drawn: int = 64
    placements: int = 16
    first: int = 30
    halvings: tuple[tuple[int, int], ...] = ((4, 50),)
    rounds: int = 8
    changes: int = 6
    more: int = 80
    enough: float = 0.12


@dataclass
class Entrant:
    """A placement on a land and the games played on it."""

    ground: Ground
    placement: Placement
    board: Board
    games: Games = field(default_factory=list)

    @property
    def unevenness(self) -> float:
        """The square of the spread less what chance adds on average; at times less than 0."""
        return spread(self.games) ** 2 - chance(self.games) ** 2

    @property
    def spread(self) -> float:
        """The spread less what chance adds to it; 0 at the least."""
        return float(max(self.unevenness, 0.0) ** 0.5)

    @property
    def means(self) -> Floats:
        """The mean share of each power, in equal shares."""
        rows = np.array(self.games)
        return np.asarray(rows.mean(axis=0) * rows.shape[1])


def play(board: Board, games: int, seed: str) -> Games:
    """Return what games of the greedy bot against itself come to."""
    until = board.first_year + YEARS - 1
    return shares(board, play_games(board, [BOTS["greedy"]], games=games, until=until, seed=seed))


class Playoff:
    """The search; the same for the same lands and budget."""

    def __init__(
        self,
        grounds: Sequence[Ground],
        budget: Budget | None = None,
        play: Play = play,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        """Play nothing yet; `progress` will be told what is played."""
        self._grounds, self._play, self._progress = grounds, play, progress
        self._budget = Budget() if budget is None else budget
        self._tried: set[tuple[int, Placement]] = set()

    def ranked(self) -> list[Entrant]:
        """Return the last placements in the running, the fairest first; none without any."""
        entrants = self._entered(self._chosen())
        for left, games in self._budget.halvings:
            entrants = _ranked(entrants)[:left]
            for entrant in entrants:
                self._add(entrant, games)
        entrants = _ranked(entrants)
        for number in range(self._budget.rounds if entrants else 0):
            if entrants[0].spread <= self._budget.enough:
                break
            self._tell(f"changes, {number + 1} of {self._budget.rounds}")
            entrants = _ranked([*entrants, *self._changed(entrants[0])])
        return entrants

    def _chosen(self) -> list[tuple[Ground, Placement]]:
        """Return the placements to begin with: of those drawn the nearest to the targets."""
        drawn = list(dict.fromkeys(self._drawn()))
        drawn.sort(key=lambda one: one[0].excess(one[1]))
        return drawn[: self._budget.placements]

    def _drawn(self) -> Iterator[tuple[Ground, Placement]]:
        """Yield placements from one land after the other."""
        for number in range(self._budget.drawn if self._grounds else 0):
            ground = self._grounds[number % len(self._grounds)]
            placement = ground.placement(number // len(self._grounds))
            if placement is not None:
                yield ground, placement

    def _changed(self, best: Entrant) -> list[Entrant]:
        """Return the best of some changes of `best`, if there are any."""
        hopeful = [(best.ground, change) for change in self._hopeful(best)]
        rivals = _ranked(self._entered(hopeful))[:1]
        for rival in rivals:
            self._add(rival, self._budget.more)
            # What was best by luck does not stay it.
            self._add(best, self._budget.first)
        return rivals

    def _hopeful(self, best: Entrant) -> list[Placement]:
        """Return the placements near `best` on which the shares are foretold to be most even.

        Near are those a few changes away; each change makes what is foretold less sure.
        """
        ground, now = best.ground, best.means - best.ground.outlook(best.placement)
        found: dict[Placement, float] = {}
        beam = [best.placement]
        for depth in range(1, _DEPTH + 1):
            hopes = {}
            for change in dict.fromkeys(one for near in beam for one in ground.changes(near)):
                if change not in found and (id(ground), change) not in self._tried:
                    then = now + ground.outlook(change)
                    hopes[change] = float(then.var() / then.mean() ** 2) + depth * _DOUBT
            beam = _least(hopes, self._budget.changes)
            found |= {change: hopes[change] for change in beam}
        return _least(found, self._budget.changes)

    def _entered(self, placements: Iterable[tuple[Ground, Placement]]) -> list[Entrant]:
        entrants = []
        for ground, placement in placements:
            self._tried.add((id(ground), placement))
            entrants.append(Entrant(ground, placement, ground.board(placement)))
            self._tell(f"placement {len(self._tried)}")
            self._add(entrants[-1], self._budget.first)
        return entrants

    def _add(self, entrant: Entrant, games: int) -> None:
        placement = entrant.placement
        seed = f"playoff {placement.starts} {placement.neutrals} {len(entrant.games)}"
        entrant.games.extend(self._play(entrant.board, games, seed))

    def _tell(self, stage: str) -> None:
        if self._progress is not None:
            self._progress(stage)


def _ranked(entrants: Sequence[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda entrant: entrant.unevenness)


def _least(hopes: Mapping[Placement, float], count: int) -> list[Placement]:
    order = sorted(hopes, key=lambda one: (hopes[one], one.starts, one.neutrals))
    return order[:count]
