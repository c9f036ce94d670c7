"""Faults of arcs and rings: outlines that do not close, lines that not two shapes share."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from diplomaccloud.atlas.chart import ArcKind, Point
from diplomaccloud.atlas.validation.chart_data import ArcData, ChartData, PassageData
from diplomaccloud.atlas.validation.chart_schema import MOST_ARCS
from diplomaccloud.atlas.validation.faults import Faults

Ring = list[int | None]
_T = TypeVar("_T")

_SHARED = 2
"""No arc is part of more outlines."""

_MOST_NAMED = 20


@dataclass(frozen=True)
class Outline:
    """A ring of the file: whose it is (empty for an islet), and whether it is a hole."""

    path: str
    owner: str
    ring: Ring
    hole: bool
    scenery: bool = False


def outlines(data: ChartData) -> Iterator[Outline]:
    """Yield every ring of `data` that could be read."""
    for i, shape in enumerate(data["shapes"]):
        if shape is None:
            continue
        for j, polygon in enumerate(shape["polygons"]):
            for k, ring in enumerate(polygon or ()):
                if ring is not None:
                    path = f"shapes[{i}].polygons[{j}][{k}]"
                    yield Outline(path, shape["province"], ring, k > 0)
    for i, (owner, rings) in scenery(data):
        for k, ring in enumerate(rings):
            if ring is not None:
                yield Outline(f"scenery[{i}][1][{k}]", owner, ring, k > 0, scenery=True)


def scenery(data: ChartData) -> Iterator[tuple[int, tuple[str, list[Ring | None]]]]:
    """Yield the place and the parts of every scenery that could be read."""
    for i, one in enumerate(data["scenery"]):
        if one is not None:
            owner, rings = one
            assert isinstance(owner, str)  # noqa: S101 - for the type checker: the form says so
            assert isinstance(rings, list)  # noqa: S101
            yield i, (owner, rings)


def points_of(line: ArcData | PassageData) -> list[Point]:
    """Return the points of `line`."""
    values = line["points"]
    return list(zip(values[::2], values[1::2], strict=True))


def count_points(data: ChartData) -> int:
    """Return how many points all arcs have together."""
    return sum(len(arc["points"]) for arc in data["arcs"] if arc is not None) // 2


def find_overuse(data: ChartData, found: Faults) -> bool:
    """Return whether outlines have more arcs than could be shared; add the arcs most in use."""
    uses: Counter[int] = Counter()
    for one in outlines(data):
        uses.update(ref if ref >= 0 else ~ref for ref in one.ring if ref is not None)
    if uses.total() <= _SHARED * MOST_ARCS:
        return False
    for index, count in uses.most_common(_MOST_NAMED):
        found.add(f"arcs[{index}]", f"is {count:,} times in an outline, not {_SHARED} times")
    return True


def closed_outlines(data: ChartData) -> dict[str, list[Point]]:
    """Return the points around each ring that closes, not repeated at the end, by its path.

    A ring with an arc that two shapes have before is left out: a small file could make rings
    of millions of points of one arc.
    """
    return _closed(data, _uses(data))


@dataclass(frozen=True)
class _Uses:
    """Who uses which arc.

    `of` are the outlines that each arc is part of, once for each time; `fitting` the paths of
    the outlines none of whose arcs two others had before.
    """

    of: Mapping[int, Sequence[Outline]]
    fitting: frozenset[str]


def _uses(data: ChartData) -> _Uses:
    of: dict[int, list[Outline]] = defaultdict(list)
    fitting = []
    for one in outlines(data):
        fits = True
        for ref in one.ring:
            if ref is not None:
                users = of[ref if ref >= 0 else ~ref]
                fits = fits and len(users) < _SHARED
                users.append(one)
        if fits:
            fitting.append(one.path)
    return _Uses(of, frozenset(fitting))


def _closed(data: ChartData, uses: _Uses) -> dict[str, list[Point]]:
    lines = [None if arc is None else points_of(arc) for arc in data["arcs"]]
    found = {}
    for one in outlines(data):
        walked = _walked(one.ring, lines) if one.path in uses.fitting else None
        if walked is not None and all(a[-1] == b[0] for a, b in _around(walked)):
            found[one.path] = [point for line in walked for point in line[:-1]]
    return found


def _walked(ring: Ring, lines: list[list[Point] | None]) -> list[list[Point]] | None:
    """Return the lines of `ring` in their direction; None if one is not there."""
    walked = []
    for ref in ring:
        if ref is None or not -len(lines) <= ref < len(lines):
            return None
        line = lines[ref if ref >= 0 else ~ref]
        if line is None:
            return None
        walked.append(line if ref >= 0 else line[::-1])
    return walked


def _around(walked: list[_T]) -> list[tuple[_T, _T]]:
    return list(zip(walked, walked[1:] + walked[:1], strict=True))


def find_line_faults(data: ChartData, found: Faults) -> None:
    """Add the faults of arcs by themselves, of rings, and of their sharing."""
    _find_bad_points(data, found)
    _find_open_rings(data, found)
    _find_unshared(data, _uses(data), found)


def _find_bad_points(data: ChartData, found: Faults) -> None:
    for i, arc in enumerate(data["arcs"]):
        if arc is not None:
            points = points_of(arc)
            if all(point == points[0] for point in points):
                found.add(f"arcs[{i}].points", "the line has no length")
            _find_outside(f"arcs[{i}].points", points, data["size"], found)
    for i, passage in enumerate(data["passages"]):
        if passage is not None:
            _find_outside(f"passages[{i}].points", points_of(passage), data["size"], found)


def _find_outside(
    path: str, points: Sequence[Point], size: list[float] | None, found: Faults
) -> None:
    """Add the first of the points that lies outside the map."""
    width, height = size or (inf, inf)
    for j, (x, y) in enumerate(points):
        if not (0 <= x <= width and 0 <= y <= height):
            found.add(f"{path}[{2 * j}]", f"({x:g}, {y:g}) is outside the map")
            return


def _find_open_rings(data: ChartData, found: Faults) -> None:
    arcs = data["arcs"]
    ends = [None if arc is None else [*_ends(arc)] for arc in arcs]
    for one in outlines(data):
        for k, ref in enumerate(one.ring):
            if ref is not None and not -len(arcs) <= ref < len(arcs):
                found.add(f"{one.path}[{k}]", f"there is no arc {ref}: there are {len(arcs)}")
        walked = _walked(one.ring, ends)
        if walked is None:
            continue
        for k, ((_, last), (first, _)) in enumerate(_around(walked)):
            if last != first:
                (x, y), (to_x, to_y) = last, first
                found.add(
                    f"{one.path}[{k}]",
                    f"the ring does not close: arc {one.ring[k]} ends at ({x:g}, {y:g}),"
                    f" the next begins at ({to_x:g}, {to_y:g})",
                )


def _ends(arc: ArcData) -> tuple[Point, Point]:
    x, y, *_ = values = arc["points"]
    return (x, y), (values[-2], values[-1])


def _find_unshared(data: ChartData, uses: _Uses, found: Faults) -> None:
    """Add arcs that do not part exactly the two shapes that they name."""
    closed = _closed(data, uses)
    for one in outlines(data):
        if one.path not in closed:
            continue
        inside = _shape_is_left(closed[one.path], one, found)
        for ref in one.ring:
            index = -1 if ref is None else ref if ref >= 0 else ~ref
            arc = data["arcs"][index] if 0 <= index < len(data["arcs"]) else None
            if ref is not None and arc is not None:
                side = "left" if inside == (ref >= 0) else "right"
                _find_other_owner(index, arc, side, one, found)
    if None in data["shapes"] or None in data["scenery"]:
        return
    for i, arc in enumerate(data["arcs"]):
        if arc is not None:
            _find_bad_sharing(i, arc, uses.of.get(i, ()), found)


def _shape_is_left(points: list[Point], one: Outline, found: Faults) -> bool:
    """Return whether the shape lies to the left of its ring, seen along it."""
    # In the shoelace formula with y down, a positive sum is clockwise on the screen.
    around = zip(points, points[1:] + points[:1], strict=True)
    area = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)
    if area == 0:
        found.add(one.path, "the ring encloses nothing")
    return (area < 0) != one.hole


def _find_other_owner(index: int, arc: ArcData, side: str, one: Outline, found: Faults) -> None:
    named, other = (arc["left"], arc["right"])[:: 1 if side == "left" else -1]
    if named == one.owner or (not one.owner and named in (None, other)):
        return
    shown = f"is {named}" if named else "is null"
    owner = f"the outline of {one.owner}" if one.owner else "an islet"
    found.add(f"arcs[{index}].{side}", f"{shown}, but {owner} lies there ({one.path})")


def _find_bad_sharing(i: int, arc: ArcData, uses: Sequence[Outline], found: Faults) -> None:
    islet = arc["left"] is not None and arc["left"] == arc["right"]
    wanted = 1 if arc["kind"] == ArcKind.FRAME or islet else 2
    if len(uses) == wanted:
        return
    where = ", ".join(one.path for one in uses[:4]) or "none"
    more = ", …" * (len(uses) > 4)
    found.add(
        f"arcs[{i}]",
        f"is part of {len(uses)} outline{'s' * (len(uses) != 1)} ({where}{more}), not of {wanted}",
    )
