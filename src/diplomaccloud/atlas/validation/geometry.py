"""Geometric faults: crossing lines, overlapping areas, and areas that belong to no shape."""

from collections.abc import Sequence
from math import inf

import numpy as np
from shapely import get_num_coordinates, intersection, relate_pattern

from diplomaccloud.atlas.validation.areas import Area, build_areas
from diplomaccloud.atlas.validation.box_overlaps import (
    Indices,
    Shapes,
    TooManyPairsError,
    find_pairs,
)
from diplomaccloud.atlas.validation.chart_schema import ChartData
from diplomaccloud.atlas.validation.crossings import find_crossings
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.marks import find_mark_faults

MIN_SIDE = 100
"""The minimum length of a map's longer side. Pictures are drawn to a tenth of a map unit."""

_MAX_OVERLAP_AREA = 0.5
"""Square map units; a smaller overlap is invisible."""

_MAX_UNCOVERED = 0.001
"""The share of the map that may belong to no shape because of rounding."""

_MAX_LISTED_OVERLAPS = 200
"""How many overlapping pairs are listed; the others are only counted."""

_MAX_COMPARED_POINTS = 5_000_000
"""The total for all pairs that are compared; a map of 400 provinces has 600,000."""

_MAX_POINT_PAIRS = 100_000
"""The area of an overlap is not computed for two areas with more pairs of points."""

_OVERLAP = "2********"
"""The DE-9IM pattern of two areas with a common interior."""


def find_geometry_faults(data: ChartData, faults: Faults) -> None:
    """Add the geometric faults of `data`."""
    _find_low_resolution(data, faults)
    find_crossings(data, faults)
    areas = build_areas(data, faults)
    if not _find_overlaps(areas, faults):
        _find_uncovered_area(areas, data, faults)
    _find_wrong_order(areas, data, faults)
    find_mark_faults({area.path: area.polygon for area in areas}, data, faults)


def _find_low_resolution(data: ChartData, faults: Faults) -> None:
    """Add a size that is too small, because the drawing would be coarse."""
    if data["size"] is not None and max(data["size"]) < MIN_SIDE:
        width, height = data["size"]
        faults.add(
            "size",
            f"is {width:g} by {height:g} units, which is too coarse to draw: the longer side must "
            f"have at least {MIN_SIDE}, so multiply all coordinates and label sizes",
        )


def _find_overlaps(areas: Sequence[Area], faults: Faults) -> bool:
    """Add overlapping pairs of areas, and return whether there are any."""
    polygons = np.array([area.polygon for area in areas], dtype=object)
    overlaps = 0
    remaining = _MAX_COMPARED_POINTS
    try:
        for ones, others in find_pairs(polygons):
            remaining -= _count_points(polygons, ones, others)
            if remaining < 0:
                _raise_too_many_pairs(ones, others)
            overlap = relate_pattern(polygons[ones], polygons[others], _OVERLAP)
            for first, second in zip(ones[overlap].tolist(), others[overlap].tolist(), strict=True):
                message = _describe_overlap(areas[first], areas[second])
                if message and overlaps < _MAX_LISTED_OVERLAPS:
                    faults.add(areas[first].path, message)
                overlaps += bool(message)
    except TooManyPairsError as error:
        at = areas[error.busiest].path
        faults.add(at, "overlaps too many outlines: the search for overlaps stopped here")
        return True
    if overlaps > _MAX_LISTED_OVERLAPS:
        faults.add("shapes", f"{overlaps - _MAX_LISTED_OVERLAPS:,} more pairs of outlines overlap")
    return overlaps > 0


def _count_points(polygons: Shapes, ones: Indices, others: Indices) -> int:
    return int(
        get_num_coordinates(polygons[ones]).sum() + get_num_coordinates(polygons[others]).sum()
    )


def _raise_too_many_pairs(ones: Indices, others: Indices) -> None:
    raise TooManyPairsError(int(np.argmax(np.bincount(np.concatenate([ones, others])))))


def _describe_overlap(first: Area, second: Area) -> str:
    """Return the fault of two overlapping areas; empty if it is allowed or invisible."""
    if first.sea == second.owner != "" or second.sea == first.owner != "":
        return ""
    sizes = get_num_coordinates([first.polygon, second.polygon])
    if int(sizes[0]) * int(sizes[1]) > _MAX_POINT_PAIRS:
        return f"overlaps {second.path}"
    shared = intersection(first.polygon, second.polygon).area
    return (
        f"overlaps {second.path} by {shared:.1f} square map units"
        if shared > _MAX_OVERLAP_AREA
        else ""
    )


def _find_uncovered_area(areas: Sequence[Area], data: ChartData, faults: Faults) -> None:
    """Add a fault if more of the map belongs to no shape than rounding can explain."""
    size = data["size"]
    shapes = sum(len(shape["polygons"]) for shape in data["shapes"] if shape is not None)
    complete = None not in data["shapes"] and None not in data["scenery"]
    if size is None or not complete or len(areas) < shapes + len(data["scenery"]):
        return
    covered = sum(area.polygon.area for area in areas if not area.sea)
    uncovered = 1 - covered / (size[0] * size[1])
    if uncovered > _MAX_UNCOVERED:
        faults.add("shapes", f"{uncovered:.1%} of the map belongs to no shape")


def _find_wrong_order(areas: Sequence[Area], data: ChartData, faults: Faults) -> None:
    """Add polygons that are larger than the first one of their shape."""
    sizes = {area.path: area.polygon.area for area in areas}
    for i, shape in enumerate(data["shapes"]):
        paths = [
            f"shapes[{i}].polygons[{j}]" for j in range(len(shape["polygons"] if shape else ()))
        ]
        for path in paths[1:]:
            if sizes.get(path, 0) > sizes.get(paths[0], inf) + _MAX_OVERLAP_AREA:
                faults.add(path, f"is larger than {paths[0]}, but the largest must come first")
