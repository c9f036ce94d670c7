"""Roughen coasts and borders by midpoint displacement, without letting any two cross."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from shapely import LineString, STRtree

from diplomaccloud.atlas.chart import Arc, ArcKind, Point

_MAX_SEGMENT = 3.6
"""Segments longer than this are divided, in map units."""

_ROUGHNESS = {ArcKind.COAST: 0.2, ArcKind.LAND: 0.17, ArcKind.SEA: 0.05}
"""Displacement, as a share of the length of the segment divided."""

_MAX_ROUNDS = 12


def roughen_lines(arcs: Sequence[Arc], names: Sequence[str]) -> tuple[Arc, ...]:
    """Return `arcs` with rough lines between the same ends, coordinates to one decimal.

    The course of a line depends on its name in `names`, so that changing one leaves the others as
    they are. A line that would touch another, or itself, is made calmer until it does not; if that
    does not help, it keeps its typed course.
    """
    seeds = [f"{name}/{names[:i].count(name)}" for i, name in enumerate(names)]
    strength = [1.0 if arc.kind in _ROUGHNESS else 0.0 for arc in arcs]
    lines = [_roughen_line(arc, seeds[i], strength[i]) for i, arc in enumerate(arcs)]
    for turn in range(_MAX_ROUNDS):
        crowded = _find_touching(lines)
        for i in crowded:
            strength[i] = strength[i] * 0.6 if turn < _MAX_ROUNDS - 3 else 0.0
            lines[i] = _roughen_line(arcs[i], seeds[i], strength[i])
    return tuple(replace(arc, points=line) for arc, line in zip(arcs, lines, strict=True))


def _roughen_line(arc: Arc, seed: str, strength: float) -> tuple[Point, ...]:
    if strength == 0.0:
        return _drop_repeats(arc.points)
    stream = random.Random(seed)  # a drawing, not a secret
    points = [arc.points[0]]
    for start, end in pairwise(arc.points):
        _divide_segment(start, end, _ROUGHNESS[arc.kind] * strength, stream, points)
    return _drop_repeats(points)


def _drop_repeats(line: Sequence[Point]) -> tuple[Point, ...]:
    """Return the rounded points of `line`, without those equal to the one before."""
    points = [_round_point(point) for point in line]
    return tuple(point for i, point in enumerate(points) if i == 0 or point != points[i - 1])


def _divide_segment(
    start: Point, end: Point, rough: float, stream: random.Random, points: list[Point]
) -> None:
    """Append to `points` the points after `start` up to `end`."""
    length = _measure_distance(start, end)
    if length <= _MAX_SEGMENT:
        points.append(end)
        return
    off = stream.uniform(-rough, rough)
    share = stream.uniform(0.42, 0.58)
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + dx * share - dy * off, start[1] + dy * share + dx * off)
    _divide_segment(start, middle, rough, stream, points)
    _divide_segment(middle, end, rough, stream, points)


def _find_touching(lines: Sequence[tuple[Point, ...]]) -> set[int]:
    """Return the lines that touch themselves, or touch another except at a common end."""
    shapes = [LineString(line) for line in lines]
    touching = {i for i, shape in enumerate(shapes) if not shape.is_simple}
    first, second = STRtree(shapes).query(shapes, predicate="intersects")
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        if i < j and not _meets_at_ends(lines[i], lines[j], shapes[i], shapes[j]):
            touching |= {i, j}
    return touching


def _meets_at_ends(
    first_line: Sequence[Point], second_line: Sequence[Point], line: LineString, near: LineString
) -> bool:
    shared = {first_line[0], first_line[-1]} & {second_line[0], second_line[-1]}
    common = line.intersection(near)
    parts = getattr(common, "geoms", [common])
    return all(part.geom_type == "Point" and (part.x, part.y) in shared for part in parts)


def _measure_distance(point: Point, target: Point) -> float:
    return float(((point[0] - target[0]) ** 2 + (point[1] - target[1]) ** 2) ** 0.5)


def _round_point(point: Point) -> Point:
    return round(point[0], 1) + 0.0, round(point[1], 1) + 0.0
