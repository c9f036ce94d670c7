"""Boxes, the sizes of names and badges on a map, and where the badges stand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, product
from math import hypot, sqrt
from statistics import median

from diplomaccloud.judge.board import Location, Terrain, province_of
from diplomaccloud.judge.drawing.chart import Anchors, Chart, Point, Shape, cache_per_chart

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

    def shared_area(self, box: "Box") -> float:
        """Return the area of the intersection."""
        width = min(self.right, box.right) - max(self.left, box.left)
        if width <= 0:
            return 0.0
        height = min(self.bottom, box.bottom) - max(self.top, box.top)
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
                [above + row_sum for above, row_sum in zip(self._sums[-1], line, strict=True)]
            )
        self.count = self._sums[-1][-1]

    def _fill_cells(self, outlines: Sequence[Sequence[Point]], rows: int) -> list[list[bool]]:
        """Return for each row which cells have their centers inside, by the even-odd rule."""
        left, top = self.bounds.left, self.bounds.top
        crossings: list[list[float]] = [[] for _ in range(rows)]
        for outline in outlines:
            for (x0, y0), (x1, y1) in pairwise((*outline, outline[0])):
                first, last = (self._first_cell(y - top) for y in sorted((y0, y1)))
                for row in range(first, min(rows, last)):
                    y = top + (row + 0.5) * self.cell
                    crossings[row].append(x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return [self._fill_row(sorted(row), left) for row in crossings]

    def _fill_row(self, crossings: Sequence[float], left: float) -> list[bool]:
        cells = [False] * self._columns
        for start, end in zip(crossings[::2], crossings[1::2], strict=False):
            first = self._first_cell(start - left)
            last = min(self._columns, self._first_cell(end - left))
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
        return max(0.0, 1 - self._count_inside(box) * self.cell * self.cell / box.area)

    def outside_cells(self, box: Box) -> float:
        """Return which part of the cells under `box` is outside the province, from 0 to 1.

        Unlike `outside_share`, it is 0 for a small box that is inside.
        """
        columns = self._count_cells(box.right - self.bounds.left, box.left - self.bounds.left)
        rows = self._count_cells(box.bottom - self.bounds.top, box.top - self.bounds.top)
        return 1 - self._count_inside(box) / (columns * rows) if columns and rows else 0.0

    def _count_cells(self, end: float, start: float) -> int:
        return round(end / self.cell) - round(start / self.cell)

    def _count_inside(self, box: Box) -> int:
        left, right = self._column(box.left), self._column(box.right)
        top, bottom = self._sums[self._row(box.top)], self._sums[self._row(box.bottom)]
        return bottom[right] - top[right] - bottom[left] + top[left]

    def _column(self, x: float) -> int:
        return min(max(round((x - self.bounds.left) / self.cell), 0), self._columns)

    def _row(self, y: float) -> int:
        return min(max(round((y - self.bounds.top) / self.cell), 0), len(self._cells))

    def _first_cell(self, distance: float) -> int:
        """Return the first cell with its center beyond `distance`."""
        return max(0, int(distance / self.cell + 0.5))


# The sizes of names and badges.


HALF_WIDTH = 20.0
HALF_HEIGHT = 19.0
"""Half the size of a badge, in plain units of `badge_scale` map units."""

MAP_SIZE = 1340.0
"""The longer side of a map at which the frame has its plain size."""

_LABEL_SIZE = 15.0
"""The size of names at which a plain unit is one map unit."""

CODE_SIZE = 1.15
"""The font size of a code that replaces a name, relative to the usual size of names."""

LINE_HEIGHT = 1.12
"""In font sizes."""

_LETTER_WIDTH = 0.5
"""The usual width of a letter, in font sizes."""


@cache_per_chart
def usual_label_size(chart: Chart) -> float:
    """Return the median font size of the names on land, or one in scale with the map."""
    by_code = chart.board.by_code
    sizes = [
        shape.anchors.label_size
        for shape in chart.shapes
        if shape.anchors.label_size > 0 and by_code[shape.province].terrain is not Terrain.SEA
    ]
    return median(sizes) if sizes else max(chart.size) * _LABEL_SIZE / MAP_SIZE


def badge_scale(chart: Chart) -> float:
    """Return the size of a plain unit of badges, stars and strokes, in map units."""
    return usual_label_size(chart) / _LABEL_SIZE


def label_box(chart: Chart, anchors: Anchors) -> tuple[Point, Point]:
    """Return the center and half the size of a name, or of the code that replaces it."""
    size = anchors.label_size or usual_label_size(chart) * CODE_SIZE
    lines = anchors.label_lines or ("XXX",)
    width = max(len(line) for line in lines) * size * _LETTER_WIDTH
    return anchors.label, (width / 2, size * LINE_HEIGHT * len(lines) / 2)


def choose_lines(chart: Chart, shape: Shape) -> tuple[tuple[str, ...], float]:
    """Return the lines and the font size of the name of `shape`, or of the code in its place."""
    anchors = shape.anchors
    if anchors.label_size > 0 and anchors.label_lines:
        return anchors.label_lines, anchors.label_size
    return (str(shape.province),), usual_label_size(chart) * CODE_SIZE


NAME_BASELINE = 0.34
"""From the middle of a line of a name down to its baseline, in font sizes."""

_WIDTHS = {
    letter: width
    for letters, width in (
        ("ijl .,'’", 0.28),
        ("frtIJ-", 0.37),
        ("cs", 0.43),
        ("aez", 0.5),
        ("ABEFLPRSTXYZ", 0.64),
        ("CDGKOQUV", 0.76),
        ("HNmw", 0.85),
        ("MW", 0.98),
    )
    for letter in letters
}
_OTHER_WIDTH = 0.58
"""The widths of letters in font sizes: about those of the map's font, and of all others."""

_ASCENT, _DESCENT, _DESCENDERS = 0.74, 0.25, frozenset("gjpqyQJ,")
"""How far letters reach above the baseline, and some of them below it, in font sizes."""


def measure_lines(at: Point, lines: tuple[str, ...], size: float) -> tuple[Box, ...]:
    """Return the boxes of the letters of each line of text centered at `at`."""
    boxes = []
    for number, line in enumerate(lines):
        half = sum(_WIDTHS.get(letter, _OTHER_WIDTH) for letter in line) * size / 2
        base = at[1] + size * (NAME_BASELINE + LINE_HEIGHT * (number - (len(lines) - 1) / 2))
        low = 0.0 if _DESCENDERS.isdisjoint(line) else _DESCENT * size
        boxes.append(Box(at[0] - half, base - _ASCENT * size, at[0] + half, base + low))
    return tuple(boxes)


# Place the badges of units, which are larger than the space that map files reserve for them.
#
# A badge is drawn near its place in the file, moved a little where a name or a star is in the way.
# All badges have one size: where there is no room for a badge and a name, the name gives way. All
# boxes are in map units.

_REACH, _STEP = 22.5, 1.5
"""How far a badge may be moved, and in which steps, in plain units."""

_FAR = 36.0
"""How far a badge may be moved that would otherwise hide a star."""

_STAR = 8.5
"""Half the size of a star, in plain units."""

_CASING = 2.0
"""What the casing adds to half the size of a badge, in plain units."""


def _list_offsets(reach: float) -> list[tuple[float, float]]:
    steps = range(-round(reach / _STEP), round(reach / _STEP) + 1)
    offsets = ((_STEP * x, _STEP * y) for x, y in product(steps, steps))
    return sorted(
        (offset for offset in offsets if hypot(*offset) <= reach), key=lambda offset: hypot(*offset)
    )


_OFFSETS, _FAR_OFFSETS = _list_offsets(_REACH), _list_offsets(_FAR)


@cache_per_chart
def place_badges(chart: Chart) -> Mapping[Location, Point]:
    """Return where the center of the badge of a unit at each location is drawn."""
    unit = badge_scale(chart)
    names: list[Box] = []
    stars = []
    for shape in chart.shapes:
        names += measure_lines(shape.anchors.label, *choose_lines(chart, shape))
        if shape.anchors.star is not None:
            stars.append(box_around(shape.anchors.star, _STAR * unit, _STAR * unit))
    reach = _FAR + _CASING
    window_size = (reach + HALF_WIDTH) * unit, (reach + HALF_HEIGHT) * unit
    badges = {
        location: at for shape in chart.shapes for location, at in shape.anchors.units.items()
    }
    provinces = {location: province_of(location) for location in badges}
    taken = {location: badge_box(at, unit) for location, at in badges.items()}
    for location, start in list(badges.items()):
        window = box_around(start, *window_size)
        others = (box for other, box in taken.items() if provinces[other] != provinces[location])
        fixed = [*_find_overlaps(window, stars), *_find_overlaps(window, others)]
        near = _find_overlaps(window, names)
        badges[location] = (
            _place_badge(start, _OFFSETS, fixed + near, unit, chart.size)
            or _place_badge(start, _OFFSETS, fixed, unit, chart.size)
            or _place_badge(start, _FAR_OFFSETS, fixed, unit, chart.size)
            or start
        )
        taken[location] = badge_box(badges[location], unit)
    return badges


def _find_overlaps(window: Box, boxes: Iterable[Box]) -> list[Box]:
    """Return the `boxes` that overlap `window`."""
    left, top, right, bottom = window.left, window.top, window.right, window.bottom
    return [
        box
        for box in boxes
        if box.left < right and left < box.right and box.top < bottom and top < box.bottom
    ]


def badge_box(at: Point, unit: float) -> Box:
    """Return the box around a badge at `at`, casing included; `unit` is a plain unit."""
    return box_around(at, (HALF_WIDTH + _CASING) * unit, (HALF_HEIGHT + _CASING) * unit)


def _place_badge(
    start: Point,
    offsets: Sequence[tuple[float, float]],
    obstacles: list[Box],
    unit: float,
    size: tuple[float, float],
) -> Point | None:
    """Return the place nearest to `start` that is on the map and clear of `obstacles`, if any."""
    half_width, half_height = (HALF_WIDTH + _CASING) * unit, (HALF_HEIGHT + _CASING) * unit
    edges = [(box.left, box.top, box.right, box.bottom) for box in obstacles]
    # Plain numbers, because this compares thousands of boxes.
    for across, down in offsets:
        x, y = place = start[0] + across * unit, start[1] + down * unit
        left, top, right, bottom = x - half_width, y - half_height, x + half_width, y + half_height
        if min(left, top) < 0 or right > size[0] or bottom > size[1]:
            continue
        for box_left, box_top, box_right, box_bottom in edges:
            if left < box_right and box_left < right and top < box_bottom and box_top < bottom:
                break
        else:
            return place
    return None
