"""Turn the map into a grid of pixels, each labeled with its province."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.borders import OUTSIDE
from diplomaccloud.atlas.generator.mesh import Bools, Ints

PIXEL = 2.0
"""The side of a pixel, in map units."""

Outline = tuple[Sequence[Point], int, int]
"""The points of a line and the owners to its left and right."""


def rasterize_owners(size: tuple[float, float], lines: Sequence[Outline]) -> Ints:
    """Return the owner of each pixel (rows×columns), taken at its center.

    Along a row from the west, the owner changes at every line crossed, so a running sum of the
    changes gives the owners of the whole map at once.
    """
    shape = _grid_shape(size)
    changes = np.zeros((shape[0], shape[1] + 1), dtype=np.int64)
    for points, left, right in lines:
        rows, columns, down = _find_crossings(points, shape)
        np.add.at(changes, (rows, columns), np.where(down, left - right, right - left))
    return np.asarray(np.cumsum(changes, axis=1)[:, :-1] + OUTSIDE)


def rasterize_outlines(size: tuple[float, float], outlines: Sequence[Sequence[Point]]) -> Bools:
    """Return the pixels inside the closed `outlines`."""
    shape = _grid_shape(size)
    crossed = np.zeros((shape[0], shape[1] + 1), dtype=np.int64)
    for points in outlines:
        rows, columns, _ = _find_crossings(points, shape)
        np.add.at(crossed, (rows, columns), 1)
    return np.asarray(np.cumsum(crossed, axis=1)[:, :-1] % 2 == 1)


def _grid_shape(size: tuple[float, float]) -> tuple[int, int]:
    return int(np.ceil(size[1] / PIXEL)), int(np.ceil(size[0] / PIXEL))


def _find_crossings(
    points: Sequence[Point], shape: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Bools]:
    """Return where a line crosses the middles of rows, and whether it goes down there.

    The result is an array of rows, one of columns, and one of directions.
    """
    line = np.array(points) / PIXEL - 0.5
    start, end = line[:-1], line[1:]
    low = np.minimum(start[:, 1], end[:, 1])
    first = np.ceil(low).astype(np.int64)
    counts = np.ceil(np.maximum(start[:, 1], end[:, 1])).astype(np.int64) - first
    segment = np.repeat(np.arange(len(counts)), counts)
    row_starts = np.repeat(np.cumsum(counts) - counts, counts)
    rows = first[segment] + np.arange(len(segment)) - row_starts
    on_map = (rows >= 0) & (rows < shape[0])
    segment, rows = segment[on_map], rows[on_map]
    along = (rows - start[segment, 1]) / (end[segment, 1] - start[segment, 1])
    across = start[segment, 0] + along * (end[segment, 0] - start[segment, 0])
    columns = np.clip(np.floor(across).astype(np.int64) + 1, 0, shape[1])
    return rows, columns, end[segment, 1] > start[segment, 1]
