"""The free space of a province in pixels, and the best places for things in it."""

from collections.abc import Mapping, Sequence
from math import fsum

import numpy as np
from scipy.ndimage import distance_transform_cdt, distance_transform_edt

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints
from diplomaccloud.atlas.generator.raster import PIXEL

Size = tuple[float, float]
Block = tuple[Size, Mapping[str, Point]]
"""Things placed together: their total size, and the center of each relative to the upper left."""

BADGE = (28.0, 21.0)
"""The size of a unit, dislodged or not."""

_MIN_NEARER = 4.0
"""How much nearer a fleet must stand to its own coast than to another, in map units."""

_PACKING_DIRECTIONS = ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
"""Directions (down, across) in which things are packed if no better layout fits."""


class CrowdedError(ValueError):
    """A province has no space for everything that must be printed in it."""


class FreeSpace:
    """The pixels of one province, at least one pixel away from its border."""

    def __init__(self, owners: Ints, province: int, coasts: Sequence[Sequence[Point]] = ()) -> None:
        rows, columns = np.nonzero(owners == province)
        if not len(rows):
            raise CrowdedError(f"province {province} has no pixel")
        self._top, self._left = int(rows.min()), int(columns.min())
        window = owners[self._top : int(rows.max()) + 1, self._left : int(columns.max()) + 1]
        padded = np.pad(window == province, 1)
        # Printed things are upright rectangles, so depth is measured in upright squares.
        self._depth = np.asarray(distance_transform_cdt(padded, "chessboard"))[1:-1, 1:-1]
        self._free: Bools = self._depth > 1
        middle = np.array([rows.mean() - self._top, columns.mean() - self._left])
        down, across = np.indices(window.shape)
        far = np.sqrt((down - middle[0]) ** 2 + (across - middle[1]) ** 2)
        # Prefer pixels deep inside, and among equally deep ones those near the middle.
        self._merit = self._depth - 0.25 * far
        self._shores = [_find_middle(coast) for coast in coasts]
        self._nearer = self._find_nearer_pixels(coasts)

    @property
    def is_split(self) -> bool:
        """Whether there are several coasts."""
        return bool(self._shores)

    def pack_blocks(self, layout: Sequence[Block]) -> dict[str, Point] | None:
        """Return the center of each thing with every block moved as far to one side as possible."""
        down, across = np.indices(self._free.shape)
        for direction in _PACKING_DIRECTIONS:
            merit = np.asarray(direction[0] * down + direction[1] * across, dtype=np.float64)
            spots = self.arrange_blocks(layout, merit)
            if spots is not None:
                return spots
        return None

    def arrange_blocks(
        self, layout: Sequence[Block], preference: Floats | None = None
    ) -> dict[str, Point] | None:
        """Return the center of each thing with every block where it fits best.

        The first block goes to the middle and each later one near the one before; with
        `preference`, each goes where that is highest. Return `None` if a block does not fit.
        """
        free, spots = self._free.copy(), dict[str, Point]()
        anchor: Point | None = None
        for size, centers in layout:
            merit = self._merit if anchor is None else -self._measure_distances(anchor)
            merit = merit if preference is None else preference
            corner = _find_best_box(free, size, merit)
            if corner is None:
                return None
            row, column = corner
            high, wide = _count_pixels(size)
            # One pixel more, so that things do not even touch.
            free[max(row - 1, 0) : row + high + 1, max(column - 1, 0) : column + wide + 1] = False
            for thing, (x, y) in centers.items():
                spots[thing] = self._to_map_point(row + y / PIXEL, column + x / PIXEL)
            anchor = spots.get("unit", spots[next(iter(centers))])
        return spots

    def place_fleets(self, printed: Sequence[tuple[Point, Size]]) -> tuple[Point, ...]:
        """Return a place for a fleet at each coast, clear of `printed` and of the other fleets."""
        fleets: list[Point] = []
        for shore, near in zip(self._shores, self._nearer, strict=True):
            taken = [*printed, *((fleet, BADGE) for fleet in fleets)]
            fleets.append(self.find_nearest(BADGE, shore, taken, near))
        return tuple(fleets)

    def find_nearest(
        self,
        size: Size,
        spot: Point,
        printed: Sequence[tuple[Point, Size]],
        allowed: Bools | None = None,
    ) -> Point:
        """Return the place for something of `size` nearest to `spot`, clear of `printed`.

        Its center is one of the `allowed` pixels, if they are given. Raises `CrowdedError`.
        """
        free = self._free.copy()
        for (x, y), (wide, high) in printed:
            top = int(np.floor((y - high / 2) / PIXEL)) - self._top - 1
            bottom = int(np.ceil((y + high / 2) / PIXEL)) - self._top + 1
            left = int(np.floor((x - wide / 2) / PIXEL)) - self._left - 1
            right = int(np.ceil((x + wide / 2) / PIXEL)) - self._left + 1
            free[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = False
        merit = -self._measure_distances(spot)
        corner = _find_best_box(
            free, size, merit if allowed is None else np.where(allowed, merit, -np.inf)
        )
        if corner is None:
            raise CrowdedError("there is no room for a unit")
        return self._to_map_point(corner[0] + size[1] / 2 / PIXEL, corner[1] + size[0] / 2 / PIXEL)

    def _find_nearer_pixels(self, coasts: Sequence[Sequence[Point]]) -> list[Bools]:
        """Return, for each of `coasts`, the pixels nearer to it than to the others."""
        distances = []
        for coast in coasts:
            points = np.floor(np.array(coast) / PIXEL).astype(np.int64)
            rows = np.clip(points[:, 1] - self._top, 0, self._free.shape[0] - 1)
            columns = np.clip(points[:, 0] - self._left, 0, self._free.shape[1] - 1)
            away = np.ones(self._free.shape, dtype=bool)
            away[rows, columns] = False
            distances.append(np.asarray(distance_transform_edt(away)))
        return [
            distance + _MIN_NEARER / PIXEL
            <= np.minimum.reduce(distances[:number] + distances[number + 1 :])
            for number, distance in enumerate(distances)
        ]

    def _measure_distances(self, point: Point) -> Floats:
        """Return the distance of each pixel from `point`, in pixels."""
        down, across = np.indices(self._free.shape)
        x, y = point[0] / PIXEL - self._left, point[1] / PIXEL - self._top
        return np.asarray(np.sqrt((down - y) ** 2 + (across - x) ** 2))

    def _to_map_point(self, row: float, column: float) -> Point:
        return round((column + self._left) * PIXEL, 1), round((row + self._top) * PIXEL, 1)


def _find_middle(coast: Sequence[Point]) -> Point:
    """Return the point of `coast` nearest to the mean of all its points."""
    x, y = (fsum(axis) / len(coast) for axis in zip(*coast, strict=True))
    return min(coast, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def _count_pixels(size: Size) -> tuple[int, int]:
    """Return the rows and columns that something of `size` takes up."""
    return int(np.ceil(size[1] / PIXEL)), int(np.ceil(size[0] / PIXEL))


def _find_best_box(free: Bools, size: Size, merit: Floats) -> tuple[int, int] | None:
    """Return the upper left pixel of the free box of `size` whose middle has the most merit."""
    high, wide = _count_pixels(size)
    rows, columns = free.shape[0] - high + 1, free.shape[1] - wide + 1
    if rows <= 0 or columns <= 0:
        return None
    total = np.zeros((free.shape[0] + 1, free.shape[1] + 1), dtype=np.int32)
    total[1:, 1:] = free.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    inside = (
        total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide] + total[:-high, :-wide]
    )
    middles = merit[high // 2 : high // 2 + rows, wide // 2 : wide // 2 + columns]
    fits = (inside == high * wide) & (middles > -np.inf)
    if not fits.any():
        return None
    row, column = divmod(int(np.argmax(np.where(fits, middles, -np.inf))), columns)
    return row, column
