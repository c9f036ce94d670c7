"""Place the marks of split coasts (NC, SC) on the land, close to their coast."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import dist, inf, sqrt

from diplomaccloud.atlas.chart import ArcKind, Chart, Point, Shape, cache_per_chart
from diplomaccloud.atlas.render.cells import Box, Grid, box_around
from diplomaccloud.atlas.render.scene import coast_suffix, list_rings
from diplomaccloud.atlas.render.sizes import (
    HALF_HEIGHT,
    HALF_WIDTH,
    badge_scale,
    place_badges,
    usual_label_size,
)
from diplomaccloud.judge.board import Location, ProvinceCode, province_of

MARK_SIZE = 0.8
"""The font size of a mark, relative to the usual size of names."""

_HALF_WIDTH, _HALF_HEIGHT = 0.72, 0.42
"""Half the size of two letters, in font sizes."""

_LETTER_WIDTH, _LINE_HEIGHT = 0.55, 1.12
"""The mean size of a letter of a name, in font sizes."""

_CANDIDATES = 260
"""About how many places are tried in a province."""

_POINT_STEP, _MAX_POINTS = 3, 500
"""One in `_POINT_STEP` points of a coast is used, or fewer on a coast with very many points."""

_OBVIOUS_RATIO = 1.7
"""A fleet needs no tag if every other mark is this many times as far away as its own."""

_IDEAL_DISTANCE = 1.2
"""From the center of a mark to its coast, in font sizes, where there is room."""

# The weights of the costs that decide where a mark goes. They were tuned by eye on the standard
# map and on generated ones; only their ratios matter.
_AMBIGUITY_WEIGHT = 4.0
"""For being about as near to another coast as to the mark's own."""

_AMBIGUITY_MARGIN = 1.5
"""How much farther away another coast must be, in font sizes, to cost nothing."""

_OFF_CENTER_WEIGHT = 0.13
"""For the distance from the middle of the coast; it only decides between similar places."""

_BORDER_WEIGHT = 25.0
"""For printing across a border of the province."""

_NEAR_BORDER_WEIGHT = 12.0
"""For printing within half a cell of a border."""

_FLEET_WEIGHT = 4.0
"""For covering a fleet, which is on a coast only sometimes."""

_ARMY_WEIGHT = 20.0
"""For covering an army."""

_FIXED_WEIGHT = 30.0
"""For covering a star or a name, which are always there."""

_MARK_WEIGHT = 40.0
"""For covering another mark: two marks would read as one word."""

_BADGE_MARGIN, _STAR_HALF_SIZE = 2, 11
"""In plain units."""

_NO_OTHER_COAST = 9.0
"""The distance used where there is no other coast, in font sizes."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The letters of a coast, e.g. `NC`, and the center of where they are printed."""

    text: str
    at: Point


@cache_per_chart
def place_coast_marks(chart: Chart) -> Mapping[ProvinceCode, tuple[Mark, ...]]:
    """Return the marks of every province with several coasts."""
    return {
        shape.province: tuple(_place_marks(chart, shape))
        for shape in chart.shapes
        if len(_find_fleet_places(shape)) > 1
    }


def is_coast_obvious(chart: Chart, location: Location) -> bool:
    """Return whether a fleet stands so near its coast's mark that it needs no tag."""
    province = province_of(location)
    shape = next((shape for shape in chart.shapes if shape.province == province), None)
    if shape is None or location not in shape.anchors.units:
        return True
    at, coast = place_badges(chart)[location].at, coast_suffix(location)
    marks = place_coast_marks(chart).get(shape.province, ())
    own = min((dist(at, mark.at) for mark in marks if mark.text == coast), default=0.0)
    others = min((dist(at, mark.at) for mark in marks if mark.text != coast), default=inf)
    return own * _OBVIOUS_RATIO < others


def mark_box(chart: Chart, at: Point) -> Box:
    """Return the box around a mark's letters."""
    size = usual_label_size(chart) * MARK_SIZE
    return box_around(at, size * _HALF_WIDTH, size * _HALF_HEIGHT)


def _find_fleet_places(shape: Shape) -> dict[Location, Point]:
    return {place: at for place, at in shape.anchors.units.items() if coast_suffix(place)}


def _place_marks(chart: Chart, shape: Shape) -> Iterator[Mark]:
    grid = Grid([chart.outline(ring) for ring in list_rings(shape)], chart.size)
    places = list(grid.sample_centers(_CANDIDATES)) or [shape.anchors.label]
    obstacles = _find_obstacles(chart, shape)
    size = usual_label_size(chart) * MARK_SIZE
    for coast, goal in _build_goals(find_coast_lines(chart, shape)).items():

        def cost(at: Point, goal: _CoastGoal = goal) -> float:
            return goal.cost(at, size) + _overlap_cost(mark_box(chart, at), grid, obstacles)

        at = min(places, key=cost)
        obstacles.append((mark_box(chart, at), _MARK_WEIGHT))
        yield Mark(coast_suffix(coast), at)


def _build_goals(lines: Mapping[Location, Sequence[Point]]) -> dict[Location, "_CoastGoal"]:
    sampled = {
        coast: line[:: max(_POINT_STEP, len(line) // _MAX_POINTS)] for coast, line in lines.items()
    }
    return {
        coast: _CoastGoal(
            own, [p for other, line in sampled.items() if other != coast for p in line]
        )
        for coast, own in sampled.items()
    }


class _CoastGoal:
    """A coast that a mark belongs to, with the points of the other coasts."""

    def __init__(self, own: Sequence[Point], others: Sequence[Point]) -> None:
        self._own, self._others = own, others
        mean = sum(x for x, _ in own) / len(own), sum(y for _, y in own) / len(own)
        self._middle = min(own, key=lambda point: dist(point, mean))

    def cost(self, at: Point, size: float) -> float:
        """Return how unclear a mark at `at` would be; only comparisons of costs have a meaning."""
        near = min(dist(at, point) for point in self._own) / size
        far = (
            min((dist(at, point) for point in self._others), default=_NO_OTHER_COAST * size) / size
        )
        # A mark as near to another coast as to its own would seem to belong to both.
        ambiguity = _AMBIGUITY_WEIGHT * max(0.0, near + _AMBIGUITY_MARGIN - far)
        off_center = _OFF_CENTER_WEIGHT * dist(at, self._middle) / size
        return abs(near - _IDEAL_DISTANCE) + ambiguity + off_center


def find_coast_lines(chart: Chart, shape: Shape) -> Mapping[Location, Sequence[Point]]:
    """Return the points along each coast of `shape`; the fleet's place if it has no line."""
    coasts = _find_fleet_places(shape)
    reached = chart.board.fleet_provinces
    lines: dict[Location, list[Point]] = {coast: [] for coast in coasts}
    for arc in chart.arcs:
        if arc.kind is not ArcKind.COAST or shape.province not in (arc.left, arc.right):
            continue
        water = arc.right if arc.left == shape.province else arc.left
        candidates = [coast for coast in coasts if water in reached[coast]]
        if candidates:
            middle = arc.points[len(arc.points) // 2]
            lines[min(candidates, key=lambda coast: dist(coasts[coast], middle))] += arc.points
    return {coast: line or [coasts[coast]] for coast, line in lines.items()}


def _overlap_cost(box: Box, grid: Grid, obstacles: Sequence[tuple[Box, float]]) -> float:
    """Return the cost of printing in `box`, for covering obstacles or borders."""
    rim = grid.cell / 2
    wider = Box(box.left - rim, box.top - rim, box.right + rim, box.bottom + rim)
    # With the root even touching is expensive: letters that touch a name are read as part of it.
    covered = sum(
        weight * sqrt(box.shared_area(obstacle) / box.area) for obstacle, weight in obstacles
    )
    return (
        covered
        + _NEAR_BORDER_WEIGHT * grid.outside_share(wider)
        + _BORDER_WEIGHT * grid.outside_share(box)
    )


def _find_obstacles(chart: Chart, shape: Shape) -> list[tuple[Box, float]]:
    """Return the boxes drawn in the province, with the cost of covering each."""
    anchors, usual = shape.anchors, usual_label_size(chart)
    unit = badge_scale(chart)
    badge = (HALF_WIDTH + _BADGE_MARGIN) * unit, (HALF_HEIGHT + _BADGE_MARGIN) * unit
    badges = place_badges(chart)
    obstacles = [
        (
            box_around(badges[place].at, *badge),
            _FLEET_WEIGHT if coast_suffix(place) else _ARMY_WEIGHT,
        )
        for place in anchors.units
    ]
    if anchors.star is not None:
        star = _STAR_HALF_SIZE * unit
        obstacles.append((box_around(anchors.star, star, star), _FIXED_WEIGHT))
    size = anchors.label_size or usual
    lines = anchors.label_lines or (str(shape.province),)
    half_width = max(map(len, lines)) * size * _LETTER_WIDTH / 2 + unit
    half_height = size * _LINE_HEIGHT * len(lines) / 2 + unit
    return [*obstacles, (box_around(anchors.label, half_width, half_height), _FIXED_WEIGHT)]
