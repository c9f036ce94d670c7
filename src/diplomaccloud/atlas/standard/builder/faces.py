"""Turn pieces into arcs with a space on either side, and into the rings around each space."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shapely import LineString, Polygon, polygonize
from shapely import Point as Spot

from diplomaccloud.atlas.chart import Arc, ArcKind, Ring
from diplomaccloud.atlas.standard.builder.drawing_text import DrawingError, Place
from diplomaccloud.atlas.standard.builder.line_pieces import Piece
from diplomaccloud.atlas.standard.builder.projection import HEIGHT, WIDTH, project
from diplomaccloud.judge.board import ProvinceCode

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
    pieces: Sequence[Piece], places: Iterable[Place]
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


def _find_codes(areas: Sequence[Polygon], places: Iterable[Place]) -> Mapping[int, str]:
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
    points = [p for ref in ring for p in (arcs[ref] if ref >= 0 else arcs[~ref]).points]
    outline = [p for ref in ring for p in _walk_points(ref, arcs)]
    return Polygon(outline).area if len(points) > 2 else 0.0


def _walk_points(ref: int, arcs: Sequence[Arc]) -> tuple[tuple[float, float], ...]:
    return arcs[ref].points[:-1] if ref >= 0 else arcs[~ref].points[:0:-1]
