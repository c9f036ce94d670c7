"""The areas of a chart: what its outlines enclose, as far as these are sound."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapely import Polygon, is_valid_reason

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.validation.chart_data import ChartData
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.lines import Ring, closed_outlines, scenery


@dataclass(frozen=True, slots=True)
class Body:
    """An area: a polygon of a province, or of land that is nobody's.

    `path` leads to its rings. `owner` is the province or impassable space, empty for an islet;
    `upon` the sea that an islet lies upon without being cut out of it.
    """

    path: str
    area: Polygon
    owner: str
    upon: str = ""
    scenery: bool = False


def read_bodies(data: ChartData, found: Faults) -> list[Body]:
    """Return the areas whose outlines are sound; add those that are no plain shapes."""
    closed = closed_outlines(data)
    bodies = []
    for path, rings, owner, upon, apart in _parts(data):
        outlines = [closed.get(f"{path}[{k}]") for k in range(len(rings))]
        area = _polygon(path, outlines, found)
        if area is not None:
            bodies.append(Body(path, area, owner, upon, apart))
    return bodies


def _parts(
    data: ChartData,
) -> Iterator[tuple[str, Sequence[Ring | None], str, str, bool]]:
    for i, shape in enumerate(data["shapes"]):
        for j, rings in enumerate(shape["polygons"] if shape is not None else ()):
            if shape is not None:
                yield f"shapes[{i}].polygons[{j}]", rings or (), shape["province"], "", False
    for i, (owner, rings) in scenery(data):
        yield f"scenery[{i}][1]", rings, owner, _sea_under(rings[0], data), True


def _sea_under(ring: Ring | None, data: ChartData) -> str:
    """Return the one province on both sides of every arc of `ring`; empty if there is none."""
    under: set[str | None] = set()
    for ref in ring or ():
        index = -1 if ref is None else ref if ref >= 0 else ~ref
        arc = data["arcs"][index] if 0 <= index < len(data["arcs"]) else None
        under |= {None} if arc is None else {arc["left"], arc["right"]}
    return (under.pop() or "") if len(under) == 1 else ""


def _polygon(
    path: str, outlines: Sequence[Sequence[Point] | None], found: Faults
) -> Polygon | None:
    rings = [ring for ring in outlines if ring is not None]
    if len(rings) < len(outlines) or not rings:
        return None
    if short := [k for k, ring in enumerate(rings) if len(ring) < 3]:
        found.add(f"{path}[{short[0]}]", "the ring encloses nothing")
        return None
    body = Polygon(rings[0], rings[1:])
    if not body.is_valid:
        reason = str(is_valid_reason(body)).replace("[", " at (").replace("]", ")")
        found.add(path, f"the outline is no plain shape: {reason}")
        return None
    return body
