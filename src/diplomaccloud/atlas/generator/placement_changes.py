"""Small changes of a placement that keep the targets for the figures of the board.

By how much the figures are over their targets, each measured in its own target, is summed. A
change is allowed if that sum stays small, or does not grow.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.balance import AIMS, Balance
from diplomaccloud.atlas.generator.mesh import Floats, Ints, round_to_grid
from diplomaccloud.atlas.generator.possible_starts import Sites
from diplomaccloud.atlas.targets import BOARD_TARGETS

_ROWS = [list(AIMS).index(name) for name in BOARD_TARGETS]
_TARGETS = np.array([*BOARD_TARGETS.values()])[:, None]
_BROKEN = 100.0
"""What breaking a hard constraint counts for, where a figure at twice its target counts 1."""

_ENOUGH = 0.3
"""So far over their targets, in targets, all figures together may always be."""

_STEPS = 12
_IMPROVING, _NEAR = 6, 32
"""So many moves of a start are mended by moving neutral centers."""

_MENDING = 4
"""So many neutral centers move with a start at most."""


@dataclass(frozen=True)
class Placement:
    """The start of each power, by the numbers of `Sites`, and the neutral centers."""

    starts: tuple[int, ...]
    neutrals: tuple[int, ...]


class Changes:
    """The placements near others on one land."""

    def __init__(self, sites: Sites, balance: Balance) -> None:
        """Change nothing yet."""
        self._sites, self._balance = sites, balance

    def near(self, placement: Placement) -> list[Placement]:
        """Return placements with another neutral center, or another start for one power.

        Those only that keep the hard constraints and whose figures are within the limit. With a
        start, of which a home stays, a few neutral centers may move.
        """
        limit = max(_ENOUGH, self.excess(placement))
        starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
        found = dict.fromkeys(self._moved_neutrals(starts, neutrals, limit))
        for moved, over in self._moved_starts(starts, neutrals, limit, _NEAR):
            if over <= limit:
                found[moved] = None
        return list(found)

    def improved(self, placement: Placement) -> Placement:
        """Return the placement to which changes lead that bring the figures nearer the targets."""
        now = self.excess(placement)
        for _ in range(_STEPS):
            if not now:
                break
            starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
            moved, over = self._mended(starts, neutrals, 0.0, 1)
            moves = self._moved_starts(starts, neutrals, 0.0, _IMPROVING)
            best, over = min([(_placed(starts, moved), over), *moves], key=lambda one: one[1])
            if not over < now:
                break
            placement, now = best, over
        return placement

    def excess(self, placement: Placement) -> float:
        """Return by how much the figures miss their targets, summed, in targets; 0 if none does."""
        starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
        part = self._balance.home_part(starts[None])
        return float(_over(*self._balance.measured(part, neutrals))[0])

    def _moved_neutrals(self, starts: Ints, neutrals: Ints, limit: float) -> Iterator[Placement]:
        free, over = self._swapped(starts, neutrals)
        for row, column in np.argwhere(over <= limit).tolist():
            moved = neutrals.copy()
            moved[row] = free[column]
            yield _placed(starts, moved)

    def _moved_starts(
        self, starts: Ints, neutrals: Ints, limit: float, count: int
    ) -> Iterator[tuple[Placement, float]]:
        """Yield the most promising moves of one start, neutral centers mended, and what is over."""
        chosen = self._other_starts(starts, neutrals)
        if not len(chosen):
            return
        part = self._balance.home_part(chosen)
        over = _over(*self._balance.measured(part, neutrals))
        for row in np.argsort(over, kind="stable")[:count].tolist():
            moved, left = self._mended(chosen[row], neutrals, limit, _MENDING)
            yield _placed(chosen[row], moved), left

    def _mended(self, starts: Ints, neutrals: Ints, limit: float, most: int) -> tuple[Ints, float]:
        """Move up to `most` neutral centers until no more than `limit` is over; return what is."""
        part = self._balance.home_part(starts[None])
        over = float(_over(*self._balance.measured(part, neutrals))[0])
        for _ in range(most):
            if over <= limit:
                break
            free, costs = self._swapped(starts, neutrals)
            row, column = divmod(int(np.argmin(costs)), len(free))
            if not costs[row, column] < over:
                break
            over = float(costs[row, column])
            neutrals = neutrals.copy()
            neutrals[row] = free[column]
        return neutrals, over

    def _swapped(self, starts: Ints, neutrals: Ints) -> tuple[Ints, Floats]:
        """Return the free lands, and what is over with each center (rows) moved to each."""
        used = np.zeros(len(self._sites.with_member), dtype=bool)
        used[self._sites.members[starts].ravel()] = True
        used[neutrals] = True
        free = np.flatnonzero(~used)
        part = self._balance.home_part(starts[None])
        over = _over(*self._balance.swaps(part, neutrals, free))
        return free, over.reshape(len(neutrals), len(free))

    def _other_starts(self, starts: Ints, neutrals: Ints) -> Ints:
        """Return the starts (rows) with another one for one power that keeps a home."""
        rows = []
        for who in range(len(starts)):
            options = self._options(starts, who, neutrals)
            chosen = np.repeat(starts[None], len(options), axis=0)
            chosen[:, who] = options
            rows.append(chosen)
        return np.concatenate(rows)

    def _options(self, starts: Ints, who: int, neutrals: Ints) -> Ints:
        """Return the other starts for one power with a home of the present one."""
        sites = self._sites
        own = sites.members[starts[who]]
        near = np.concatenate([sites.with_member[home] for home in own.tolist()])
        options = np.unique(near)
        fits = options != starts[who]
        fits &= ~sites.clash(options, np.delete(starts, who))
        fits &= ~np.isin(sites.members[options], neutrals).any(axis=1)
        return np.asarray(options[fits])


def _placed(starts: Ints, neutrals: Ints) -> Placement:
    return Placement(tuple(starts.tolist()), tuple(sorted(neutrals.tolist())))


def _over(values: Floats, broken: Floats) -> Floats:
    """Return by how much the figures of k options are over their targets, in targets."""
    some = values[:, _ROWS]
    total = some.sum(axis=0)
    squares = len(some) * (some * some).sum(axis=0) - total * total
    variations = np.sqrt(squares / np.maximum(total * total, 1.0))
    return round_to_grid(np.maximum(variations / _TARGETS - 1, 0).sum(axis=0)) + _BROKEN * broken
