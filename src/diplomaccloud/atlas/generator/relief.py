"""Build the relief grid of a chart: folded mountain ranges with flat plains between them."""

import numpy as np

from diplomaccloud.atlas.chart import Relief
from diplomaccloud.atlas.generator.elevation import Elevation
from diplomaccloud.atlas.generator.mesh import Bools, Floats
from diplomaccloud.atlas.generator.raster import PIXEL

_MAX_STEP = 3.3
"""The largest distance between grid points, in map units."""

_MIN_COLUMNS = 320
"""Points across a small map, because it is shown as large as any other."""

_COARSENESS = 4
"""Ranges change slowly, so they are computed for one point in this many, each way."""

_FOLD_WIDTH = 64.0
"""From one crest to the next, in map units."""

_LAYERS, _GAIN = 3, 0.5
_BEND_SHARE = 0.3
"""How much of the bends of the ground the folds follow; more would stretch them."""

# Rotated, because the lattice of the noise would otherwise show as horizontal and vertical streaks.
_ROTATION = np.array([[0.8, 0.6], [-0.6, 0.8]])


def make_relief(elevation: Elevation, land: Bools) -> Relief:
    """Return the elevation on a grid of about `_MAX_STEP` map units at most; 0 is water.

    `land`: a grid of pixels. Ranges end where the coast cuts them; the plains between them are
    level.
    """
    step = _COARSENESS * min(_MAX_STEP, elevation.size[0] / _MIN_COLUMNS)
    columns, rows = (round(extent / step) for extent in elevation.size)
    coarse = _grid_points(elevation, columns, rows)
    shape = rows * _COARSENESS, columns * _COARSENESS
    ranges = _refine(elevation.ranges(coarse), (rows, columns))
    points = _grid_points(elevation, shape[1], shape[0])
    dry = _is_on_land(points, land)
    heights = np.where(dry, ranges, 0.0)
    high = np.flatnonzero(heights > 1 / 255)
    bent = [_refine(shift, (rows, columns)) for shift in (_BEND_SHARE * elevation.shifts(coarse)).T]
    places = points[high] + np.stack([shift[high] for shift in bent], axis=1)
    heights[high] *= _raise_folds(elevation, places @ _ROTATION / _FOLD_WIDTH)
    values = np.where(dry, np.clip(1 + 254 * heights, 1, 255), 0)
    return Relief(shape[1], shape[0], values.astype(np.uint8).tobytes())


def _raise_folds(elevation: Elevation, places: Floats) -> Floats:
    """Return crests with steep sides at `places`, from about 0 in valleys to 1."""
    total, strength, whole = np.zeros(len(places)), 1.0, 0.0
    for layer in range(_LAYERS):
        crest = 1 - np.abs(elevation.ridge.at(places * 2.0**layer + 31.7 * layer))
        total += strength * crest * crest
        whole += strength
        strength *= _GAIN
    return total / whole


def _grid_points(elevation: Elevation, columns: int, rows: int) -> Floats:
    """Return the centers (n×2) of a grid of cells over the map, row by row."""
    across = (np.arange(columns) + 0.5) * elevation.size[0] / columns
    down = (np.arange(rows) + 0.5) * elevation.size[1] / rows
    return np.stack([np.tile(across, rows), np.repeat(down, columns)], axis=1)


def _refine(values: Floats, shape: tuple[int, int]) -> Floats:
    """Return the values of a grid `_COARSENESS` times as fine, row by row."""
    return _double_grid(_double_grid(values.reshape(shape))).ravel()


def _double_grid(grid: Floats) -> Floats:
    """Return `grid` twice as fine, interpolated smoothly."""
    for axis in (0, 1):
        before, after = (np.roll(grid, shift, axis) for shift in (1, -1))
        first, last = (np.take(grid, [place], axis) for place in (0, -1))
        if axis == 0:
            before[:1], after[-1:] = first, last
        else:
            before[:, :1], after[:, -1:] = first, last
        halves = (0.75 * grid + 0.25 * before, 0.75 * grid + 0.25 * after)
        shape = [size * (1 + (side == axis)) for side, size in enumerate(grid.shape)]
        grid = np.stack(halves, axis=axis + 1).reshape(shape)
    return grid


def _is_on_land(points: Floats, land: Bools) -> Bools:
    """Return whether each point is on land."""
    column = np.minimum((points[:, 0] / PIXEL).astype(np.int64), land.shape[1] - 1)
    row = np.minimum((points[:, 1] / PIXEL).astype(np.int64), land.shape[0] - 1)
    return np.asarray(land[row, column])
