"""The room of a province: its pixels, and where in them a thing fits best."""

from collections.abc import Mapping, Sequence
from math import fsum

import numpy as np
from scipy.ndimage import distance_transform_cdt, distance_transform_edt

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints
from diplomaccloud.atlas.generator.raster import PIXEL

Size = tuple[float, float]
Block = tuple[Size, Mapping[str, Point]]
"""Things printed as one: the size of all, and the centre of each from the upper left."""

BADGE = (28.0, 21.0)
"""The size of a unit, driven out or not."""

_NEARER = 4.0
"""How much nearer to its own coast than to another a fleet stands at least."""

_LEANINGS = ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
"""Ways down and across to pack things, where they fit in no better order."""


class CrowdedError(ValueError):
    """A province has no room for what must stand in it."""


class Room:
    """The pixels of one province, one pixel in from its border."""

    def __init__(self, owners: Ints, province: int, coasts: Sequence[Sequence[Point]] = ()) -> None:
        rows, columns = np.nonzero(owners == province)
        if not len(rows):
            raise CrowdedError(f"province {province} has no pixel")
        self._top, self._left = int(rows.min()), int(columns.min())
        window = owners[self._top : int(rows.max()) + 1, self._left : int(columns.max()) + 1]
        padded = np.pad(window == province, 1)
        # What stands here is upright, so depth is counted in upright squares.
        self._depth = np.asarray(distance_transform_cdt(padded, "chessboard"))[1:-1, 1:-1]
        self._free: Bools = self._depth > 1
        middle = np.array([rows.mean() - self._top, columns.mean() - self._left])
        down, across = np.indices(window.shape)
        far = np.sqrt((down - middle[0]) ** 2 + (across - middle[1]) ** 2)
        # As deep inside as possible, and of equal depths the one nearest to the middle.
        self._merit = self._depth - 0.25 * far
        self._shores = [_middle(coast) for coast in coasts]
        self._nearer = self._by_coast(coasts)

    @property
    def split(self) -> bool:
        """Whether there are several coasts."""
        return bool(self._shores)

    def packed(self, layout: Sequence[Block]) -> dict[str, Point] | None:
        """Return the centre of each thing with every block set as far to one side as it can."""
        down, across = np.indices(self._free.shape)
        for lean in _LEANINGS:
            merit = np.asarray(lean[0] * down + lean[1] * across, dtype=np.float64)
            spots = self.arranged(layout, merit)
            if spots is not None:
                return spots
        return None

    def arranged(
        self, layout: Sequence[Block], lean: Floats | None = None
    ) -> dict[str, Point] | None:
        """Return the centre of each thing with every block set where it stands best.

        That is in the middle and then near by, or where `lean` has most.
        """
        free, spots = self._free.copy(), dict[str, Point]()
        anchor: Point | None = None
        for size, centres in layout:
            merit = self._merit if anchor is None else -self._far_from(anchor)
            merit = merit if lean is None else lean
            corner = _best(free, size, merit)
            if corner is None:
                return None
            row, column = corner
            high, wide = _extent(size)
            # One pixel more, so that things do not even touch.
            free[max(row - 1, 0) : row + high + 1, max(column - 1, 0) : column + wide + 1] = False
            for thing, (x, y) in centres.items():
                spots[thing] = self._point(row + y / PIXEL, column + x / PIXEL)
            anchor = spots.get("unit", spots[next(iter(centres))])
        return spots

    def harbours(self, printed: Sequence[tuple[Point, Size]]) -> tuple[Point, ...]:
        """Return a place for a fleet at each coast, clear of `printed` and of one another."""
        found: list[Point] = []
        for shore, near in zip(self._shores, self._nearer, strict=True):
            taken = [*printed, *((fleet, BADGE) for fleet in found)]
            found.append(self.nearest(BADGE, shore, taken, near))
        return tuple(found)

    def nearest(
        self,
        size: Size,
        spot: Point,
        printed: Sequence[tuple[Point, Size]],
        where: Bools | None = None,
    ) -> Point:
        """Return the place for something of `size` nearest to `spot`, clear of `printed`.

        Its middle is one of the pixels `where`, if they are given.
        """
        free = self._free.copy()
        for (x, y), (wide, high) in printed:
            top = int(np.floor((y - high / 2) / PIXEL)) - self._top - 1
            bottom = int(np.ceil((y + high / 2) / PIXEL)) - self._top + 1
            left = int(np.floor((x - wide / 2) / PIXEL)) - self._left - 1
            right = int(np.ceil((x + wide / 2) / PIXEL)) - self._left + 1
            free[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = False
        merit = -self._far_from(spot)
        corner = _best(free, size, merit if where is None else np.where(where, merit, -np.inf))
        if corner is None:
            raise CrowdedError("there is no room for a unit")
        return self._point(corner[0] + size[1] / 2 / PIXEL, corner[1] + size[0] / 2 / PIXEL)

    def _by_coast(self, coasts: Sequence[Sequence[Point]]) -> list[Bools]:
        """Return for each of `coasts` the pixels that are nearer to it than to the others."""
        ways = []
        for coast in coasts:
            points = np.floor(np.array(coast) / PIXEL).astype(np.int64)
            rows = np.clip(points[:, 1] - self._top, 0, self._free.shape[0] - 1)
            columns = np.clip(points[:, 0] - self._left, 0, self._free.shape[1] - 1)
            away = np.ones(self._free.shape, dtype=bool)
            away[rows, columns] = False
            ways.append(np.asarray(distance_transform_edt(away)))
        return [
            way + _NEARER / PIXEL <= np.minimum.reduce(ways[:number] + ways[number + 1 :])
            for number, way in enumerate(ways)
        ]

    def _far_from(self, point: Point) -> Floats:
        down, across = np.indices(self._free.shape)
        x, y = point[0] / PIXEL - self._left, point[1] / PIXEL - self._top
        return np.asarray(np.sqrt((down - y) ** 2 + (across - x) ** 2))

    def _point(self, row: float, column: float) -> Point:
        return round((column + self._left) * PIXEL, 1), round((row + self._top) * PIXEL, 1)


def _middle(coast: Sequence[Point]) -> Point:
    """Return the point of `coast` that is nearest to the mean of all."""
    x, y = (fsum(axis) / len(coast) for axis in zip(*coast, strict=True))
    return min(coast, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def _extent(size: Size) -> tuple[int, int]:
    return int(np.ceil(size[1] / PIXEL)), int(np.ceil(size[0] / PIXEL))


def _best(free: Bools, size: Size, merit: Floats) -> tuple[int, int] | None:
    """Return the upper left pixel of the free box of `size` whose middle has most merit."""
    high, wide = _extent(size)
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
