"""A province as cells, one per map unit, into which boxes are fitted."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, prepare

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.standard.builder.label_layouts import Box

Mask = NDArray[np.bool_]


class Raster:
    """The cells inside a polygon, with a border of cells outside."""

    def __init__(self, polygon: Polygon) -> None:
        left, top, right, bottom = polygon.bounds
        self.left, self.top = int(left) - 2, int(top) - 2
        width, height = int(right) - self.left + 3, int(bottom) - self.top + 3
        xs, ys = np.meshgrid(np.arange(width) + self.left, np.arange(height) + self.top)
        prepare(polygon)
        self.inside: Mask = contains_xy(polygon, xs, ys)
        sums = np.cumsum(np.cumsum(~self.inside, axis=0, dtype=np.int64), axis=1)
        self._outside = np.pad(sums, ((1, 0), (1, 0)))

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self.inside.shape[0], self.inside.shape[1]

    def holds(self, box: Box) -> bool:
        """Return whether `box` lies inside."""
        left, top = box.x - box.width / 2 - self.left, box.y - box.height / 2 - self.top
        right, bottom = left + box.width, top + box.height
        rows, columns = self.shape
        if left < 0 or top < 0 or right >= columns or bottom >= rows:
            return False
        return bool(self.inside[int(top) : int(bottom) + 1, int(left) : int(right) + 1].all())

    def fits(self, box: Box, margin: int) -> Mask:
        """Return the cells around which `box`, enlarged by `margin`, lies inside."""
        half_x = int(np.ceil(box.width / 2)) + margin
        half_y = int(np.ceil(box.height / 2)) + margin
        rows, columns = self.shape
        fitting = np.zeros((rows, columns), dtype=bool)
        if rows <= 2 * half_y or columns <= 2 * half_x:
            return fitting
        sums = self._outside
        tall, wide = 2 * half_y + 1, 2 * half_x + 1
        out = sums[tall:, wide:] - sums[:-tall, wide:] - sums[tall:, :-wide] + sums[:-tall, :-wide]
        fitting[half_y : half_y + out.shape[0], half_x : half_x + out.shape[1]] = out == 0
        return _shift_mask(fitting, round(box.x), round(box.y))


def _shift_mask(mask: Mask, dx: int, dy: int) -> Mask:
    """Return `mask` read at an offset: true where `mask` is true `(dx, dy)` farther on."""
    rows, columns = mask.shape
    shifted = np.zeros_like(mask)
    to_y, to_x = slice(max(0, -dy), rows - max(0, dy)), slice(max(0, -dx), columns - max(0, dx))
    from_y, from_x = slice(max(0, dy), rows + min(0, dy)), slice(max(0, dx), columns + min(0, dx))
    if abs(dy) < rows and abs(dx) < columns:
        shifted[to_y, to_x] = mask[from_y, from_x]
    return shifted


def find_nearest_box(
    raster: Raster, size: tuple[float, float], target: Point, taken: Sequence[Box]
) -> Box:
    """Return a box near `target`, inside the province and clear of `taken` as far as possible."""
    box = Box(0, 0, *size)
    small = Box(0, 0, size[0] * 0.6, size[1] * 0.6)
    for inside in (raster.fits(box, 1), raster.fits(small, 0), raster.inside):
        clear = inside.copy()
        rows, columns = np.indices(clear.shape)
        xs, ys = columns + raster.left, rows + raster.top
        for other in taken:
            clear &= (np.abs(xs - other.x) >= (size[0] + other.width) / 2 + 1) | (
                np.abs(ys - other.y) >= (size[1] + other.height) / 2 + 1
            )
        if clear.any():
            away = np.where(clear, np.hypot(xs - target[0], ys - target[1]), np.inf)
            row, column = divmod(int(away.argmin()), away.shape[1])
            return replace(box, x=float(column + raster.left), y=float(row + raster.top))
    return replace(box, x=target[0], y=target[1])
