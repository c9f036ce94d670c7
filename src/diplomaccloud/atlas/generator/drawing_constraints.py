"""The hard constraints on the drawing: areas, borders, and things that must not overlap."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise, product

import numpy as np
from shapely import LineString, Polygon, box, prepare
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.chart import Anchors, ArcKind, Chart, Point, Shape
from diplomaccloud.atlas.generator.anchors import LETTER_SPACING, STAR, measure_label
from diplomaccloud.atlas.generator.free_space import BADGE, Size
from diplomaccloud.atlas.generator.mesh import CELLS_PER_PROVINCE
from diplomaccloud.judge.board import Location, ProvinceCode, Terrain

MIN_LAND_AREA = 0.6
"""The least area of a land province, as a share of the median."""

MIN_SEA_AREA = 0.4
"""The least area of a sea, as a share of the median."""


@dataclass(frozen=True)
class Fault:
    """A hard constraint that a chart breaks: its number in the specification, and where."""

    rule: int
    place: str
    message: str

    def __str__(self) -> str:
        return f"rule {self.rule}, {self.place}: {self.message}"


def find_drawing_faults(chart: Chart) -> Iterator[Fault]:
    """Yield every violation of constraints 4, 5 and 9 in the drawing of `chart`."""
    bodies = {shape.province: _build_polygon(chart, shape) for shape in chart.shapes}
    yield from _check_areas(chart, bodies)
    yield from _check_lengths(chart)
    yield from _check_corners(chart)
    for shape in chart.shapes:
        at_sea = chart.board.by_code[shape.province].terrain is Terrain.SEA
        yield from _check_overlaps(shape, bodies[shape.province], LETTER_SPACING if at_sea else 0.0)
        yield from _check_fleets(chart, shape)


def mean_cell_side(chart: Chart) -> float:
    """Return the side of a cell of the generator's mesh on a map like `chart`."""
    cells = len(chart.board.provinces) * CELLS_PER_PROVINCE
    return float((chart.size[0] * chart.size[1] / cells) ** 0.5)


def _build_polygon(chart: Chart, shape: Shape) -> BaseGeometry:
    outer, *holes = shape.polygons[0]
    return Polygon(chart.outline(outer), [chart.outline(hole) for hole in holes])


def _check_areas(chart: Chart, bodies: Mapping[ProvinceCode, BaseGeometry]) -> Iterator[Fault]:
    for sea, min_share in ((False, MIN_LAND_AREA), (True, MIN_SEA_AREA)):
        areas = {
            p.code: bodies[p.code].area
            for p in chart.board.provinces
            if (p.terrain is Terrain.SEA) is sea
        }
        median = float(np.median(list(areas.values())))
        for code, area in areas.items():
            if area < min_share * median:
                yield Fault(4, code, f"{area / median:.2f} of the median area")
    for province, body in bodies.items():
        if not body.is_valid:
            yield Fault(4, province, "the outline crosses itself")


def _check_lengths(chart: Chart) -> Iterator[Fault]:
    """Yield borders between two junctions that are too short, including those along the frame."""
    cell = mean_cell_side(chart)
    for arc in chart.arcs:
        length = sum(
            ((x - to_x) ** 2 + (y - to_y) ** 2) ** 0.5
            for (x, y), (to_x, to_y) in pairwise(arc.points)
        )
        if length < cell:
            yield Fault(5, f"{arc.left}-{arc.right}", f"a border {length:.1f} long")


def _check_corners(chart: Chart) -> Iterator[Fault]:
    """Yield the points where more than three borders meet."""
    ends = Counter(end for arc in chart.arcs for end in (arc.points[0], arc.points[-1]))
    for point, count in ends.items():
        if count > 3:
            yield Fault(5, f"{point}", f"{count} borders meet")


def _check_overlaps(shape: Shape, body: BaseGeometry, spacing: float) -> Iterator[Fault]:
    """Yield the things of `shape` that are not inside `body` or that overlap."""
    prepare(body)
    printed, units, dislodged = _list_boxes(shape, spacing)
    for thing, outline in {**printed, **units, **dislodged}.items():
        if not body.contains(outline):
            yield Fault(9, shape.province, f"the {thing} is not inside")
    # A province holds at most one unit and one dislodged unit, but fleets on different coasts must
    # still be distinguishable.
    coasts = [place for place in units if "/" in place]
    at_once = [
        *combinations(printed, 2),
        *product(printed, (*units, *dislodged)),
        *product(units, dislodged),
        *combinations(coasts, 2),
    ]
    boxes = {**printed, **units, **dislodged}
    for first, second in at_once:
        if boxes[first].intersects(boxes[second]):
            yield Fault(9, shape.province, f"{first} and {second} overlap")


def _check_fleets(chart: Chart, shape: Shape) -> Iterator[Fault]:
    """Yield the fleets of `shape` on split coasts that stand nearest to a foreign shore."""
    fleets = [(place, at) for place, at in shape.anchors.units.items() if "/" in place]
    if not fleets:
        return
    shores = [
        (arc.left if arc.right == shape.province else arc.right, LineString(arc.points))
        for arc in chart.arcs
        if arc.kind is ArcKind.COAST and shape.province in (arc.left, arc.right)
    ]
    for place, at in fleets:
        sea, _ = min(shores, key=lambda shore: shore[1].distance(Spot(at)))
        if sea is None or Location(sea) not in chart.board.fleet_neighbors[place]:
            yield Fault(9, shape.province, f"{place} is nearer to the shore of {sea}")


_Boxes = dict[str, BaseGeometry]


def _list_boxes(shape: Shape, spacing: float) -> tuple[_Boxes, _Boxes, _Boxes]:
    """Return the boxes of printed things, of units by location, and of dislodged units."""
    anchors: Anchors = shape.anchors
    printed = {
        "label": _box_around(
            anchors.label, measure_label(anchors.label_lines, anchors.label_size, spacing)
        )
    }
    if anchors.star is not None:
        printed["star"] = _box_around(anchors.star, STAR)
    units = {str(place): _box_around(spot, BADGE) for place, spot in anchors.units.items()}
    dislodged = {
        f"unit dislodged from {place}": _box_around(anchors.dislodged_at(place), BADGE)
        for place in anchors.units
    }
    return printed, units, dislodged


def _box_around(center: Point, size: Size) -> BaseGeometry:
    half_wide, half_high = size[0] / 2, size[1] / 2
    return box(
        center[0] - half_wide, center[1] - half_high, center[0] + half_wide, center[1] + half_high
    )
