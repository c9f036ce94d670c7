"""The areas of a chart: polygons built from its valid outlines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapely import Polygon, is_valid_reason

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.validation.chart_schema import ChartData
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.lines import Ring, build_closed_outlines, list_scenery


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon of a province, an impassable space or an islet.

    `path` is the path of its rings. `owner` is the code of the province or impassable space,
    empty for an islet. `sea` is the sea around an islet that has no hole for the islet.
    """

    path: str
    polygon: Polygon
    owner: str
    sea: str = ""
    scenery: bool = False


def build_areas(data: ChartData, faults: Faults) -> list[Area]:
    """Return the areas with valid outlines; add outlines that are not simple shapes."""
    closed = build_closed_outlines(data)
    areas = []
    for path, rings, owner, sea, is_scenery in _list_parts(data):
        outlines = [closed.get(f"{path}[{k}]") for k in range(len(rings))]
        polygon = _build_polygon(path, outlines, faults)
        if polygon is not None:
            areas.append(Area(path, polygon, owner, sea, is_scenery))
    return areas


def _list_parts(
    data: ChartData,
) -> Iterator[tuple[str, Sequence[Ring | None], str, str, bool]]:
    for i, shape in enumerate(data["shapes"]):
        for j, rings in enumerate(shape["polygons"] if shape is not None else ()):
            if shape is not None:
                yield f"shapes[{i}].polygons[{j}]", rings or (), shape["province"], "", False
    for i, (owner, rings) in list_scenery(data):
        yield f"scenery[{i}][1]", rings, owner, _find_surrounding_sea(rings[0], data), True


def _find_surrounding_sea(ring: Ring | None, data: ChartData) -> str:
    """Return the only province on both sides of every arc of `ring`; empty if there is none."""
    codes: set[str | None] = set()
    for ref in ring or ():
        index = -1 if ref is None else ref if ref >= 0 else ~ref
        arc = data["arcs"][index] if 0 <= index < len(data["arcs"]) else None
        codes |= {None} if arc is None else {arc["left"], arc["right"]}
    return (codes.pop() or "") if len(codes) == 1 else ""


def _build_polygon(
    path: str, outlines: Sequence[Sequence[Point] | None], faults: Faults
) -> Polygon | None:
    rings = [ring for ring in outlines if ring is not None]
    if len(rings) < len(outlines) or not rings:
        return None
    if short := [k for k, ring in enumerate(rings) if len(ring) < 3]:
        faults.add(f"{path}[{short[0]}]", "the ring has no area")
        return None
    polygon = Polygon(rings[0], rings[1:])
    if not polygon.is_valid:
        reason = str(is_valid_reason(polygon)).replace("[", " at (").replace("]", ")")
        faults.add(path, f"the outline is not a simple polygon: {reason}")
        return None
    return polygon
