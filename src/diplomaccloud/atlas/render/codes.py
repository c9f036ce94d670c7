"""Place the codes that replace names on a map too small for names, and choose their size.

On a phone a map unit is less than a third of a pixel wide. So codes are as large as possible and
go where there is room between units, stars and other codes, not where names go; they may cross
borders. All boxes are in map units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

from diplomaccloud.atlas.chart import Chart, Point, Shape
from diplomaccloud.atlas.render.badge_places import place_badges
from diplomaccloud.atlas.render.cells import Box, Grid, box_around
from diplomaccloud.atlas.render.chart_cache import cache_per_chart
from diplomaccloud.atlas.render.scene import frame_margin, list_rings
from diplomaccloud.atlas.render.sizes import (
    HALF_HEIGHT,
    HALF_WIDTH,
    badge_scale,
    usual_label_size,
)
from diplomaccloud.judge.board import Location, ProvinceCode

BASELINE = 0.345
"""From the middle of a code down to its baseline, in font sizes; codes have no descenders."""

_SIZES = (10.0, 9.4, 8.8, 8.2, 7.6, 7.0)
"""Font sizes to try, in pixels of a map `_PHONE_WIDTH` pixels wide."""

_PHONE_WIDTH = 390
_MAX_SIZE = 3.1
"""Relative to the usual size of names; limits codes on maps with very many provinces."""

_HEIGHT, _USUAL_WIDTH = 0.76, 0.7
"""The size of a capital, halo included, in font sizes."""

_WIDTHS = {"I": 0.36, "J": 0.36, "S": 0.54, "F": 0.57, "M": 0.95, "W": 1.0, "H": 0.83, "N": 0.83}
_HALO = 0.1
"""What the halo adds to the width of a code, in font sizes."""

_STAR = 8
"""Half the size of a star, in plain units."""

_COST_OF_UNIT = 2.0
"""The cost of covering a place where a unit rarely stands."""

_COSTS_OF_STAR = (2.0, 12.0)
"""The costs of touching and of covering a star, which is always there."""

_BADGE_GROWTH = 1.1
"""Badges are drawn larger, too, where codes are shown; see `.is-far` in the page's CSS."""

_CANDIDATES = 110
"""About how many places are tried in a province."""

_SWEEPS = 2
"""How often all codes are placed; the second time each one knows where the others are."""

# The costs that decide where a code goes, in steps of font size: 1 is one size smaller.
_OUTSIDE_COST = 7.0
"""For printing outside the province."""

_DISTANCE_COST = 0.01
"""For each map unit between a code and the place of its name."""

_CUT_OFF_COST = 50.0
"""For crossing the edge of the map."""


@dataclass(frozen=True, slots=True)
class CodePlacement:
    """A code's center, font size and box; `cost` is 0 where it covers nothing."""

    cost: float
    at: Point
    size: float
    box: Box


def code_box(code: str, at: Point, size: float) -> Box:
    """Return the box around the letters of `code`, halo included."""
    return box_around(at, size * _measure_code(code) / 2, size * _HEIGHT / 2)


@lru_cache(maxsize=1024)
def _measure_code(code: str) -> float:
    """Return the width of `code` in font sizes, halo included."""
    return sum(_WIDTHS.get(letter, _USUAL_WIDTH) for letter in code) + _HALO


@cache_per_chart
def place_codes(chart: Chart) -> Mapping[ProvinceCode, CodePlacement]:
    """Return the place and size of every province's code."""
    pixel = (chart.size[0] + 2 * frame_margin(chart)) / _PHONE_WIDTH
    largest = usual_label_size(chart) * _MAX_SIZE
    sizes = [round(min(size * pixel, largest * size / _SIZES[0]), 1) for size in _SIZES]
    provinces = sorted(
        (_ProvinceSpace(shape, chart, sizes) for shape in chart.shapes),
        key=lambda space: space.rank,
    )
    placements: dict[ProvinceCode, CodePlacement] = {}
    for _ in range(_SWEEPS):
        for space in provinces:
            badges = [s.badge for s in provinces if space.window.shared_area(s.badge)]
            codes = [p.box for code, p in placements.items() if code != space.code]
            near_codes = filter(space.window.shared_area, codes)
            placements[space.code] = space.choose_placement([*badges, *near_codes])
    return placements


class _ProvinceSpace:
    """One province: its cells, and the units and stars that are drawn in it."""

    def __init__(self, shape: Shape, chart: Chart, sizes: Sequence[float]) -> None:
        self.code = shape.province
        self._grid = Grid([chart.outline(ring) for ring in list_rings(shape)], chart.size)
        self.rank = self._grid.count, self.code
        self._sizes, self._size, self._label = sizes, chart.size, shape.anchors.label
        bounds, reach = self._grid.bounds, sizes[0] * 2
        self.window = box_around(bounds.center, bounds.width / 2 + reach, bounds.height / 2 + reach)
        unit = badge_scale(chart)
        half = HALF_WIDTH * unit * _BADGE_GROWTH, HALF_HEIGHT * unit * _BADGE_GROWTH
        badges = place_badges(chart)
        places = {place: badges[place].at for place in shape.anchors.units}
        self.badge = box_around(places.pop(Location(shape.province), self._label), *half)
        rare_places = *places.values(), shape.anchors.dislodged
        # Each mark: its box, the cost of touching it and the cost of covering it.
        self._marks = [(box_around(at, *half), 0.0, _COST_OF_UNIT) for at in rare_places]
        if (star := shape.anchors.star) is not None:
            self._marks.append((box_around(star, _STAR * unit, _STAR * unit), *_COSTS_OF_STAR))
        self._sorted: dict[int, list[CodePlacement]] = {}

    def choose_placement(self, obstacles: Sequence[Box]) -> CodePlacement:
        """Return the cheapest placement clear of `obstacles`, or the one that covers least."""
        best: CodePlacement | None = None
        for number in range(len(self._sizes)):
            if best is not None and best.cost <= number:
                break
            for placement in self._sort_placements(number):
                if best is not None and best.cost <= placement.cost:
                    break
                if not any(placement.box.shared_area(box) for box in obstacles):
                    best = placement
                    break
        if best is not None:
            return best
        smallest = self._sort_placements(len(self._sizes) - 1)
        return min(smallest, key=lambda p: sum(p.box.shared_area(box) for box in obstacles))

    def _sort_placements(self, number: int) -> list[CodePlacement]:
        """Return all placements with one of the font sizes, cheapest first."""
        if number not in self._sorted:
            # A shape that is too thin for any cell still has its label.
            centers = list(self._grid.sample_centers(_CANDIDATES)) or [self._label]
            placements = [self._rate(at, self._sizes[number], number) for at in centers]
            self._sorted[number] = sorted(placements, key=lambda placement: placement.cost)
        return self._sorted[number]

    def _rate(self, at: Point, size: float, cost: float) -> CodePlacement:
        """Return the placement at `at` with its full cost; `cost` is that of its font size."""
        box = code_box(self.code, at, size)
        cost += _OUTSIDE_COST * self._grid.outside_share(box)
        cost += _DISTANCE_COST * hypot(at[0] - self._label[0], at[1] - self._label[1])
        if min(box.left, box.top) < 0 or box.right > self._size[0] or box.bottom > self._size[1]:
            cost += _CUT_OFF_COST
        for mark, touch_cost, cover_cost in self._marks:
            if shared := box.shared_area(mark):
                cost += touch_cost + cover_cost * shared / box.area
        return CodePlacement(cost, at, size, box)
