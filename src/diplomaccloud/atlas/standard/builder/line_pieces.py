"""Turn lines into pieces: smooth, project and cut them where they meet and at the frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from shapely import LineString, box

from diplomaccloud.atlas.chart import ArcKind, Point
from diplomaccloud.atlas.standard.builder.drawing_text import Drawing, DrawingError, Line
from diplomaccloud.atlas.standard.builder.projection import HEIGHT, WIDTH, project

_MAX_JOIN_GAP = 0.12
"""How far the end of a line may be from the point it joins, in degrees."""

_STEP = 11.0
"""Approximate map units between points of a smoothed line; every typed point is one of them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A line between two junctions, in map units; a closed one repeats its first point."""

    name: str
    kind: ArcKind
    points: tuple[Point, ...]


def cut_pieces(drawing: Drawing) -> list[Piece]:
    """Return the pieces of all lines inside the frame, and those of the frame itself."""
    lines = _join_lines(drawing.lines)
    nodes = {end for line in lines if not line.closed for end in (line.points[0], line.points[-1])}
    pieces = [piece for line in lines for piece in _cut_line(line, nodes)]
    inside = [part for piece in pieces for part in _clip_to_frame(piece)]
    return inside + _build_frame(inside)


def _join_lines(lines: Sequence[Line]) -> list[Line]:
    """Return lines whose open ends lie exactly on a point of another line."""
    typed = [point for line in lines for point in line.points]
    joined = []
    for line in lines:
        points = list(line.points)
        if not line.closed:
            for end in (0, -1):
                points[end] = _find_junction(line, points[end], typed)
        joined.append(Line(line.name, line.kind, line.closed, tuple(points)))
    return joined


def _find_junction(line: Line, end: Point, typed: Sequence[Point]) -> Point:
    """Return the point of another line that `end` joins, or `end` if it is off the map."""
    x, y = project(end)
    if not (0 < x < WIDTH and 0 < y < HEIGHT):
        return end
    others = [point for point in typed if point not in line.points] + (
        [end] if typed.count(end) > 1 else []
    )
    best = min(others, key=lambda point: abs(point[0] - end[0]) * 0.65 + abs(point[1] - end[1]))
    if abs(best[0] - end[0]) * 0.65 + abs(best[1] - end[1]) > _MAX_JOIN_GAP:
        raise DrawingError(f"{line.name}: nothing to join at {end}, {best} is nearest")
    return best


def _cut_line(line: Line, nodes: set[Point]) -> list[Piece]:
    """Return the pieces of `line` between the junctions in `nodes`, smoothed and projected."""
    control = list(line.points)
    if line.closed:
        first = next((i for i, point in enumerate(control) if point in nodes), 0)
        control = control[first:] + control[: first + 1]
    cuts = [i for i, point in enumerate(control) if point in nodes]
    cuts = sorted({0, len(control) - 1, *cuts})
    flat = [project(point) for point in control]
    spans = _smooth_points(flat, closed=line.closed)
    return [
        Piece(line.name, line.kind, (flat[a], *(p for span in spans[a:b] for p in span)))
        for a, b in pairwise(cuts)
    ]


def _smooth_points(points: Sequence[Point], *, closed: bool) -> list[list[Point]]:
    """Return, for each control point but the first, the points of a curve that leads to it."""
    if closed:
        before, after = points[-2], points[1]
    else:
        before, after = points[0], points[-1]
    padded = [before, *points, after]
    return [_interpolate(*padded[i : i + 4]) for i in range(len(points) - 1)]


def _interpolate(p0: Point, p1: Point, p2: Point, p3: Point) -> list[Point]:
    """Return points after `p1` up to `p2` on a Catmull-Rom curve of low tension."""
    length = ((p2[0] - p1[0]) ** 2 + (p2[1] - p1[1]) ** 2) ** 0.5
    bend1 = _find_tangent(p0, p1, p2, length)
    bend2 = _find_tangent(p1, p2, p3, length)
    count = max(1, round(length / _STEP))
    points = []
    for i in range(1, count):
        t = i / count
        a, b = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t
        c, d = -2 * t**3 + 3 * t**2, t**3 - t**2
        points.append(
            (
                a * p1[0] + b * bend1[0] + c * p2[0] + d * bend2[0],
                a * p1[1] + b * bend1[1] + c * p2[1] + d * bend2[1],
            )
        )
    return [*points, p2]


def _find_tangent(before: Point, at: Point, after: Point, length: float) -> Point:
    """Return the tangent at `at`, limited by the length of the shorter side."""
    dx, dy = after[0] - before[0], after[1] - before[1]
    size = (dx * dx + dy * dy) ** 0.5 or 1.0
    sides = [
        ((at[0] - neighbor[0]) ** 2 + (at[1] - neighbor[1]) ** 2) ** 0.5 or length
        for neighbor in (before, after)
    ]
    scale = 0.8 * min(length, *sides) / size
    return dx * scale, dy * scale


def _clip_to_frame(piece: Piece) -> list[Piece]:
    """Return the parts of `piece` inside the frame, with their cut ends exactly on it."""
    frame = box(0, 0, WIDTH, HEIGHT)
    line = LineString(piece.points)
    if frame.contains(line):
        return [piece]
    inside = line.intersection(frame)
    parts = getattr(inside, "geoms", [inside])
    return [
        Piece(piece.name, piece.kind, tuple(_snap_to_frame((x, y)) for x, y in part.coords))
        for part in parts
        if part.length > 0
    ]


def _snap_to_frame(point: Point) -> Point:
    """Return `point`, exactly on the frame if it is very close to it."""
    x, y = (
        0.0 if abs(v) < 1e-6 else limit if abs(v - limit) < 1e-6 else v
        for v, limit in zip(point, (WIDTH, HEIGHT), strict=True)
    )
    return x, y


def _build_frame(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the edge of the map, cut where a piece ends on it."""
    ends = {end for piece in pieces for end in (piece.points[0], piece.points[-1])}
    corners = [(0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT)]
    on_edge = [end for end in ends if end[0] in {0.0, WIDTH} or end[1] in {0.0, HEIGHT}]
    stops = sorted({*corners, *on_edge}, key=_frame_position)
    first = next(i for i, stop in enumerate(stops) if stop in on_edge)
    stops = stops[first:] + stops[: first + 1]
    frame_pieces, run = [], [stops[0]]
    for stop in stops[1:]:
        run.append(stop)
        if stop in on_edge:
            frame_pieces.append(Piece("frame", ArcKind.FRAME, tuple(run)))
            run = [stop]
    return frame_pieces


def _frame_position(point: Point) -> float:
    """Return the distance of `point` along the frame, clockwise from the upper left corner."""
    x, y = point
    if y == 0:
        return x
    if x == WIDTH:
        return WIDTH + y
    if y == HEIGHT:
        return 2 * WIDTH + HEIGHT - x
    return 2 * (WIDTH + HEIGHT) - y
