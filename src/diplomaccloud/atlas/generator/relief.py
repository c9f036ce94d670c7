"""The relief grid of a chart: crumpled ranges, and plains as flat as paper between them."""

import numpy as np

from diplomaccloud.atlas.chart import Relief
from diplomaccloud.atlas.generator.elevation import Elevation
from diplomaccloud.atlas.generator.mesh import Bools, Floats
from diplomaccloud.atlas.generator.raster import PIXEL

_STEP = 3.3
_FEWEST = 320
"""Points across a small map, which is shown as large as any other."""

_COARSE = 4
"""Where ranges are changes so slowly that one point in so many, each way, tells it."""

_FOLD = 64.0
_LAYERS, _GAIN = 3, 0.5
_BEND = 0.3
"""How much of the bends of the ground the folds follow: more would stretch them."""

# Turned by some angle, or the lattice of the noise would show as upright and level streaks.
_TURN = np.array([[0.8, 0.6], [-0.6, 0.8]])


def make_relief(elevation: Elevation, land: Bools) -> Relief:
    """Return the elevation on a grid of at most about `_STEP` map units; 0 is water.

    `land` is a grid of pixels. Ranges end where the coast cuts them; the plains between them
    are level.
    """
    step = _COARSE * min(_STEP, elevation.size[0] / _FEWEST)
    columns, rows = (round(extent / step) for extent in elevation.size)
    coarse = _points(elevation, columns, rows)
    shape = rows * _COARSE, columns * _COARSE
    ranges = _spread(elevation.ranges(coarse), (rows, columns))
    points = _points(elevation, shape[1], shape[0])
    dry = _on_land(points, land)
    heights = np.where(dry, ranges, 0.0)
    high = np.flatnonzero(heights > 1 / 255)
    bent = [_spread(shift, (rows, columns)) for shift in (_BEND * elevation.shifts(coarse)).T]
    places = points[high] + np.stack([shift[high] for shift in bent], axis=1)
    heights[high] *= _folds(elevation, places @ _TURN / _FOLD)
    values = np.where(dry, np.clip(1 + 254 * heights, 1, 255), 0)
    return Relief(shape[1], shape[0], values.astype(np.uint8).tobytes())


def _folds(elevation: Elevation, places: Floats) -> Floats:
    """Return crests with steep sides at `places`, from about 0 in valleys to 1."""
    total, strength, whole = np.zeros(len(places)), 1.0, 0.0
    for layer in range(_LAYERS):
        crest = 1 - np.abs(elevation.ridge.at(places * 2.0**layer + 31.7 * layer))
        total += strength * crest * crest
        whole += strength
        strength *= _GAIN
    return total / whole


def _points(elevation: Elevation, columns: int, rows: int) -> Floats:
    """Return the middles (n×2) of a grid of cells over the map, row by row."""
    across = (np.arange(columns) + 0.5) * elevation.size[0] / columns
    down = (np.arange(rows) + 0.5) * elevation.size[1] / rows
    return np.stack([np.tile(across, rows), np.repeat(down, columns)], axis=1)


def _spread(values: Floats, shape: tuple[int, int]) -> Floats:
    """Return the values of a grid `_COARSE` times as fine, row by row."""
    return _doubled(_doubled(values.reshape(shape))).ravel()


def _doubled(grid: Floats) -> Floats:
    """Return `grid` twice as fine: the middles of the four quarters of every cell, smooth."""
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


def _on_land(points: Floats, land: Bools) -> Bools:
    """Return whether each point is on land."""
    column = np.minimum((points[:, 0] / PIXEL).astype(np.int64), land.shape[1] - 1)
    row = np.minimum((points[:, 1] / PIXEL).astype(np.int64), land.shape[0] - 1)
    return np.asarray(land[row, column])
