"""Where codes are printed, and how large, on a map so small that names cannot be read.

A whole map on a telephone has less than a third of a pixel for a map unit. So codes are as
large as can be, and stand where there is room among units, stars and other codes, rather
than where names stand; a border may be crossed. All boxes are in map units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from diplomaccloud.atlas.chart import Chart, Point, Shape
from diplomaccloud.atlas.render.cells import Box, Grid, box_around
from diplomaccloud.atlas.render.chart_cache import once_per_chart
from diplomaccloud.atlas.render.scene import (
    HALF_HEIGHT,
    HALF_WIDTH,
    margin_of,
    rings_of,
    unit_of,
    usual_label_size,
)
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

_PLACES = 110
"""About so many places are tried in a province."""

_SWEEPS = 2


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
    return box_around(at, wide / 2, size * _TALL / 2)


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


class _Room:
    """One province: its cells, and what stands in it."""

    def __init__(self, shape: Shape, chart: Chart, sizes: Sequence[float]) -> None:
        self.code = shape.province
        self._grid = Grid([chart.outline(ring) for ring in rings_of(shape)], chart.size)
        self.rank = self._grid.count, self.code
        self._sizes, self._size, self._label = sizes, chart.size, shape.anchors.label
        around, away = self._grid.around, sizes[0] * 2
        self.window = box_around(around.middle, around.wide / 2 + away, around.high / 2 + away)
        unit = unit_of(chart)
        half = HALF_WIDTH * unit * _BADGE_GROWTH, HALF_HEIGHT * unit * _BADGE_GROWTH
        places = dict(shape.anchors.units)
        self.badge = box_around(places.pop(Location(shape.province), self._label), *half)
        seldom = *places.values(), shape.anchors.dislodged
        self._marks = [(box_around(at, *half), 0.0, 2.0) for at in seldom]
        if (star := shape.anchors.star) is not None:
            self._marks.append((box_around(star, 8 * unit, 8 * unit), 2.0, 12.0))
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
