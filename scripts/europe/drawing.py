"""From the typed drawing to arcs and faces: read, project, cut, roughen."""

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from shapely import LineString, Polygon, STRtree, box, polygonize
from shapely import Point as Spot

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.drawing.chart import Arc, ArcKind, Point, Ring, trace_ring


class DrawingError(ValueError):
    """The drawing cannot be read or is inconsistent; the message names the faulty line."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One line of the drawing, in degrees (longitude, latitude); a closed one repeats no point."""

    name: str
    kind: ArcKind
    closed: bool
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """A point inside the space called `code`, in degrees."""

    code: str
    at: Point


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything in the drawing."""

    lines: tuple[DrawnLine, ...]
    places: tuple[LabelPlace, ...]


def parse_drawing(text: str) -> Drawing:
    """Return the drawing written in `text`, or raise `DrawingError`."""
    lines: list[DrawnLine] = []
    places: list[LabelPlace] = []
    for head, items in _split_sections(text):
        if head == "places":
            places += [_parse_place(item) for item in items]
        else:
            lines.append(_parse_line(head, items))
    return Drawing(tuple(lines), tuple(places))


def _split_sections(text: str) -> Iterator[tuple[str, list[str]]]:
    head, items = "", list[str]()
    for row in map(str.strip, text.splitlines()):
        if row.startswith("["):
            if head:
                yield head, items
            head, items = row.strip("[]"), []
        elif row and not row.startswith("#"):
            items += [item.strip() for item in row.split(",") if item.strip()]
    yield head, items


def _parse_place(item: str) -> LabelPlace:
    code, *numbers = item.split()
    return LabelPlace(code, _parse_point(" ".join(numbers)))


def _parse_point(item: str) -> Point:
    try:
        longitude, latitude = map(float, item.split())
    except ValueError as error:
        raise DrawingError(f"{item!r} is not a longitude and a latitude") from error
    return longitude, latitude


def _parse_line(head: str, items: list[str]) -> DrawnLine:
    kind, form, name = head.split(" ", 2)
    if kind not in set(ArcKind) or form not in {"ring", "line"}:
        raise DrawingError(f"[{head}]: a line is `kind ring|line name`")
    return DrawnLine(
        name, ArcKind(kind), form == "ring", tuple(_parse_point(item) for item in items)
    )


# Project degrees to map units: conic, then stretched where the game needs space.

WIDTH, HEIGHT = 1260.0, 1020.0

_MIDDLE = 13.0
"""The meridian that is vertical on the map."""

_CONE = 0.66
# Map units per degree of latitude, from the first latitude up to the second.
_BANDS = (
    (0.0, 33.0, 19.0),
    (33.0, 37.0, 24.0),
    (37.0, 56.0, 28.0),
    (56.0, 60.0, 25.0),
    (60.0, 66.0, 19.0),
    (66.0, 90.0, 17.0),
)
_RADIUS = 1640.0
"""Distance of latitude 48 from the center of the parallels, in map units."""

_SCALE = 1.05

_ORIGIN = (572.0, 605.0)
"""Where latitude 48 on the middle meridian is drawn, before stretching."""


@dataclass(frozen=True, slots=True)
class Bulge:
    """A place enlarged by `1 + gain` (reduced if negative), fading over `reach`."""

    longitude: float
    latitude: float
    gain: float
    reach: float


_BULGES = (
    Bulge(4.6, 51.0, 0.6, 72),
    Bulge(6.2, 52.4, 0.35, 40),
    Bulge(1.5, 47.9, 0.3, 75),
    Bulge(10.0, 55.6, 1.0, 64),
    Bulge(20.8, 41.8, 0.6, 95),
    Bulge(-2.8, 54.4, 0.8, 115),
    Bulge(33.0, 39.8, 0.2, 120),
    Bulge(12.8, 42.5, 0.7, 76),
    Bulge(15.3, 41.0, 0.5, 52),
    Bulge(9.0, 46.8, 0.5, 75),
    Bulge(15.6, 49.4, 0.3, 110),
    Bulge(29.0, 40.3, 0.45, 65),
    Bulge(34.0, 69.0, 0.2, 90),
)


def project(point: Point) -> Point:
    """Return the map position of `point` (longitude, latitude), not rounded."""
    x, y = _project_cone(point)
    dx = dy = 0.0
    for bulge in _BULGES:
        cx, cy = _project_cone((bulge.longitude, bulge.latitude))
        off_x, off_y = x - cx, y - cy
        weight = bulge.gain * math.exp(-(off_x**2 + off_y**2) / (2 * bulge.reach**2))
        dx += weight * off_x
        dy += weight * off_y
    return x + dx, y + dy


def _project_cone(point: Point) -> Point:
    longitude, latitude = point
    radius = _RADIUS - _measure_north(latitude)
    angle = math.radians(_CONE * (longitude - _MIDDLE))
    return (
        _ORIGIN[0] + _SCALE * radius * math.sin(angle),
        _ORIGIN[1] + _SCALE * (radius * math.cos(angle) - _RADIUS),
    )


def _measure_north(latitude: float) -> float:
    """Return how far `latitude` lies north of 48 degrees, in map units."""
    return _scaled_latitude(latitude) - _scaled_latitude(48.0)


def _scaled_latitude(latitude: float) -> float:
    return sum(max(0.0, min(latitude, north) - south) * scale for south, north, scale in _BANDS)


# Turn lines into pieces: smooth, project and cut them where they meet and at the frame.

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


def _join_lines(lines: Sequence[DrawnLine]) -> list[DrawnLine]:
    """Return lines whose open ends lie exactly on a point of another line."""
    typed = [point for line in lines for point in line.points]
    joined = []
    for line in lines:
        points = list(line.points)
        if not line.closed:
            for end in (0, -1):
                points[end] = _find_junction(line, points[end], typed)
        joined.append(DrawnLine(line.name, line.kind, line.closed, tuple(points)))
    return joined


def _find_junction(line: DrawnLine, end: Point, typed: Sequence[Point]) -> Point:
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


def _cut_line(line: DrawnLine, nodes: set[Point]) -> list[Piece]:
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


# Roughen coasts and borders by midpoint displacement, without letting any two cross.

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


# Turn pieces into arcs with a space on either side, and into the rings around each space.

UNOWNED = ""
"""The code of a face without a place in the drawing, such as an islet."""

_SIDE_OFFSET = 0.01
"""How far beside an arc the space on its side is looked up, in map units."""


@dataclass(frozen=True, slots=True)
class Face:
    """One connected part of a space: its code, its outer ring, then its holes."""

    code: str
    rings: tuple[Ring, ...]


def find_faces(
    pieces: Sequence[Piece], places: Iterable[LabelPlace]
) -> tuple[tuple[Arc, ...], tuple[Face, ...]]:
    """Return the arcs with their two sides, and every face in the order of its first arc.

    Raises `DrawingError` for a place on no face and for a line of the wrong kind.
    """
    polygons = polygonize([LineString(piece.points) for piece in pieces])
    areas = [area for area in polygons.geoms if isinstance(area, Polygon)]
    codes = _find_codes(areas, places)
    sides = [_find_sides(piece, areas) for piece in pieces]
    arcs = tuple(_build_arc(piece, side, codes) for piece, side in zip(pieces, sides, strict=True))
    edges: dict[int, list[int]] = defaultdict(list)
    for number, (left, right) in enumerate(sides):
        for area, ref in ((left, number), (right, ~number)):
            if area is not None:
                edges[area].append(ref)
    faces = tuple(Face(codes[area], _build_rings(refs, arcs)) for area, refs in edges.items())
    return arcs, faces


def _find_codes(areas: Sequence[Polygon], places: Iterable[LabelPlace]) -> Mapping[int, str]:
    """Return the code of each area; raises `DrawingError` if a place is not inside one area."""
    codes: dict[int, str] = dict.fromkeys(range(len(areas)), UNOWNED)
    for place in places:
        if "/" in place.code:  # a hint for an anchor, not a space
            continue
        x, y = project(place.at)
        spot = Spot(min(max(x, 1.0), WIDTH - 1), min(max(y, 1.0), HEIGHT - 1))
        held = [i for i, area in enumerate(areas) if area.contains(spot)]
        if len(held) != 1 or codes[held[0]] not in {UNOWNED, place.code}:
            inside = [codes[i] for i in held]
            raise DrawingError(f"{place.code}: its place is inside {inside}")
        codes[held[0]] = place.code
    return codes


def _find_sides(piece: Piece, areas: Sequence[Polygon]) -> tuple[int | None, int | None]:
    """Return the areas to the left and right of `piece`."""
    middle = len(piece.points) // 2
    (x0, y0), (x1, y1) = piece.points[middle - 1], piece.points[middle]
    size = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    off_x, off_y = (y1 - y0) / size * _SIDE_OFFSET, (x0 - x1) / size * _SIDE_OFFSET
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return _find_area(Spot(x + off_x, y + off_y), areas), _find_area(
        Spot(x - off_x, y - off_y), areas
    )


def _find_area(spot: Spot, areas: Sequence[Polygon]) -> int | None:
    return next((i for i, area in enumerate(areas) if area.contains(spot)), None)


def _build_arc(piece: Piece, sides: tuple[int | None, int | None], codes: Mapping[int, str]) -> Arc:
    left, right = (None if side is None else codes[side] for side in sides)
    if piece.kind is not ArcKind.FRAME and left == right:
        raise DrawingError(f"{piece.name}: has {left!r} on both sides")
    return Arc(
        piece.points,
        piece.kind,
        ProvinceCode(left) if left else None,
        ProvinceCode(right) if right else None,
    )


def _build_rings(refs: Iterable[int], arcs: Sequence[Arc]) -> tuple[Ring, ...]:
    """Return the rings that `refs` form, the one with the largest area first."""
    remaining = list(refs)
    rings = []
    while remaining:
        ring = [remaining.pop(0)]
        start = _find_ends(ring[0], arcs)[0]
        while (end := _find_ends(ring[-1], arcs)[1]) != start:
            ring.append(
                remaining.pop(
                    next(i for i, ref in enumerate(remaining) if _find_ends(ref, arcs)[0] == end)
                )
            )
        rings.append(tuple(ring))
    return tuple(sorted(rings, key=lambda ring: -_measure_extent(ring, arcs)))


def _find_ends(ref: int, arcs: Sequence[Arc]) -> tuple[tuple[float, float], tuple[float, float]]:
    points = arcs[ref].points if ref >= 0 else arcs[~ref].points[::-1]
    return points[0], points[-1]


def _measure_extent(ring: Ring, arcs: Sequence[Arc]) -> float:
    """Return the area inside `ring`, including holes."""
    outline = trace_ring(ring, arcs)
    return Polygon(outline).area if len(outline) > 2 else 0.0
