"""Where codes are printed, and how large, on a map so small that names cannot be read.

A whole map on a telephone has less than a third of a pixel for a map unit. So codes are as
large as can be, and stand where there is room among units, stars and other codes, rather
than where names stand; a border may be crossed. All boxes are in map units.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import hypot

from diplomaccloud.atlas.chart import Chart, Point, Shape
from diplomaccloud.atlas.render.keeping import once_per_chart
from diplomaccloud.atlas.render.scene import margin_of, rings_of, usual_label_size
from diplomaccloud.atlas.render.units import HALF_HEIGHT, HALF_WIDTH
from diplomaccloud.judge.board import Location, ProvinceCode

RISE = 0.345
"""From the middle of a code down to its baseline, in font sizes: it has no descenders."""

_SIZES = (10.0, 9.4, 8.8, 8.2, 7.6, 7.0)
"""Font sizes tried, in pixels of a map `_TELEPHONE` pixels wide."""

_TELEPHONE = 390
_LARGEST = 3.1
"""Of the usual size of a name, for maps of very many provinces."""

_TALL, _WIDE = 0.76, 0.7
_WIDTHS = {"I": 0.36, "J": 0.36, "S": 0.54, "F": 0.57, "M": 0.95, "W": 1.0, "H": 0.83, "N": 0.83}
_BADGE_GROWTH = 1.25
"""Badges are drawn larger too where codes are shown; see `.is-far` in the page's style."""

_CELL = 6.0
_PLACES = 110
"""About so many places are tried in a province."""

_SWEEPS = 2


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

    def shared(self, other: "Box") -> float:
        """Return the area that both boxes cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        if wide <= 0:
            return 0.0
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if high > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Print:
    """A code's middle, font size and box; `cost` is what it covers, 0 for nothing."""

    cost: float
    at: Point
    size: float
    box: Box


def box_of(code: str, at: Point, size: float) -> Box:
    """Return the box of the letters of `code`, halo included."""
    wide = size * sum(_WIDTHS.get(letter, _WIDE) for letter in code) + size * 0.1
    return _around(at, wide / 2, size * _TALL / 2)


@once_per_chart
def code_prints(chart: Chart) -> Mapping[ProvinceCode, Print]:
    """Return where and how large the code of every province is printed."""
    pixel = (chart.size[0] + 2 * margin_of(chart)) / _TELEPHONE
    largest = usual_label_size(chart) * _LARGEST
    sizes = [round(min(size * pixel, largest * size / _SIZES[0]), 1) for size in _SIZES]
    rooms = sorted((_Room(shape, chart, sizes) for shape in chart.shapes), key=lambda one: one.rank)
    found: dict[ProvinceCode, Print] = {}
    for _ in range(_SWEEPS):
        for room in rooms:
            badges = [one.badge for one in rooms if room.window.shared(one.badge)]
            codes = [one.box for code, one in found.items() if code != room.code]
            found[room.code] = room.best([*badges, *filter(room.window.shared, codes)])
    return found


class _Grid:
    """The cells of one province, counted so that those in any box are told at once."""

    def __init__(self, outlines: Sequence[Sequence[Point]]) -> None:
        xs = [x for outline in outlines for x, _ in outline]
        ys = [y for outline in outlines for _, y in outline]
        self.around = Box(min(xs), min(ys), max(xs), max(ys))
        self._columns = int((max(xs) - min(xs)) / _CELL) + 1
        self._cells = self._filled(outlines, int((max(ys) - min(ys)) / _CELL) + 1)
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
                for row in range(_cell(low - top), min(rows, _cell(high - top))):
                    y = top + (row + 0.5) * _CELL
                    crossings[row].append(x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return [self._row_of(sorted(row), left) for row in crossings]

    def _row_of(self, crossings: Sequence[float], left: float) -> list[bool]:
        cells = [False] * self._columns
        for start, end in zip(crossings[::2], crossings[1::2], strict=False):
            first, last = _cell(start - left), min(self._columns, _cell(end - left))
            cells[first:last] = [True] * max(0, last - first)
        return cells

    def middles(self, most: int) -> Iterator[Point]:
        """Yield the middles of about `most` of the cells, evenly spread."""
        step = max(1, round((self.count / most) ** 0.5))
        for row in range(0, len(self._cells), step):
            for column in range(0, self._columns, step):
                if self._cells[row][column]:
                    x = self.around.left + (column + 0.5) * _CELL
                    yield round(x, 1), round(self.around.top + (row + 0.5) * _CELL, 1)

    def outside(self, box: Box) -> float:
        """Return the share of `box` outside the province."""
        left, right = self._column(box.left), self._column(box.right)
        top, bottom = self._sums[self._row(box.top)], self._sums[self._row(box.bottom)]
        inside = bottom[right] - top[right] - bottom[left] + top[left]
        return max(0.0, 1 - inside * _CELL * _CELL / box.area)

    def _column(self, x: float) -> int:
        return min(max(round((x - self.around.left) / _CELL), 0), self._columns)

    def _row(self, y: float) -> int:
        return min(max(round((y - self.around.top) / _CELL), 0), len(self._cells))


class _Room:
    """One province: its cells, and what stands in it."""

    def __init__(self, shape: Shape, chart: Chart, sizes: Sequence[float]) -> None:
        self.code = shape.province
        self._grid = _Grid([chart.outline(ring) for ring in rings_of(shape)])
        self.rank = self._grid.count, self.code
        self._sizes, self._size, self._label = sizes, chart.size, shape.anchors.label
        around, away = self._grid.around, sizes[0] * 2
        self.window = _around(_middle(around), around.wide / 2 + away, around.high / 2 + away)
        unit = usual_label_size(chart) / 15
        half = HALF_WIDTH * unit * _BADGE_GROWTH, HALF_HEIGHT * unit * _BADGE_GROWTH
        places = dict(shape.anchors.units)
        self.badge = _around(places.pop(Location(shape.province), self._label), *half)
        seldom = *places.values(), shape.anchors.dislodged
        self._marks = [(_around(at, *half), 0.0, 2.0) for at in seldom]
        if (star := shape.anchors.star) is not None:
            self._marks.append((_around(star, 8 * unit, 8 * unit), 2.0, 12.0))
        self._prints: dict[int, list[Print]] = {}

    def best(self, taken: Sequence[Box]) -> Print:
        """Return the cheapest print clear of `taken`, or that which covers least of it."""
        found: Print | None = None
        for number in range(len(self._sizes)):
            if found is not None and found.cost <= number:
                break
            for one in self._sorted(number):
                if found is not None and found.cost <= one.cost:
                    break
                if not any(one.box.shared(box) for box in taken):
                    found = one
                    break
        return found or self._least_bad(taken)

    def _least_bad(self, taken: Sequence[Box]) -> Print:
        prints = self._sorted(len(self._sizes) - 1)
        return min(prints, key=lambda one: sum(one.box.shared(box) for box in taken))

    def _sorted(self, number: int) -> list[Print]:
        """Return all prints of one of the sizes, the cheapest first."""
        if number not in self._prints:
            # A shape too thin for any cell has its label at least.
            middles = list(self._grid.middles(_PLACES)) or [self._label]
            prints = [self._print(at, self._sizes[number], number) for at in middles]
            self._prints[number] = sorted(prints, key=lambda one: one.cost)
        return self._prints[number]

    def _print(self, at: Point, size: float, cost: float) -> Print:
        box = box_of(self.code, at, size)
        cost += 7 * self._grid.outside(box)
        cost += 0.01 * hypot(at[0] - self._label[0], at[1] - self._label[1])
        if min(box.left, box.top) < 0 or box.right > self._size[0] or box.bottom > self._size[1]:
            cost += 50
        for mark, touched, covered in self._marks:
            if shared := box.shared(mark):
                cost += touched + covered * shared / box.area
        return Print(cost, at, size, box)


def _around(at: Point, half_wide: float, half_high: float) -> Box:
    return Box(at[0] - half_wide, at[1] - half_high, at[0] + half_wide, at[1] + half_high)


def _middle(box: Box) -> Point:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _cell(way: float) -> int:
    """Return the first cell with its middle beyond `way`."""
    return max(0, int(way / _CELL + 0.5))
