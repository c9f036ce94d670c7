"""Try placements on one land without drawing them: nameless boards and small changes.

This is for choosing placements by playing games on them: such a board takes milliseconds to make,
and a whole map takes half a second.
"""

from functools import cached_property

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.assembly import ChartParts, make_board
from diplomaccloud.atlas.generator.balance import DISTANCE_COLUMN, Balance
from diplomaccloud.atlas.generator.center_placement import Centers, choose_countries, place_centers
from diplomaccloud.atlas.generator.mesh import Floats
from diplomaccloud.atlas.generator.names import Names, PowerName
from diplomaccloud.atlas.generator.pipeline import OpenLand
from diplomaccloud.atlas.generator.placement_changes import Placement, PlacementChanges
from diplomaccloud.atlas.generator.possible_starts import PlacementError, find_possible_starts
from diplomaccloud.judge.board import Board, ProvinceCode

_EXPOSURE_EFFECT, _DISTANCE_EFFECT = -0.45, 0.13
"""The effect on a power's share of one more enemy near its homes, and of one more step to victory.

In equal shares; fitted to the results of the greedy bot on placements by this generator.
"""


class PlacementCandidates:
    """One land and the placements on it; always the same for the same land."""

    def __init__(self, land: OpenLand) -> None:
        """Find the starts that are possible on `land`."""
        self._land = land
        self._layout = land.land.layout
        self._players = land.spec.players
        self._possible = find_possible_starts(self._layout)
        self._balance = Balance(self._possible, self._players)
        self._changes = PlacementChanges(self._possible, self._balance)

    def placement(self, number: int) -> Placement | None:
        """Return the placement with this number, from 0, or `None` if it cannot be made.

        Small changes bring its measurements as close to their targets as possible.
        """
        rng = self._land.random_stream(f"placement {number}")
        try:
            centers = place_centers(self._layout, self._players, rng)
        except PlacementError:
            return None
        starts = zip(centers.homes, centers.fleets, strict=True)
        placement = Placement(
            tuple(self._start_numbers[start] for start in starts), centers.neutrals
        )
        return self._changes.improve(placement)

    def board(self, placement: Placement) -> Board:
        """Return the board of a placement, with numbers instead of names."""
        names = self._placeholder_names
        return make_board(self._build_parts(placement), names, [*map(ProvinceCode, names.codes)])

    def chart(self, placement: Placement, kind: str) -> Chart | None:
        """Return the finished map, its `maker` ending in `kind`, or `None` if it has a fault."""
        return self._land.finish_chart(self._build_parts(placement), kind)

    def changes(self, placement: Placement) -> list[Placement]:
        """Return placements that differ slightly and keep the measurements within limits."""
        return self._changes.list_changes(placement)

    def excess(self, placement: Placement) -> float:
        """Return how far the board's measurements exceed their targets, in units of the targets."""
        return self._changes.excess(placement)

    def predicted_shares(self, placement: Placement) -> Floats:
        """Return the predicted share of each power, in equal shares, up to a constant.

        Only differences between placements on the same land are meaningful.
        """
        starts = np.array(placement.starts)
        homes, players = self._possible.homes[starts], self._players
        home_figures = self._balance.measure_homes(starts[None])
        figures = self._balance.measure(home_figures, np.array(placement.neutrals))[0]
        reach = self._possible.moves[starts].astype(np.float64)
        near = 0.5 ** np.maximum(reach[:, homes] - 1, 0)
        near[np.arange(players), np.arange(players)] = 0
        exposure = near.sum(axis=(0, 2))
        return np.asarray(
            _EXPOSURE_EFFECT * exposure + _DISTANCE_EFFECT * figures[:, DISTANCE_COLUMN, 0]
        )

    def _build_parts(self, placement: Placement) -> ChartParts:
        land, centers = self._land.land, self._find_centers(placement)
        return ChartParts(
            land.mesh, land.elevation, land.division, land.lines, land.layout, centers
        )

    def _find_centers(self, placement: Placement) -> Centers:
        possible = self._possible
        homes = tuple(tuple(possible.homes[start].tolist()) for start in placement.starts)
        fleets = tuple(possible.fleet_homes(start) for start in placement.starts)
        countries = choose_countries(self._layout, homes, placement.neutrals)
        return Centers(homes, fleets, countries, placement.neutrals)

    @cached_property
    def _start_numbers(self) -> dict[tuple[tuple[int, ...], frozenset[int]], int]:
        """The number of each start, by its homes and those that hold fleets."""
        possible = self._possible
        return {
            (tuple(homes), possible.fleet_homes(number)): number
            for number, homes in enumerate(possible.homes.tolist())
        }

    @cached_property
    def _placeholder_names(self) -> Names:
        """Numbers in place of names."""
        keys = [chr(ord("A") + power) for power in range(self._players)]
        codes = tuple(f"{number:03}" for number in range(self._layout.count))
        return Names("", tuple(PowerName(key, key, key) for key in keys), codes, codes)
