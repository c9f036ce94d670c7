"""The hard constraints on what is drawn: areas, borders, and things that must not overlap."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise, product

import numpy as np
from shapely import LineString, Polygon, box, prepare
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.chart import Anchors, ArcKind, Chart, Point, Shape
from diplomaccloud.atlas.generator.anchors import SPACING, STAR, label_box
from diplomaccloud.atlas.generator.free_space import BADGE, Size
from diplomaccloud.atlas.generator.mesh import CELLS_PER_PROVINCE
from diplomaccloud.judge.board import Location, ProvinceCode, Terrain

LEAST_LAND = 0.6
LEAST_SEA = 0.4


@dataclass(frozen=True)
class Fault:
    """A hard constraint that a chart breaks: its number in the specification, and where."""

    rule: int
    place: str
    message: str

    def __str__(self) -> str:
        return f"rule {self.rule}, {self.place}: {self.message}"


def drawing_faults(chart: Chart) -> Iterator[Fault]:
    """Yield every breach of constraints 4, 5 and 9 by the drawing of `chart`."""
    bodies = {shape.province: _body(chart, shape) for shape in chart.shapes}
    yield from _small(chart, bodies)
    yield from _short(chart)
    yield from _corners(chart)
    for shape in chart.shapes:
        at_sea = chart.board.by_code[shape.province].terrain is Terrain.SEA
        yield from _crowded(shape, bodies[shape.province], SPACING if at_sea else 0.0)
        yield from _astray(chart, shape)


def mean_cell(chart: Chart) -> float:
    """Return the side of a mesh cell of the generator on a map like `chart`."""
    cells = len(chart.board.provinces) * CELLS_PER_PROVINCE
    return float((chart.size[0] * chart.size[1] / cells) ** 0.5)


def _body(chart: Chart, shape: Shape) -> BaseGeometry:
    outer, *holes = shape.polygons[0]
    return Polygon(chart.outline(outer), [chart.outline(hole) for hole in holes])


def _small(chart: Chart, bodies: Mapping[ProvinceCode, BaseGeometry]) -> Iterator[Fault]:
    for sea, least in ((False, LEAST_LAND), (True, LEAST_SEA)):
        areas = {
            p.code: bodies[p.code].area
            for p in chart.board.provinces
            if (p.terrain is Terrain.SEA) is sea
        }
        usual = float(np.median(list(areas.values())))
        for code, area in areas.items():
            if area < least * usual:
                yield Fault(4, code, f"{area / usual:.2f} of the median area")
    for province, body in bodies.items():
        if not body.is_valid:
            yield Fault(4, province, "the outline crosses itself")


def _short(chart: Chart) -> Iterator[Fault]:
    """Yield the lines between two corners, those along the frame among them, that are short."""
    cell = mean_cell(chart)
    for arc in chart.arcs:
        length = sum(
            ((x - to_x) ** 2 + (y - to_y) ** 2) ** 0.5
            for (x, y), (to_x, to_y) in pairwise(arc.points)
        )
        if length < cell:
            yield Fault(5, f"{arc.left}-{arc.right}", f"a border {length:.1f} long")


def _corners(chart: Chart) -> Iterator[Fault]:
    ends = Counter(end for arc in chart.arcs for end in (arc.points[0], arc.points[-1]))
    for point, count in ends.items():
        if count > 3:
            yield Fault(5, f"{point}", f"{count} borders meet")


def _crowded(shape: Shape, body: BaseGeometry, spacing: float) -> Iterator[Fault]:
    prepare(body)
    printed, units, outs = _boxes(shape, spacing)
    for thing, outline in {**printed, **units, **outs}.items():
        if not body.contains(outline):
            yield Fault(9, shape.province, f"the {thing} is not inside")
    # Of the units one stands there and one is driven out; coasts are told apart all the same.
    coasts = [place for place in units if "/" in place]
    at_once = [
        *combinations(printed, 2),
        *product(printed, (*units, *outs)),
        *product(units, outs),
        *combinations(coasts, 2),
    ]
    boxes = {**printed, **units, **outs}
    for one, other in at_once:
        if boxes[one].intersects(boxes[other]):
            yield Fault(9, shape.province, f"{one} and {other} overlap")


def _astray(chart: Chart, shape: Shape) -> Iterator[Fault]:
    """Yield the fleets on split coasts of `shape` to which a shore not their own is nearest."""
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


def _boxes(shape: Shape, spacing: float) -> tuple[_Boxes, _Boxes, _Boxes]:
    """Return the boxes of what is printed, of units by their places, and of those driven out."""
    anchors: Anchors = shape.anchors
    printed = {
        "label": _around(anchors.label, label_box(anchors.label_lines, anchors.label_size, spacing))
    }
    if anchors.star is not None:
        printed["star"] = _around(anchors.star, STAR)
    units = {str(place): _around(spot, BADGE) for place, spot in anchors.units.items()}
    outs = {
        f"unit driven out of {place}": _around(anchors.dislodged_at(place), BADGE)
        for place in anchors.units
    }
    return printed, units, outs


def _around(middle: Point, size: Size) -> BaseGeometry:
    half_wide, half_high = size[0] / 2, size[1] / 2
    return box(
        middle[0] - half_wide, middle[1] - half_high, middle[0] + half_wide, middle[1] + half_high
    )
