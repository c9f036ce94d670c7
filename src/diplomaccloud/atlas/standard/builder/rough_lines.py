"""Coasts and borders made rough by midpoint displacement, so that no two ever cross."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from shapely import LineString, STRtree

from diplomaccloud.atlas.chart import Arc, ArcKind, Point

_FINEST = 3.6
"""Segments are divided until they are shorter than this, in map units."""

_ROUGHNESS = {ArcKind.COAST: 0.2, ArcKind.LAND: 0.17, ArcKind.SEA: 0.05}
"""Displacement as a share of the length of the segment divided."""

_ROUNDS = 12


def roughen(arcs: Sequence[Arc], names: Sequence[str]) -> tuple[Arc, ...]:
    """Return `arcs` with rough lines between the same ends, coordinates to one decimal.

    How a line runs depends on its name in `names`, so that a change of one leaves the others.

    A line that would touch another, or itself, is made calmer until it does not; where that
    does not help it keeps its typed course.
    """
    seeds = [f"{name}/{names[:i].count(name)}" for i, name in enumerate(names)]
    strength = [1.0 if arc.kind in _ROUGHNESS else 0.0 for arc in arcs]
    lines = [_rough(arc, seeds[i], strength[i]) for i, arc in enumerate(arcs)]
    for turn in range(_ROUNDS):
        crowded = _crowded(lines)
        for i in crowded:
            strength[i] = strength[i] * 0.6 if turn < _ROUNDS - 3 else 0.0
            lines[i] = _rough(arcs[i], seeds[i], strength[i])
    return tuple(replace(arc, points=line) for arc, line in zip(arcs, lines, strict=True))


def _rough(arc: Arc, seed: str, strength: float) -> tuple[Point, ...]:
    if strength == 0.0:
        return _distinct(arc.points)
    stream = random.Random(seed)  # a drawing, not a secret
    found = [arc.points[0]]
    for start, end in pairwise(arc.points):
        _divide(start, end, _ROUGHNESS[arc.kind] * strength, stream, found)
    return _distinct(found)


def _distinct(line: Sequence[Point]) -> tuple[Point, ...]:
    """Return the rounded points of `line`, without those equal to the one before."""
    points = [_rounded(point) for point in line]
    return tuple(point for i, point in enumerate(points) if i == 0 or point != points[i - 1])


def _divide(
    start: Point, end: Point, rough: float, stream: random.Random, found: list[Point]
) -> None:
    """Append the points after `start` up to `end`."""
    length = _distance(start, end)
    if length <= _FINEST:
        found.append(end)
        return
    off = stream.uniform(-rough, rough)
    share = stream.uniform(0.42, 0.58)
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + dx * share - dy * off, start[1] + dy * share + dx * off)
    _divide(start, middle, rough, stream, found)
    _divide(middle, end, rough, stream, found)


def _crowded(lines: Sequence[tuple[Point, ...]]) -> set[int]:
    """Return the lines that touch themselves, or another anywhere but at a common end."""
    shapes = [LineString(line) for line in lines]
    found = {i for i, shape in enumerate(shapes) if not shape.is_simple}
    one, other = STRtree(shapes).query(shapes, predicate="intersects")
    for i, j in zip(one.tolist(), other.tolist(), strict=True):
        if i < j and not _meets_at_ends(lines[i], lines[j], shapes[i], shapes[j]):
            found |= {i, j}
    return found


def _meets_at_ends(
    one: Sequence[Point], other: Sequence[Point], line: LineString, near: LineString
) -> bool:
    shared = {one[0], one[-1]} & {other[0], other[-1]}
    common = line.intersection(near)
    parts = getattr(common, "geoms", [common])
    return all(part.geom_type == "Point" and (part.x, part.y) in shared for part in parts)


def _distance(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _rounded(point: Point) -> Point:
    return round(point[0], 1) + 0.0, round(point[1], 1) + 0.0
