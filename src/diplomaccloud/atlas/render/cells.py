"""Boxes, and the cells of a province in which boxes find room. All in map units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import sqrt

from diplomaccloud.atlas.chart import Point

_CELL = 6.0
"""The side of a cell, but of a province so large that it would have more than `_MOST`."""

_WHOLE = 480.0
"""The longer side of the smallest map with whole cells; on smaller ones they are in scale."""

_MOST = 20_000
"""About so many cells a province has at most: a map file may be in units as small as it likes."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def wide(self) -> float:
        """From edge to edge."""
        return self.right - self.left

    @property
    def high(self) -> float:
        """From edge to edge."""
        return self.bottom - self.top

    @property
    def area(self) -> float:
        """Of the whole box."""
        return self.wide * self.high

    @property
    def middle(self) -> Point:
        """Where its diagonals cross."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def shared(self, other: "Box") -> float:
        """Return the area that both boxes cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        if wide <= 0:
            return 0.0
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if high > 0 else 0.0


def box_around(at: Point, half_wide: float, half_high: float) -> Box:
    """Return the box with its middle `at` and these half sizes."""
    return Box(at[0] - half_wide, at[1] - half_high, at[0] + half_wide, at[1] + half_high)


class Grid:
    """The cells of one province, counted so that those in any box are told at once.

    `cell` is the side of each; `size` is that of the map.
    """

    def __init__(self, outlines: Sequence[Sequence[Point]], size: tuple[float, float]) -> None:
        xs = [x for outline in outlines for x, _ in outline]
        ys = [y for outline in outlines for _, y in outline]
        self.around = Box(min(xs), min(ys), max(xs), max(ys))
        self.cell = max(_CELL * min(1.0, max(size) / _WHOLE), sqrt(self.around.area / _MOST))
        self._columns = int(self.around.wide / self.cell) + 1
        self._cells = self._filled(outlines, int(self.around.high / self.cell) + 1)
        self._sums = [[0] * (self._columns + 1)]
        for row in self._cells:
            line = accumulate(row, initial=0)
            self._sums.append([up + here for up, here in zip(self._sums[-1], line, strict=True)])
        self.count = self._sums[-1][-1]

    def _filled(self, outlines: Sequence[Sequence[Point]], rows: int) -> list[list[bool]]:
        """Return row by row which cells have their middles inside, by the even-odd rule."""
        left, top = self.around.left, self.around.top
        crossings: list[list[float]] = [[] for _ in range(rows)]
        for outline in outlines:
            for (x0, y0), (x1, y1) in pairwise((*outline, outline[0])):
                low, high = sorted((y0, y1))
                for row in range(self._cell(low - top), min(rows, self._cell(high - top))):
                    y = top + (row + 0.5) * self.cell
                    crossings[row].append(x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return [self._row_of(sorted(row), left) for row in crossings]

    def _row_of(self, crossings: Sequence[float], left: float) -> list[bool]:
        cells = [False] * self._columns
        for start, end in zip(crossings[::2], crossings[1::2], strict=False):
            first, last = self._cell(start - left), min(self._columns, self._cell(end - left))
            cells[first:last] = [True] * max(0, last - first)
        return cells

    def middles(self, most: int) -> Iterator[Point]:
        """Yield the middles of about `most` of the cells, evenly spread."""
        step = max(1, round((self.count / most) ** 0.5))
        for row in range(0, len(self._cells), step):
            for column in range(0, self._columns, step):
                if self._cells[row][column]:
                    x = self.around.left + (column + 0.5) * self.cell
                    yield round(x, 1), round(self.around.top + (row + 0.5) * self.cell, 1)

    def outside(self, box: Box) -> float:
        """Return the share of `box` outside the province."""
        left, right = self._column(box.left), self._column(box.right)
        top, bottom = self._sums[self._row(box.top)], self._sums[self._row(box.bottom)]
        inside = bottom[right] - top[right] - bottom[left] + top[left]
        return max(0.0, 1 - inside * self.cell * self.cell / box.area)

    def _column(self, x: float) -> int:
        return min(max(round((x - self.around.left) / self.cell), 0), self._columns)

    def _row(self, y: float) -> int:
        return min(max(round((y - self.around.top) / self.cell), 0), len(self._cells))

    def _cell(self, way: float) -> int:
        """Return the first cell with its middle beyond `way`."""
        return max(0, int(way / self.cell + 0.5))
