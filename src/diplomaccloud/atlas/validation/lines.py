"""Faults of arcs and rings: open outlines, and arcs not shared by exactly two shapes."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from diplomaccloud.atlas.chart import ArcKind, Point
from diplomaccloud.atlas.validation.chart_schema import (
    MAX_ARCS,
    ArcData,
    ChartData,
    PassageData,
    enumerate_valid,
)
from diplomaccloud.atlas.validation.faults import Faults

Ring = list[int | None]
_T = TypeVar("_T")

_MAX_USES = 2
"""How many outlines an arc can be part of."""

_MAX_LISTED_ARCS = 20


@dataclass(frozen=True)
class Outline:
    """A ring of the file, with the code of its owner (empty for an islet)."""

    path: str
    owner: str
    ring: Ring
    hole: bool
    scenery: bool = False


def list_outlines(data: ChartData) -> Iterator[Outline]:
    """Yield every ring of `data` that could be read."""
    for i, shape in enumerate_valid(data["shapes"]):
        for j, polygon in enumerate(shape["polygons"]):
            for k, ring in enumerate_valid(polygon or ()):
                path = f"shapes[{i}].polygons[{j}][{k}]"
                yield Outline(path, shape["province"], ring, k > 0)
    for i, (owner, rings) in list_scenery(data):
        for k, ring in enumerate_valid(rings):
            yield Outline(f"scenery[{i}][1][{k}]", owner, ring, k > 0, scenery=True)


def list_scenery(data: ChartData) -> Iterator[tuple[int, tuple[str, list[Ring | None]]]]:
    """Yield the index, the owner and the rings of every readable scenery."""
    for i, scenery in enumerate_valid(data["scenery"]):
        owner, rings = scenery
        assert isinstance(owner, str)  # noqa: S101 - for the type checker; the schema guarantees it
        assert isinstance(rings, list)  # noqa: S101
        yield i, (owner, rings)


def points_of(line: ArcData | PassageData) -> list[Point]:
    """Return the points of `line`."""
    values = line["points"]
    return list(zip(values[::2], values[1::2], strict=True))


def count_points(data: ChartData) -> int:
    """Return the total number of points in all arcs."""
    return sum(len(arc["points"]) for arc in data["arcs"] if arc is not None) // 2


def find_overuse(data: ChartData, faults: Faults) -> bool:
    """Return whether the outlines use more arcs than possible; add the most used ones."""
    uses: Counter[int] = Counter()
    for outline in list_outlines(data):
        uses.update(ref if ref >= 0 else ~ref for ref in outline.ring if ref is not None)
    if uses.total() <= _MAX_USES * MAX_ARCS:
        return False
    for index, count in uses.most_common(_MAX_LISTED_ARCS):
        faults.add(
            f"arcs[{index}]", f"is used {count:,} times in outlines; the limit is {_MAX_USES}"
        )
    return True


def build_closed_outlines(data: ChartData) -> dict[str, list[Point]]:
    """Return the points of each closed ring by its path; the first point is not repeated.

    Rings with an arc that two earlier outlines use are left out, because a small file could
    otherwise make rings of millions of points from a single arc.
    """
    return _close_rings(data, _find_arc_uses(data))


@dataclass(frozen=True)
class _ArcUses:
    """The outlines that use each arc.

    `of` has the outlines of each arc, once per use; `fitting` has the paths of the outlines that
    use no arc already used by two earlier outlines.
    """

    of: Mapping[int, Sequence[Outline]]
    fitting: frozenset[str]


def _find_arc_uses(data: ChartData) -> _ArcUses:
    of: dict[int, list[Outline]] = defaultdict(list)
    fitting = []
    for outline in list_outlines(data):
        fits = True
        for ref in outline.ring:
            if ref is not None:
                users = of[ref if ref >= 0 else ~ref]
                fits = fits and len(users) < _MAX_USES
                users.append(outline)
        if fits:
            fitting.append(outline.path)
    return _ArcUses(of, frozenset(fitting))


def _close_rings(data: ChartData, uses: _ArcUses) -> dict[str, list[Point]]:
    lines = [None if arc is None else points_of(arc) for arc in data["arcs"]]
    closed = {}
    for outline in list_outlines(data):
        walked = _follow_ring(outline.ring, lines) if outline.path in uses.fitting else None
        if walked is not None and all(a[-1] == b[0] for a, b in _pair_neighbors(walked)):
            closed[outline.path] = [point for line in walked for point in line[:-1]]
    return closed


def _follow_ring(ring: Ring, lines: list[list[Point] | None]) -> list[list[Point]] | None:
    """Return the lines of `ring` in their direction; `None` if one does not exist."""
    walked = []
    for ref in ring:
        if ref is None or not -len(lines) <= ref < len(lines):
            return None
        line = lines[ref if ref >= 0 else ~ref]
        if line is None:
            return None
        walked.append(line if ref >= 0 else line[::-1])
    return walked


def _pair_neighbors(walked: list[_T]) -> list[tuple[_T, _T]]:
    return list(zip(walked, walked[1:] + walked[:1], strict=True))


def find_line_faults(data: ChartData, faults: Faults) -> None:
    """Add the faults of arcs, of rings, and of how shapes share arcs."""
    _find_wrong_points(data, faults)
    _find_open_rings(data, faults)
    _find_wrong_sharing(data, _find_arc_uses(data), faults)


def _find_wrong_points(data: ChartData, faults: Faults) -> None:
    for i, arc in enumerate_valid(data["arcs"]):
        points = points_of(arc)
        if all(point == points[0] for point in points):
            faults.add(f"arcs[{i}].points", "the line has zero length")
        _find_outside(f"arcs[{i}].points", points, data["size"], faults)
    for i, passage in enumerate_valid(data["passages"]):
        _find_outside(f"passages[{i}].points", points_of(passage), data["size"], faults)


def _find_outside(
    path: str, points: Sequence[Point], size: list[float] | None, faults: Faults
) -> None:
    """Add the first of the points that lies outside the map."""
    width, height = size or (inf, inf)
    for j, (x, y) in enumerate(points):
        if not (0 <= x <= width and 0 <= y <= height):
            faults.add(f"{path}[{2 * j}]", f"({x:g}, {y:g}) is outside the map")
            return


def _find_open_rings(data: ChartData, faults: Faults) -> None:
    arcs = data["arcs"]
    ends = [None if arc is None else [*_ends(arc)] for arc in arcs]
    for outline in list_outlines(data):
        for k, ref in enumerate(outline.ring):
            if ref is not None and not -len(arcs) <= ref < len(arcs):
                faults.add(
                    f"{outline.path}[{k}]", f"there is no arc {ref}; there are {len(arcs)} arcs"
                )
        walked = _follow_ring(outline.ring, ends)
        if walked is None:
            continue
        for k, ((_, last), (first, _)) in enumerate(_pair_neighbors(walked)):
            if last != first:
                (x, y), (to_x, to_y) = last, first
                faults.add(
                    f"{outline.path}[{k}]",
                    f"the ring does not close: arc {outline.ring[k]} ends at ({x:g}, {y:g}),"
                    f" but the next starts at ({to_x:g}, {to_y:g})",
                )


def _ends(arc: ArcData) -> tuple[Point, Point]:
    x, y, *_ = values = arc["points"]
    return (x, y), (values[-2], values[-1])


def _find_wrong_sharing(data: ChartData, uses: _ArcUses, faults: Faults) -> None:
    """Add arcs that do not divide exactly the two shapes in `left` and `right`."""
    closed = _close_rings(data, uses)
    for outline in list_outlines(data):
        if outline.path not in closed:
            continue
        inside = _is_shape_on_left(closed[outline.path], outline, faults)
        for ref in outline.ring:
            index = -1 if ref is None else ref if ref >= 0 else ~ref
            arc = data["arcs"][index] if 0 <= index < len(data["arcs"]) else None
            if ref is not None and arc is not None:
                side = "left" if inside == (ref >= 0) else "right"
                _find_wrong_side(index, arc, side, outline, faults)
    if None in data["shapes"] or None in data["scenery"]:
        return
    for i, arc in enumerate_valid(data["arcs"]):
        _find_wrong_use_count(i, arc, uses.of.get(i, ()), faults)


def _is_shape_on_left(points: list[Point], outline: Outline, faults: Faults) -> bool:
    """Return whether the shape is on the left of its ring, seen along the ring."""
    # In the shoelace formula with y down, a positive sum is clockwise on the screen.
    around = zip(points, points[1:] + points[:1], strict=True)
    area = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)
    if area == 0:
        faults.add(outline.path, "the ring has no area")
    return (area < 0) != outline.hole


def _find_wrong_side(index: int, arc: ArcData, side: str, outline: Outline, faults: Faults) -> None:
    named, other = (arc["left"], arc["right"])[:: 1 if side == "left" else -1]
    if named == outline.owner or (not outline.owner and named in (None, other)):
        return
    shown = f"is {named}" if named else "is null"
    owner = f"the outline of {outline.owner}" if outline.owner else "an islet"
    faults.add(f"arcs[{index}].{side}", f"{shown}, but {owner} is on that side ({outline.path})")


def _find_wrong_use_count(i: int, arc: ArcData, uses: Sequence[Outline], faults: Faults) -> None:
    islet = arc["left"] is not None and arc["left"] == arc["right"]
    expected = 1 if arc["kind"] == ArcKind.FRAME or islet else 2
    if len(uses) == expected:
        return
    where = ", ".join(outline.path for outline in uses[:4]) or "none"
    more = ", …" * (len(uses) > 4)
    faults.add(
        f"arcs[{i}]",
        f"is part of {len(uses)} outline{'s' * (len(uses) != 1)} ({where}{more}), but must be part"
        f" of {expected}",
    )
