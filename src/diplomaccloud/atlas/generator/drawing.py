"""The hard constraints on what is drawn: areas, borders, and things that must not overlap."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from shapely import Polygon, box, prepare
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.chart import Anchors, ArcKind, Chart, Point, Shape
from diplomaccloud.atlas.generator.mesh import CELLS_PER_PROVINCE
from diplomaccloud.atlas.generator.placement import BADGE, SPACING, STAR, Size, label_box
from diplomaccloud.judge.board import ProvinceCode, Terrain, province_of

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
    cell = mean_cell(chart)
    for arc in chart.arcs:
        length = sum(
            ((x - to_x) ** 2 + (y - to_y) ** 2) ** 0.5
            for (x, y), (to_x, to_y) in pairwise(arc.points)
        )
        if arc.kind is not ArcKind.FRAME and length < cell:
            yield Fault(5, f"{arc.left}-{arc.right}", f"a border {length:.1f} long")


def _corners(chart: Chart) -> Iterator[Fault]:
    ends = Counter(end for arc in chart.arcs for end in (arc.points[0], arc.points[-1]))
    for point, count in ends.items():
        if count > 3:
            yield Fault(5, f"{point}", f"{count} borders meet")


def _crowded(shape: Shape, body: BaseGeometry, spacing: float) -> Iterator[Fault]:
    prepare(body)
    standing, harbours = _boxes(shape, spacing)
    for thing, outline in {**standing, **harbours}.items():
        if not body.contains(outline):
            yield Fault(9, shape.province, f"the {thing} is not inside")
    for (one, first), (other, second) in combinations(standing.items(), 2):
        if first.intersects(second):
            yield Fault(9, shape.province, f"{one} and {other} overlap")
    for place, outline in harbours.items():
        for thing in ("label", "star"):
            if thing in standing and outline.intersects(standing[thing]):
                yield Fault(9, shape.province, f"{place} and {thing} overlap")


def _boxes(shape: Shape, spacing: float) -> tuple[dict[str, BaseGeometry], dict[str, BaseGeometry]]:
    """Return the boxes of what may stand at once, and of the fleets on split coasts."""
    anchors: Anchors = shape.anchors
    standing = {
        "label": _around(
            anchors.label, label_box(anchors.label_lines, anchors.label_size, spacing)
        ),
        "dislodged unit": _around(anchors.dislodged, BADGE),
    }
    if anchors.star is not None:
        standing["star"] = _around(anchors.star, STAR)
    harbours = {}
    for place, spot in anchors.units.items():
        if place == str(province_of(place)):
            standing["unit"] = _around(spot, BADGE)
        else:
            harbours[str(place)] = _around(spot, BADGE)
    return standing, harbours


def _around(middle: Point, size: Size) -> BaseGeometry:
    half_wide, half_high = size[0] / 2, size[1] / 2
    return box(
        middle[0] - half_wide, middle[1] - half_high, middle[0] + half_wide, middle[1] + half_high
    )
