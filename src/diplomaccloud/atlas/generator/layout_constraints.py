"""Stage 7: find the provinces that make a layout unusable as a map.

These constraints can be checked before anything is placed on the map.
"""

from math import fsum

import numpy as np

from diplomaccloud.atlas.generator.board_layout import UNREACHABLE, Layout
from diplomaccloud.atlas.generator.borders import OUTSIDE
from diplomaccloud.atlas.generator.drawing_constraints import MIN_LAND_AREA, MIN_SEA_AREA
from diplomaccloud.atlas.generator.mesh import Floats, Ints

DEGREE_LIMITS = (2, 12)
"""The fewest and the most neighbors of a province."""

MAX_COASTS = 2
"""The most coasts of a province."""

_MAX_SPLIT = 6
"""The most provinces with two coasts on a map of usual size."""

_USUAL_PROVINCES = 107
"""Provinces of the largest map of usual proportions, which is for ten powers."""


def find_unsound_provinces(layout: Layout, areas: Floats, borders: Floats, sides: Ints) -> set[int]:
    """Return the provinces that make a board unusable as a map; empty if it is usable.

    `areas`: of the provinces, in any unit. `borders`: lengths in mesh cells. `sides`: the two
    provinces beside each border.
    """
    seas = range(layout.lands, layout.count)
    split = [land for land, runs in enumerate(layout.coasts) if len(runs) > 1]
    # Of too many split provinces, those closest to having a single coast are faulty.
    split.sort(key=lambda land: _shortest_coast(layout, borders, land))
    max_split = max_split_coasts(layout.count)
    faulty = {
        *sides[borders < 1].ravel().tolist(),
        *find_small_provinces(areas, layout.lands),
        *(
            province
            for province, neighbors in enumerate(layout.neighbors)
            if not is_usual_degree(len(neighbors))
        ),
        *(land for land in split if len(layout.coasts[land]) > MAX_COASTS),
        *split[: max(len(split) - max_split, 0)],
        *(sea for sea in seas if layout.fleet_moves[seas[0], sea] == UNREACHABLE),
        *(sea for land in range(layout.lands) for sea in _find_dead_ends(layout, land)),
    }
    return faulty - {OUTSIDE}


def find_small_provinces(areas: Floats, lands: int) -> tuple[int, ...]:
    """Return the provinces that are too small compared with the median of their kind.

    `areas`: of all provinces, in any unit.
    """
    min_areas = np.repeat(
        [MIN_LAND_AREA * np.median(areas[:lands]), MIN_SEA_AREA * np.median(areas[lands:])],
        [lands, len(areas) - lands],
    )
    return tuple(np.flatnonzero(areas < min_areas).tolist())


def max_split_coasts(provinces: int) -> int:
    """Return how many provinces may have a split coast: six, or more on larger maps."""
    return max(_MAX_SPLIT, _MAX_SPLIT * provinces // _USUAL_PROVINCES)


def is_usual_degree(touched: int) -> bool:
    """Return whether a province may have this number of neighbors."""
    return DEGREE_LIMITS[0] <= touched <= DEGREE_LIMITS[1]


def _shortest_coast(layout: Layout, borders: Floats, land: int) -> float:
    """Return the length of the shortest coast of `land`."""
    return min(fsum(borders[sorted(run)].tolist()) for run in layout.coasts[land])


def _find_dead_ends(layout: Layout, land: int) -> list[int]:
    """Return the seas beside `land` if none of them touches other land."""
    seas = [sea for sea in layout.neighbors[land] if sea >= layout.lands]
    shores = {
        neighbor for sea in seas for neighbor in layout.neighbors[sea] if neighbor < layout.lands
    }
    return seas if shores == {land} else []
