"""Where the marks of split coasts are printed: on the land, close to the coast they mean."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf, sqrt

from diplomaccloud.atlas.chart import ArcKind, Chart, Point, Shape
from diplomaccloud.atlas.render.cells import Box, Grid, box_around
from diplomaccloud.atlas.render.chart_cache import once_per_chart
from diplomaccloud.atlas.render.scene import (
    HALF_HEIGHT,
    HALF_WIDTH,
    coast_text,
    rings_of,
    unit_of,
    usual_label_size,
)
from diplomaccloud.judge.board import Location, ProvinceCode, province_of

SIZE = 0.8
"""Of a mark, in usual sizes of a name."""

_HALF_WIDE, _HALF_HIGH = 0.72, 0.42
"""Half of what two letters take, in font sizes."""

_LETTER, _LINE = 0.55, 1.12
_PLACES, _EVERY, _MOST = 260, 3, 500
"""About so many places are tried in a province, and one in so many points of a coast; of a
coast with very many points about so many."""

_NEAR = 1.2
"""From a mark's middle to its coast, in font sizes, where there is room."""

_PLAIN = 1.7
"""How much nearer to its own mark than to another a fleet must stand to need no tag."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The letters of a coast, such as `NC`, and the middle of where they are printed."""

    text: str
    at: Point


@once_per_chart
def coast_marks(chart: Chart) -> Mapping[ProvinceCode, tuple[Mark, ...]]:
    """Return the marks of every province with several coasts."""
    return {
        shape.province: tuple(_marks(chart, shape))
        for shape in chart.shapes
        if len(_coasts(shape)) > 1
    }


def is_plain(chart: Chart, location: Location) -> bool:
    """Return whether a fleet there stands so near the mark of its coast that none mistakes it."""
    shape = next((one for one in chart.shapes if one.province == province_of(location)), None)
    if shape is None or location not in shape.anchors.units:
        return True
    at, coast = shape.anchors.units[location], coast_text(location)
    marks = coast_marks(chart).get(shape.province, ())
    own = min((_away(at, mark.at) for mark in marks if mark.text == coast), default=0.0)
    others = min((_away(at, mark.at) for mark in marks if mark.text != coast), default=inf)
    return own * _PLAIN < others


def mark_box(chart: Chart, at: Point) -> Box:
    """Return the box of a mark's letters."""
    size = usual_label_size(chart) * SIZE
    return box_around(at, size * _HALF_WIDE, size * _HALF_HIGH)


def _coasts(shape: Shape) -> dict[Location, Point]:
    return {place: at for place, at in shape.anchors.units.items() if coast_text(place)}


def _marks(chart: Chart, shape: Shape) -> Iterator[Mark]:
    grid = Grid([chart.outline(ring) for ring in rings_of(shape)], chart.size)
    places = list(grid.middles(_PLACES)) or [shape.anchors.label]
    taken = _taken(chart, shape)
    size = usual_label_size(chart) * SIZE
    for coast, goal in _goals(coast_lines(chart, shape)).items():

        def cost(at: Point, goal: _Goal = goal) -> float:
            return goal.cost(at, size) + _covered(mark_box(chart, at), grid, taken)

        at = min(places, key=cost)
        taken.append((mark_box(chart, at), 40.0))
        yield Mark(coast_text(coast), at)


def _goals(lines: Mapping[Location, Sequence[Point]]) -> dict[Location, "_Goal"]:
    thin = {coast: line[:: max(_EVERY, len(line) // _MOST)] for coast, line in lines.items()}
    return {
        coast: _Goal(own, [p for one, line in thin.items() if one != coast for p in line])
        for coast, own in thin.items()
    }


class _Goal:
    """A coast for which a mark seeks its place, and the points of the other coasts."""

    def __init__(self, own: Sequence[Point], others: Sequence[Point]) -> None:
        self._own, self._others = own, others
        mean = sum(x for x, _ in own) / len(own), sum(y for _, y in own) / len(own)
        self._middle = min(own, key=lambda point: _away(point, mean))

    def cost(self, at: Point, size: float) -> float:
        """Return how far `at` is from where a mark is understood, in no unit."""
        near = min(_away(at, point) for point in self._own) / size
        far = min((_away(at, point) for point in self._others), default=9 * size) / size
        # A mark as near to another coast as to its own would be taken for that one's.
        crossed = 4 * max(0.0, near + 1.5 - far)
        return abs(near - _NEAR) + crossed + 0.13 * _away(at, self._middle) / size


def coast_lines(chart: Chart, shape: Shape) -> Mapping[Location, Sequence[Point]]:
    """Return the points along each coast of `shape`; its fleets' place if no line tells it."""
    coasts = _coasts(shape)
    reached = chart.board.fleet_provinces
    found: dict[Location, list[Point]] = {coast: [] for coast in coasts}
    for arc in chart.arcs:
        if arc.kind is not ArcKind.COAST or shape.province not in (arc.left, arc.right):
            continue
        water = arc.right if arc.left == shape.province else arc.left
        by = [coast for coast in coasts if water in reached[coast]]
        if by:
            middle = arc.points[len(arc.points) // 2]
            found[min(by, key=lambda coast: _away(coasts[coast], middle))] += arc.points
    return {coast: line or [coasts[coast]] for coast, line in found.items()}


def _covered(box: Box, grid: Grid, taken: Sequence[tuple[Box, float]]) -> float:
    """Return how bad it is to print in `box`, over what stands there or over a border."""
    rim = grid.cell / 2
    wide = Box(box.left - rim, box.top - rim, box.right + rim, box.bottom + rim)
    # The root, so that even to touch is bad: two letters that run into a name are read as one word.
    hidden = sum(weight * sqrt(box.shared(one) / box.area) for one, weight in taken)
    return hidden + 12 * grid.outside(wide) + 25 * grid.outside(box)


def _taken(chart: Chart, shape: Shape) -> list[tuple[Box, float]]:
    """Return what stands in the province, and how bad it is to print over it."""
    anchors, usual = shape.anchors, usual_label_size(chart)
    unit = unit_of(chart)
    badge = (HALF_WIDTH + 2) * unit, (HALF_HEIGHT + 2) * unit
    army = anchors.units.get(Location(shape.province))
    found = [(box_around(at, *badge), 4.0) for at in _coasts(shape).values()]
    found += [(box_around(army, *badge), 20.0)] if army else []
    if anchors.star is not None:
        found.append((box_around(anchors.star, 11 * unit, 11 * unit), 30.0))
    size = anchors.label_size or usual
    lines = anchors.label_lines or (str(shape.province),)
    half = max(map(len, lines)) * size * _LETTER / 2 + unit, size * _LINE * len(lines) / 2 + unit
    return [*found, (box_around(anchors.label, *half), 30.0)]


def _away(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
