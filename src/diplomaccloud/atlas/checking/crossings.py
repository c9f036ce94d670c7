"""Lines that cross, and which boxes of many overlap at all."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from shapely import (
    LineString,
    MultiPoint,
    STRtree,
    difference,
    get_num_coordinates,
    intersection,
    intersects,
    is_simple,
    touches,
)
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.checking.chartform import ChartData
from diplomaccloud.atlas.checking.faults import Faults
from diplomaccloud.atlas.checking.lines import points_of

MOST_PAIRS = 20_000
"""Of more pairs than these whose boxes overlap, no more is looked at; a map has a thousand or two.

Lines of many points count as many pairs.
"""

_CHUNK = 64
_WORK, _MOST_WORK = 10_000, 1_000_000
"""So many pairs of points count as one pair of lines; with more than the second number, two
lines can cross more often than there is memory for."""

_MOST_PLACED = 250_000
"""Pairs of points of lines that cross: of more, it is told that they cross and not where."""


def pairs(shapes: Sequence[BaseGeometry]) -> Iterator[NDArray[np.int64]]:
    """Yield the pairs whose boxes overlap, each once, as 2×n indices: in parts, for memory."""
    if not shapes:
        return
    tree = STRtree(shapes)
    for start in range(0, len(shapes), _CHUNK):
        found = tree.query(np.array(shapes[start : start + _CHUNK], dtype=object))
        found[0] += start
        yield found[:, found[0] < found[1]]


def is_costly(one: BaseGeometry, other: BaseGeometry) -> bool:
    """Return whether what two shapes have in common may take too long to be worked out."""
    return int(get_num_coordinates(one)) * int(get_num_coordinates(other)) > _MOST_WORK


def find_crossings(data: ChartData, found: Faults) -> None:
    """Add arcs that cross themselves, and pairs that meet elsewhere than at ends of both.

    What else a line meets that crosses itself is not looked at: it may be very much.
    """
    numbers = [i for i, arc in enumerate(data["arcs"]) if arc is not None]
    lines = [LineString(points_of(arc)) for arc in data["arcs"] if arc is not None]
    if not lines:
        return
    plain = np.asarray(is_simple(lines))
    for i, simple in zip(numbers, plain.tolist(), strict=True):
        if not simple:
            found.add(f"arcs[{i}].points", "the line crosses itself")
    held = np.array(lines, dtype=object)
    sizes = get_num_coordinates(held)
    looked_at = placed = 0
    for ones, others in pairs(lines):
        looked_at += len(ones) + int((sizes[ones] * sizes[others] // _WORK).sum())
        if looked_at > MOST_PAIRS:
            found.add("arcs", "the lines lie too much over one another to be looked at")
            return
        meeting = plain[ones] & plain[others] & intersects(held[ones], held[others])
        for one, other in zip(ones[meeting].tolist(), others[meeting].tolist(), strict=True):
            if touches(lines[one], lines[other]):
                where = _crossing(lines[one], lines[other])
            else:
                placed += int(sizes[one]) * int(sizes[other])
                where = "" if placed > _MOST_PLACED else _crossing(lines[one], lines[other])
            if where is not None:
                found.add(f"arcs[{numbers[one]}].points", f"meets arcs[{numbers[other]}]{where}")


def _crossing(one: LineString, other: LineString) -> str | None:
    """Return where two lines that meet do so beside their common ends: ` at (…)`, or nowhere."""
    ends = {one.coords[0], one.coords[-1]} & {other.coords[0], other.coords[-1]}
    meeting = intersection(one, other)
    rest = difference(meeting, MultiPoint(list(ends))) if ends else meeting
    if rest.is_empty:
        return None
    at = rest.representative_point()
    return f" at ({at.x:.1f}, {at.y:.1f})"
