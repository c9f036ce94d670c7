"""Try placements on one land without drawing them: nameless boards and small changes.

This is for choosing placements by playing games on them: such a board takes milliseconds to make,
and a whole map takes half a second.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from diplomaccloud.atlas.fairness import BOARD_TARGETS
from diplomaccloud.atlas.generator.assembly import ChartParts, make_board
from diplomaccloud.atlas.generator.balance import (
    AIMS,
    DISTANCE_COLUMN,
    Balance,
    PlacementError,
    find_possible_starts,
)
from diplomaccloud.atlas.generator.center_placement import (
    Centers,
    choose_countries,
    draw_country_sizes,
    place_centers,
)
from diplomaccloud.atlas.generator.mesh import Floats, Ints, round_to_grid
from diplomaccloud.atlas.generator.names import MapNames, PowerName
from diplomaccloud.atlas.generator.pipeline import OpenLand
from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.drawing.chart import Chart

_EXPOSURE_EFFECT, _DISTANCE_EFFECT = -0.45, 0.13
"""The effect on a power's share of one more enemy near its homes, and of one more step to victory.

In equal shares; fitted to the results of the greedy bot on placements by this generator.
"""


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


class PlacementCandidates:
    """One land and the placements on it; always the same for the same land.

    The excess of a placement is the sum of how far its measurements exceed their targets, each in
    units of its target; powers of another size have other measurements. A small change is allowed
    if the excess stays small or does not grow.
    """

    def __init__(self, land: OpenLand) -> None:
        """Find the starts that are possible on `land`."""
        self._land = land
        self._layout = land.land.layout
        self._players = land.spec.players
        self._possible = find_possible_starts(self._layout, land.spec.home_sizes)
        self._balances: dict[tuple[int, ...], Balance] = {}

    def placement(self, number: int) -> Placement | None:
        """Return the placement with this number, from 0, or `None` if it cannot be made.

        Small changes bring its measurements as close to their targets as possible.
        """
        rng = self._land.random_stream(f"placement {number}")
        try:
            centers = place_centers(self._layout, self._land.spec.draw_counts(rng), rng)
        except PlacementError:
            return None
        starts = zip(centers.homes, centers.fleets, strict=True)
        numbers = tuple(self._start_numbers[start] for start in starts)
        return self.improve(Placement(numbers, centers.neutrals))

    def board(self, placement: Placement) -> Board:
        """Return the board of a placement, with numbers instead of names."""
        keys = [f"P{power:02}" for power in range(self._players)]
        codes = tuple(f"{number:03}" for number in range(self._layout.count))
        names = MapNames("", tuple(PowerName(key, key, key) for key in keys), codes, codes)
        return make_board(self._build_parts(placement), names, [*map(ProvinceCode, codes)])

    def chart(self, placement: Placement, kind: str) -> Chart | None:
        """Return the finished map, its `maker` ending in `kind`, or `None` if it has a fault."""
        return self._land.finish_chart(self._build_parts(placement), kind)

    def predicted_shares(self, placement: Placement) -> Floats:
        """Return the predicted share of each power, in equal shares, up to a constant.

        Only differences between placements on the same land are meaningful.
        """
        starts, players = np.array(placement.starts), self._players
        balance = self._balance(starts, len(placement.neutrals))
        home_figures = balance.measure_homes(starts[None])
        figures = balance.measure(home_figures, np.array(placement.neutrals))[0]
        reach = self._possible.moves[starts].astype(np.float64)
        sizes = self._possible.sizes[starts]
        near = 0.5 ** np.maximum(reach[:, self._possible.list_homes(starts)] - 1, 0)
        near[np.repeat(np.eye(players, dtype=bool), sizes, axis=1)] = 0
        exposure = np.add.reduceat(near.sum(axis=0), np.cumsum(sizes) - sizes)
        return np.asarray(
            _EXPOSURE_EFFECT * exposure + _DISTANCE_EFFECT * figures[:, DISTANCE_COLUMN, 0]
        )

    def _balance(self, starts: Ints, neutrals: int) -> Balance:
        """Return what measures placements like one with `starts` and this many neutral centers."""
        sizes = tuple(self._possible.sizes[starts].tolist())
        if sizes not in self._balances:
            self._balances[sizes] = Balance(
                self._possible,
                sizes,
                sum(sizes) + neutrals,
                self._layout.gathering,
                self._layout.wild,
            )
        return self._balances[sizes]

    def _build_parts(self, placement: Placement) -> ChartParts:
        possible = self._possible
        homes = tuple(tuple(possible.list_homes(start).tolist()) for start in placement.starts)
        fleets = tuple(possible.fleet_homes(start) for start in placement.starts)
        sizes = draw_country_sizes(self._players, self._land.random_stream("countries"))
        countries = choose_countries(self._layout, homes, placement.neutrals, sizes)
        return ChartParts(self._land.land, Centers(homes, fleets, countries, placement.neutrals))

    @cached_property
    def _start_numbers(self) -> dict[tuple[tuple[int, ...], frozenset[int]], int]:
        """The number of each start, by its homes and those that hold fleets."""
        possible = self._possible
        return {
            (tuple(possible.list_homes(number).tolist()), possible.fleet_homes(number)): number
            for number in range(len(possible.homes))
        }

    def changes(self, placement: Placement) -> list[Placement]:
        """Return placements with another neutral center, or another start for one power.

        All meet the hard constraints and the limit on the excess. A new start shares a home with
        the old one; a few neutral centers may move together with it.
        """
        limit = max(_ALLOWED_EXCESS, self.excess(placement))
        starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
        free, excesses = self._measure_swaps(starts, neutrals)
        changes: dict[Placement, None] = {}
        for row, column in np.argwhere(excesses <= limit).tolist():
            moved_centers = neutrals.copy()
            moved_centers[row] = free[column]
            changes[_make_placement(starts, moved_centers)] = None
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
        balance = self._balance(starts, len(neutrals))
        figures = balance.measure_homes(starts[None])
        return float(_measure_excess(balance, *balance.measure(figures, neutrals))[0])

    def _move_starts(
        self, starts: Ints, neutrals: Ints, limit: float, count: int
    ) -> Iterator[tuple[Placement, float]]:
        """Yield the most promising moves of one start and their excess.

        Neutral centers are moved, too, if that helps.
        """
        options = self._list_starts(starts, neutrals)
        if not len(options):
            return
        balance = self._balance(starts, len(neutrals))
        excess = _measure_excess(
            balance, *balance.measure(balance.measure_homes(options), neutrals)
        )
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
        balance = self._balance(starts, len(neutrals))
        figures = balance.measure_homes(starts[None])
        excess = float(_measure_excess(balance, *balance.measure(figures, neutrals))[0])
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
        used = np.zeros(self._layout.lands, dtype=bool)
        used[self._possible.list_homes(starts)] = True
        used[neutrals] = True
        free = np.flatnonzero(~used)
        balance = self._balance(starts, len(neutrals))
        figures = balance.measure_homes(starts[None])
        excess = _measure_excess(balance, *balance.measure_swaps(figures, neutrals, free))
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
        options = np.unique(possible.find_sharing(starts[power]))
        fits = options != starts[power]
        fits &= ~possible.find_clashes(options, np.delete(starts, power))
        taken = np.zeros(self._layout.lands, dtype=bool)
        taken[neutrals] = True
        fits &= ~possible.find_taken(options, taken)
        return np.asarray(options[fits])


def _make_placement(starts: Ints, neutrals: Ints) -> Placement:
    return Placement(tuple(starts.tolist()), tuple(sorted(neutrals.tolist())))


def _measure_excess(balance: Balance, values: Floats, broken: Floats) -> Floats:
    """Return how far the measurements of k options exceed their targets, relative to those."""
    targeted = balance.scale(values)[:, _TARGET_ROWS]
    total = targeted.sum(axis=0)
    squares = len(targeted) * (targeted * targeted).sum(axis=0) - total * total
    variations = np.sqrt(squares / np.maximum(total * total, 1.0))
    return (
        round_to_grid(np.maximum(variations / _TARGETS - 1, 0).sum(axis=0)) + _FAULT_EXCESS * broken
    )
