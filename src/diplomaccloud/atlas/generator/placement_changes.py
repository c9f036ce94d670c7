"""Small changes of a placement that keep its board near the targets.

The excess of a placement is the sum of how far its measurements exceed their targets, each in units
of its target. A change is allowed if the excess stays small or does not grow.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.balance import AIMS, Balance
from diplomaccloud.atlas.generator.mesh import Floats, Ints, round_to_grid
from diplomaccloud.atlas.generator.possible_starts import PossibleStarts
from diplomaccloud.atlas.targets import BOARD_TARGETS

_TARGET_ROWS = [list(AIMS).index(name) for name in BOARD_TARGETS]
_TARGETS = np.array([*BOARD_TARGETS.values()])[:, None]
_FAULT_EXCESS = 100.0
"""The excess for breaking a hard constraint; a measurement at twice its target counts as 1."""

_ALLOWED_EXCESS = 0.3
"""The excess that is always allowed."""

_MAX_STEPS = 12
"""The most changes made to improve a placement."""

_IMPROVING_MOVES, _NEARBY_MOVES = 6, 32
"""How many start moves are followed by moving neutral centers, when improving and when listing."""

_MAX_NEUTRAL_MOVES = 4
"""How many neutral centers may move together with a start."""


@dataclass(frozen=True)
class Placement:
    """The start of each power, by its number in `PossibleStarts`, and the neutral centers."""

    starts: tuple[int, ...]
    neutrals: tuple[int, ...]


class PlacementChanges:
    """The placements near others on one land."""

    def __init__(self, possible: PossibleStarts, balance: Balance) -> None:
        """Store the possible starts and the measure of balance."""
        self._possible, self._balance = possible, balance

    def list_changes(self, placement: Placement) -> list[Placement]:
        """Return placements with another neutral center, or another start for one power.

        All meet the hard constraints and the limit on the excess. A new start shares a home with
        the old one; a few neutral centers may move together with it.
        """
        limit = max(_ALLOWED_EXCESS, self.excess(placement))
        starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
        changes = dict.fromkeys(self._move_neutrals(starts, neutrals, limit))
        for moved, excess in self._move_starts(starts, neutrals, limit, _NEARBY_MOVES):
            if excess <= limit:
                changes[moved] = None
        return list(changes)

    def improve(self, placement: Placement) -> Placement:
        """Return the placement changed to bring its measurements closer to their targets."""
        excess = self.excess(placement)
        for _ in range(_MAX_STEPS):
            if not excess:
                break
            starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
            moved, new_excess = self._adjust_neutrals(starts, neutrals, 0.0, 1)
            moves = self._move_starts(starts, neutrals, 0.0, _IMPROVING_MOVES)
            best, new_excess = min(
                [(_make_placement(starts, moved), new_excess), *moves], key=lambda move: move[1]
            )
            if not new_excess < excess:
                break
            placement, excess = best, new_excess
        return placement

    def excess(self, placement: Placement) -> float:
        """Return the sum of how far the measurements exceed their targets; 0 if none does."""
        starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
        figures = self._balance.measure_homes(starts[None])
        return float(_measure_excess(*self._balance.measure(figures, neutrals))[0])

    def _move_neutrals(self, starts: Ints, neutrals: Ints, limit: float) -> Iterator[Placement]:
        """Yield the placements within `limit` that differ by one neutral center."""
        free, excess = self._measure_swaps(starts, neutrals)
        for row, column in np.argwhere(excess <= limit).tolist():
            moved = neutrals.copy()
            moved[row] = free[column]
            yield _make_placement(starts, moved)

    def _move_starts(
        self, starts: Ints, neutrals: Ints, limit: float, count: int
    ) -> Iterator[tuple[Placement, float]]:
        """Yield the most promising moves of one start and their excess.

        Neutral centers are moved, too, if that helps.
        """
        options = self._list_starts(starts, neutrals)
        if not len(options):
            return
        figures = self._balance.measure_homes(options)
        excess = _measure_excess(*self._balance.measure(figures, neutrals))
        for row in np.argsort(excess, kind="stable")[:count].tolist():
            moved, new_excess = self._adjust_neutrals(
                options[row], neutrals, limit, _MAX_NEUTRAL_MOVES
            )
            yield _make_placement(options[row], moved), new_excess

    def _adjust_neutrals(
        self, starts: Ints, neutrals: Ints, limit: float, max_moves: int
    ) -> tuple[Ints, float]:
        """Move up to `max_moves` neutral centers to bring the excess down to `limit`.

        Returns the neutral centers and the excess.
        """
        figures = self._balance.measure_homes(starts[None])
        excess = float(_measure_excess(*self._balance.measure(figures, neutrals))[0])
        for _ in range(max_moves):
            if excess <= limit:
                break
            free, costs = self._measure_swaps(starts, neutrals)
            row, column = divmod(int(np.argmin(costs)), len(free))
            if not costs[row, column] < excess:
                break
            excess = float(costs[row, column])
            neutrals = neutrals.copy()
            neutrals[row] = free[column]
        return neutrals, excess

    def _measure_swaps(self, starts: Ints, neutrals: Ints) -> tuple[Ints, Floats]:
        """Return the free lands, and the excess with each center (rows) moved to each of them."""
        used = np.zeros(len(self._possible.starts_with), dtype=bool)
        used[self._possible.homes[starts].ravel()] = True
        used[neutrals] = True
        free = np.flatnonzero(~used)
        figures = self._balance.measure_homes(starts[None])
        excess = _measure_excess(*self._balance.measure_swaps(figures, neutrals, free))
        return free, excess.reshape(len(neutrals), len(free))

    def _list_starts(self, starts: Ints, neutrals: Ints) -> Ints:
        """Return `starts` (rows) with another start for one power that keeps a home."""
        rows = []
        for power in range(len(starts)):
            options = self._list_options(starts, power, neutrals)
            chosen = np.repeat(starts[None], len(options), axis=0)
            chosen[:, power] = options
            rows.append(chosen)
        return np.concatenate(rows)

    def _list_options(self, starts: Ints, power: int, neutrals: Ints) -> Ints:
        """Return the other starts for `power` that share a home with its present one."""
        possible = self._possible
        own = possible.homes[starts[power]]
        near = np.concatenate([possible.starts_with[home] for home in own.tolist()])
        options = np.unique(near)
        fits = options != starts[power]
        fits &= ~possible.find_clashes(options, np.delete(starts, power))
        fits &= ~np.isin(possible.homes[options], neutrals).any(axis=1)
        return np.asarray(options[fits])


def _make_placement(starts: Ints, neutrals: Ints) -> Placement:
    return Placement(tuple(starts.tolist()), tuple(sorted(neutrals.tolist())))


def _measure_excess(values: Floats, broken: Floats) -> Floats:
    """Return how far the measurements of k options exceed their targets, relative to those."""
    targeted = values[:, _TARGET_ROWS]
    total = targeted.sum(axis=0)
    squares = len(targeted) * (targeted * targeted).sum(axis=0) - total * total
    variations = np.sqrt(squares / np.maximum(total * total, 1.0))
    return (
        round_to_grid(np.maximum(variations / _TARGETS - 1, 0).sum(axis=0)) + _FAULT_EXCESS * broken
    )
