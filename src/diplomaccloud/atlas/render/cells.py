"""Boxes, and a grid of a province's cells that shows where boxes fit. All in map units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import sqrt

from diplomaccloud.atlas.chart import Point

_CELL_SIZE = 6.0
"""The side of a cell, unless the province would have more than `_MAX_CELLS`."""

_FULL_SIZE_MAP = 480.0
"""The longer side of the smallest map with full-size cells; on smaller maps cells shrink."""

_MAX_CELLS = 20_000
"""About how many cells a province may have, because a map file can use very small units."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height."""
        return self.bottom - self.top

    @property
    def area(self) -> float:
        """The area."""
        return self.width * self.height

    @property
    def center(self) -> Point:
        """The center."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def shared_area(self, other: "Box") -> float:
        """Return the area of the intersection."""
        width = min(self.right, other.right) - max(self.left, other.left)
        if width <= 0:
            return 0.0
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if height > 0 else 0.0


def box_around(at: Point, half_width: float, half_height: float) -> Box:
    """Return the box centered at `at` with half this width and height."""
    return Box(at[0] - half_width, at[1] - half_height, at[0] + half_width, at[1] + half_height)


class Grid:
    """The cells of one province, with sums that give the number in any box at once.

    `cell` is the side of a cell; `size` is the size of the map.
    """

    def __init__(self, outlines: Sequence[Sequence[Point]], size: tuple[float, float]) -> None:
        xs = [x for outline in outlines for x, _ in outline]
        ys = [y for outline in outlines for _, y in outline]
        self.bounds = Box(min(xs), min(ys), max(xs), max(ys))
        self.cell = max(
            _CELL_SIZE * min(1.0, max(size) / _FULL_SIZE_MAP), sqrt(self.bounds.area / _MAX_CELLS)
        )
        self._columns = int(self.bounds.width / self.cell) + 1
        self._cells = self._fill_cells(outlines, int(self.bounds.height / self.cell) + 1)
        self._sums = [[0] * (self._columns + 1)]
        for row in self._cells:
            line = accumulate(row, initial=0)
            self._sums.append(
                [above + left for above, left in zip(self._sums[-1], line, strict=True)]
            )
        self.count = self._sums[-1][-1]

    def _fill_cells(self, outlines: Sequence[Sequence[Point]], rows: int) -> list[list[bool]]:
        """Return for each row which cells have their centers inside, by the even-odd rule."""
        left, top = self.bounds.left, self.bounds.top
        crossings: list[list[float]] = [[] for _ in range(rows)]
        for outline in outlines:
            for (x0, y0), (x1, y1) in pairwise((*outline, outline[0])):
                low, high = sorted((y0, y1))
                for row in range(
                    self._first_cell(low - top), min(rows, self._first_cell(high - top))
                ):
                    y = top + (row + 0.5) * self.cell
                    crossings[row].append(x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return [self._fill_row(sorted(row), left) for row in crossings]

    def _fill_row(self, crossings: Sequence[float], left: float) -> list[bool]:
        cells = [False] * self._columns
        for start, end in zip(crossings[::2], crossings[1::2], strict=False):
            first, last = (
                self._first_cell(start - left),
                min(self._columns, self._first_cell(end - left)),
            )
            cells[first:last] = [True] * max(0, last - first)
        return cells

    def sample_centers(self, count: int) -> Iterator[Point]:
        """Yield the centers of about `count` cells, evenly spread."""
        step = max(1, round((self.count / count) ** 0.5))
        for row in range(0, len(self._cells), step):
            for column in range(0, self._columns, step):
                if self._cells[row][column]:
                    x = self.bounds.left + (column + 0.5) * self.cell
                    yield round(x, 1), round(self.bounds.top + (row + 0.5) * self.cell, 1)

    def outside_share(self, box: Box) -> float:
        """Return which part of `box` is outside the province, from 0 to 1."""
        left, right = self._column(box.left), self._column(box.right)
        top, bottom = self._sums[self._row(box.top)], self._sums[self._row(box.bottom)]
        inside = bottom[right] - top[right] - bottom[left] + top[left]
        return max(0.0, 1 - inside * self.cell * self.cell / box.area)

    def _column(self, x: float) -> int:
        return min(max(round((x - self.bounds.left) / self.cell), 0), self._columns)

    def _row(self, y: float) -> int:
        return min(max(round((y - self.bounds.top) / self.cell), 0), len(self._cells))

    def _first_cell(self, distance: float) -> int:
        """Return the first cell with its center beyond `distance`."""
        return max(0, int(distance / self.cell + 0.5))
