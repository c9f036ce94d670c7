"""The relief grid of a chart."""

import numpy as np
from scipy.ndimage import distance_transform_edt

from diplomaccloud.atlas.chart import Relief
from diplomaccloud.atlas.generator.mesh import Bools, Floats
from diplomaccloud.atlas.generator.raster import PIXEL
from diplomaccloud.atlas.generator.relief import Terrain

_STEP = 5.0
_SHORE = 60.0
_HILL = 40.0
_RANGES, _HILLS = 0.72, 0.2
# Turned by some angle, or the lattice of the noise would show as upright and level streaks.
_TURN = np.array([[0.8, 0.6], [-0.6, 0.8]])


def make_relief(terrain: Terrain, land: Bools) -> Relief:
    """Return the elevation on a grid of about `_STEP` map units; 0 is water.

    `land` is a grid of pixels. The ground rises from the coast inland.
    """
    # Ranges are broad, so that every other point of the grid tells enough of them.
    columns, rows = (round(extent / _STEP / 2) for extent in terrain.size)
    ranges = _doubled(terrain.mountains(_points(terrain, columns, rows)).reshape(rows, columns))
    width, height = 2 * columns, 2 * rows
    points = _points(terrain, width, height)
    hills = terrain.ridge.layered(points @ _TURN / _HILL, 2, 0.55).reshape(height, width)
    inland, dry = _inland(points, land, (height, width))
    rise = np.minimum(inland / _SHORE, 1.0)
    heights = (_RANGES * ranges + _HILLS * (0.4 + ranges) * hills) * (0.3 + 0.7 * rise)
    values = np.where(dry, np.clip(30 + 225 * heights * np.minimum(rise * 4, 1), 1, 255), 0)
    return Relief(width, height, values.astype(np.uint8).tobytes())


def _points(terrain: Terrain, columns: int, rows: int) -> Floats:
    """Return the middles (n×2) of a grid of cells over the map, row by row."""
    across = (np.arange(columns) + 0.5) * terrain.size[0] / columns
    down = (np.arange(rows) + 0.5) * terrain.size[1] / rows
    return np.stack([np.tile(across, rows), np.repeat(down, columns)], axis=1)


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


def _inland(points: Floats, land: Bools, shape: tuple[int, int]) -> tuple[Floats, Bools]:
    """Return how far from the water each point is, in map units, and whether it is on land."""
    column = np.minimum((points[:, 0] / PIXEL).astype(np.int64), land.shape[1] - 1)
    row = np.minimum((points[:, 1] / PIXEL).astype(np.int64), land.shape[0] - 1)
    far = np.asarray(distance_transform_edt(land))[row, column] * PIXEL
    return far.reshape(shape), land[row, column].reshape(shape)
