"""Faults that only geometry shows: lines that cross, areas that overlap or leave the map bare."""

from collections.abc import Sequence
from math import inf

import numpy as np
from shapely import get_num_coordinates, intersection, relate_pattern

from diplomaccloud.atlas.validation.areas import Body, read_bodies
from diplomaccloud.atlas.validation.box_overlaps import Indices, Shapes, TooManyPairsError, pairs
from diplomaccloud.atlas.validation.chart_data import ChartData
from diplomaccloud.atlas.validation.crossings import find_crossings
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.marks import find_mark_faults

LEAST_SIDE = 100
"""Units of the longer side of a map: pictures are drawn to a tenth of one."""

_SLACK = 0.5
"""An overlap of less than this is seen by nobody: square map units."""

_MOST_BARE = 0.001
"""The share of the map that may belong to nobody, for rounding."""

_MOST_OVERLAPS = 200
"""So many pairs of areas that overlap are named; of the others the number is told."""

_MOST_POINTS = 5_000_000
"""Of all pairs that are compared together; a map of 400 provinces has 600,000."""

_MOST_WORK = 100_000
"""How much two areas overlap is not worked out if they have more pairs of points."""

_OVERLAP = "2********"
"""Insides that have an area in common, as a pattern of DE-9IM."""


def find_drawing_faults(data: ChartData, found: Faults) -> None:
    """Add the faults of the geometry of `data`."""
    _find_small(data, found)
    find_crossings(data, found)
    bodies = read_bodies(data, found)
    if not _find_overlaps(bodies, found):
        _find_bare(bodies, data, found)
    _find_unordered(bodies, data, found)
    find_mark_faults({one.path: one.area for one in bodies}, data, found)


def _find_small(data: ChartData, found: Faults) -> None:
    """Add a map of so few units that it would be drawn coarsely."""
    if data["size"] is not None and max(data["size"]) < LEAST_SIDE:
        wide, high = data["size"]
        found.add(
            "size",
            f"is {wide:g} by {high:g} units, too few to be drawn well: of the longer side there "
            f"are {LEAST_SIDE} or more, so multiply all coordinates and label sizes",
        )


def _find_overlaps(bodies: Sequence[Body], found: Faults) -> bool:
    """Add the pairs of areas that overlap, and return whether there are some."""
    held = np.array([one.area for one in bodies], dtype=object)
    overlaps = 0
    left = _MOST_POINTS
    try:
        for ones, others in pairs(held):
            left -= _count_points(held, ones, others)
            if left < 0:
                _give_up(ones, others)
            over = relate_pattern(held[ones], held[others], _OVERLAP)
            for one, other in zip(ones[over].tolist(), others[over].tolist(), strict=True):
                message = _overlap(bodies[one], bodies[other])
                if message and overlaps < _MOST_OVERLAPS:
                    found.add(bodies[one].path, message)
                overlaps += bool(message)
    except TooManyPairsError as error:
        at = bodies[error.busiest].path
        found.add(at, "lies over so many outlines that no more overlaps were looked for")
        return True
    if overlaps > _MOST_OVERLAPS:
        found.add("shapes", f"{overlaps - _MOST_OVERLAPS:,} more pairs of outlines overlap")
    return overlaps > 0


def _count_points(held: Shapes, ones: Indices, others: Indices) -> int:
    return int(get_num_coordinates(held[ones]).sum() + get_num_coordinates(held[others]).sum())


def _give_up(ones: Indices, others: Indices) -> None:
    raise TooManyPairsError(int(np.argmax(np.bincount(np.concatenate([ones, others])))))


def _overlap(one: Body, other: Body) -> str:
    """Return that two areas overlap that do; empty if they may, or nobody can see it."""
    if one.upon == other.owner != "" or other.upon == one.owner != "":
        return ""
    sizes = get_num_coordinates([one.area, other.area])
    if int(sizes[0]) * int(sizes[1]) > _MOST_WORK:
        return f"overlaps {other.path}"
    shared = intersection(one.area, other.area).area
    return f"overlaps {other.path} by {shared:.1f} square map units" if shared > _SLACK else ""


def _find_bare(bodies: Sequence[Body], data: ChartData, found: Faults) -> None:
    """Add how much of the map is left to nobody, if it is more than rounding leaves."""
    size = data["size"]
    shapes = sum(len(shape["polygons"]) for shape in data["shapes"] if shape is not None)
    whole = None not in data["shapes"] and None not in data["scenery"]
    if size is None or not whole or len(bodies) < shapes + len(data["scenery"]):
        return
    covered = sum(one.area.area for one in bodies if not one.upon)
    bare = 1 - covered / (size[0] * size[1])
    if bare > _MOST_BARE:
        found.add("shapes", f"{bare:.1%} of the map belongs to no shape")


def _find_unordered(bodies: Sequence[Body], data: ChartData, found: Faults) -> None:
    """Add polygons that are larger than the first of their shape, which stands for it."""
    areas = {one.path: one.area.area for one in bodies}
    for i, shape in enumerate(data["shapes"]):
        paths = [
            f"shapes[{i}].polygons[{j}]" for j in range(len(shape["polygons"] if shape else ()))
        ]
        for path in paths[1:]:
            if areas.get(path, 0) > areas.get(paths[0], inf) + _SLACK:
                found.add(path, f"is larger than {paths[0]}: the largest comes first")
