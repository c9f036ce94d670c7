"""Faults that only geometry shows: outlines that are no plain shapes, shapes that overlap."""

from collections.abc import Mapping, Sequence

from shapely import Polygon, intersection, is_valid_reason

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.checking.chartform import ChartData
from diplomaccloud.atlas.checking.crossings import MOST_PAIRS, find_crossings, is_costly, pairs
from diplomaccloud.atlas.checking.faults import Faults
from diplomaccloud.atlas.checking.lines import closed_outlines
from diplomaccloud.atlas.checking.marks import find_mark_faults

_SLACK = 0.5
"""An overlap of less than this is seen by nobody: square map units."""

_MOST_BARE = 0.001
"""The share of the map that may belong to nobody, for rounding."""


def find_drawing_faults(data: ChartData, found: Faults) -> None:
    """Add the faults of the geometry of `data`."""
    find_crossings(data, found)
    bodies = _bodies(data, found)
    _find_overlaps(bodies, data, found)
    find_mark_faults(bodies, data, found)


def _bodies(data: ChartData, found: Faults) -> dict[str, Polygon]:
    """Return the polygons that are sound, by their paths."""
    closed = closed_outlines(data)
    bodies = {}
    for i, shape in enumerate(data["shapes"]):
        for j, rings in enumerate(shape["polygons"] if shape is not None else ()):
            path = f"shapes[{i}].polygons[{j}]"
            outlines = [closed.get(f"{path}[{k}]") for k in range(len(rings or ()))]
            body = _polygon(path, outlines, found)
            if body is not None:
                bodies[path] = body
    return bodies


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


def _find_overlaps(bodies: Mapping[str, Polygon], data: ChartData, found: Faults) -> None:
    paths, held = list(bodies), list(bodies.values())
    apart = True
    looked_at = 0
    for ones, others in pairs(held):
        looked_at += len(ones)
        if looked_at > MOST_PAIRS:
            return
        for one, other in zip(ones.tolist(), others.tolist(), strict=True):
            # Of such shapes the lines cross, too, and that has been said.
            costly = is_costly(held[one], held[other])
            shared = 0 if costly else intersection(held[one], held[other]).area
            if shared > _SLACK:
                apart = False
                found.add(paths[one], f"overlaps {paths[other]} by {shared:.1f} square map units")
    size = data["size"]
    parts = sum(len(shape["polygons"]) for shape in data["shapes"] if shape is not None)
    if apart and size is not None and len(held) == parts and None not in data["shapes"]:
        _find_bare(held, data, size, found)


def _find_bare(held: Sequence[Polygon], data: ChartData, size: list[float], found: Faults) -> None:
    """Add how much of the map is left to nobody, if it is more than rounding leaves."""
    closed = closed_outlines(data)
    scenery = [
        Polygon(ring)
        for path, ring in closed.items()
        if path.startswith("scenery") and path.endswith("[0]") and len(ring) > 2
    ]
    covered = sum(body.area for body in held) + sum(body.area for body in scenery)
    bare = 1 - covered / (size[0] * size[1])
    if bare > _MOST_BARE:
        found.add("shapes", f"{bare:.1%} of the map belongs to no shape")
