"""Cut a rectangle out of a map: a small chart with a board of its own, for lessons and diagrams.

Provinces whose names and units fit into the rectangle stay in play. Other land in it becomes
scenery, and other water stays empty.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import ceil, floor

from shapely import LineString, Polygon, box
from shapely import Point as Spot

from diplomaccloud.judge.board import Board, ProvinceCode, Terrain, province_of
from diplomaccloud.judge.drawing.chart import (
    Anchors,
    Arc,
    ArcKind,
    Chart,
    Point,
    Relief,
    Ring,
    Shape,
    Window,
)


def crop_chart(
    whole: Chart,
    window: Window,
    name: str,
    *,
    without: Collection[str] = (),
    victory_centers: int | None = None,
) -> Chart:
    """Return the part of `whole` inside `window` as a chart called `name`.

    Provinces in `without` are out of play even if they fit. `victory_centers` defaults to that
    of the whole board.
    """
    kept = frozenset(
        shape.province
        for shape in whole.shapes
        if shape.province not in without
        and all(map(window.has_room, (shape.anchors.label, *shape.anchors.units.values())))
    )
    cutter = _Cutter(whole, window)
    arcs, outlines = cutter.cut()
    shapes, scenery = [], []
    for code, rings in outlines.items():
        if code in kept:
            anchors = _move_anchors(cutter.shapes[code].anchors, window)
            shapes.append(Shape(code, (rings,), anchors))
        elif code not in cutter.shapes:
            scenery.append((str(code), rings))  # an impassable country
        elif whole.board.by_code[code].terrain is not Terrain.SEA:
            scenery.append(("", rings))
    names = list(whole.board.by_code)
    return replace(
        whole,
        world=name,
        board=cut_board(whole.board, kept, name, victory_centers),
        size=(float(window.right - window.left), float(window.bottom - window.top)),
        arcs=arcs,
        shapes=tuple(sorted(shapes, key=lambda shape: names.index(shape.province))),
        scenery=(*scenery, *cutter.islets),
        relief=_cut_relief(whole, window),
        passages=(),
        features=(),
        fairness={},
        maker="crop",
    )


def cut_board(
    board: Board, kept: frozenset[ProvinceCode], name: str, victory_centers: int | None = None
) -> Board:
    """Return `board` with only the provinces `kept`, without starting units."""
    return replace(
        board,
        name=name,
        provinces=tuple(p for p in board.provinces if p.code in kept),
        army_borders=tuple(pair for pair in board.army_borders if kept.issuperset(pair)),
        fleet_borders=tuple(
            pair for pair in board.fleet_borders if all(province_of(end) in kept for end in pair)
        ),
        starts=(),
        impassable=(),
        border_rules=tuple(rule for rule in board.border_rules if kept >= rule.pair),
        victory_centers=victory_centers or board.victory_centers,
    )


def _move_anchors(anchors: Anchors, window: Window) -> Anchors:
    return replace(
        anchors,
        label=window.move(anchors.label),
        units={place: window.move(at) for place, at in anchors.units.items()},
        dislodged=window.move(anchors.dislodged),
        star=None if anchors.star is None else window.move(anchors.star),
        dislodged_coasts={p: window.move(at) for p, at in anchors.dislodged_coasts.items()},
    )


class _Cutter:
    """Cuts the lines of a chart at the edges of a window and joins them to rings again."""

    def __init__(self, whole: Chart, window: Window) -> None:
        self.whole, self.window = whole, window
        self.shapes: Mapping[ProvinceCode, Shape] = {s.province: s for s in whole.shapes}
        self.islets: list[tuple[str, tuple[Ring, ...]]] = []
        self._arcs: list[Arc] = []
        self._edges = box(window.left, window.top, window.right, window.bottom)
        self._areas = self._list_areas()

    def cut(self) -> tuple[tuple[Arc, ...], Mapping[ProvinceCode, tuple[Ring, ...]]]:
        """Return the lines inside the window, and the rings of each province and country."""
        refs = (ref for code, rings in self.whole.scenery if not code for ref in chain(*rings))
        islets = {ref if ref >= 0 else ~ref for ref in refs}
        crossings: set[Point] = set()
        for number, arc in enumerate(self.whole.arcs):
            if number not in islets and arc.kind is not ArcKind.FRAME:
                crossings |= self._cut_arc(arc)
        self._cut_frame(crossings)
        outlines = self._join_rings()
        for code, rings in self.whole.scenery:
            if not code:
                self._keep_islet(rings)
        return tuple(self._arcs), outlines

    def _cut_arc(self, arc: Arc) -> set[Point]:
        """Add the parts of `arc` inside the window; return where it crosses the edge."""
        inside = LineString(arc.points).intersection(self._edges)
        crossings = set()
        for part in getattr(inside, "geoms", [inside]):
            if not isinstance(part, LineString) or part.is_empty:
                continue
            points = tuple((round(x, 1), round(y, 1)) for x, y in part.coords)
            if len(set(points)) > 1:
                crossings |= {point for point in (points[0], points[-1]) if self._on_edge(point)}
                self._add(points, arc.kind, arc.left, arc.right)
        return crossings

    def _on_edge(self, point: Point) -> bool:
        return point[0] in {self.window.left, self.window.right} or point[1] in {
            self.window.top,
            self.window.bottom,
        }

    def _cut_frame(self, crossings: set[Point]) -> None:
        """Add the edges of the window, clockwise, each part between two crossings."""
        left, top = float(self.window.left), float(self.window.top)
        right, bottom = float(self.window.right), float(self.window.bottom)
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            ends = {p for p in (*crossings, start, end) if _is_between(p, start, end)}
            # Along one edge all points differ in one coordinate only.
            along = sorted(ends, reverse=start > end)
            for first, second in pairwise(along):
                middle = Spot((first[0] + second[0]) / 2, (first[1] + second[1]) / 2)
                distances = [area.distance(middle) for _, area in self._areas]
                nearest = self._areas[distances.index(min(distances))][0]
                self._add((first, second), ArcKind.FRAME, None, nearest)

    def _list_areas(self) -> list[tuple[ProvinceCode, Polygon]]:
        """Return the polygons that the window touches, with their provinces and countries."""
        outlines = [(shape.province, shape.polygons) for shape in self.whole.shapes]
        outlines += [(ProvinceCode(code), (rings,)) for code, rings in self.whole.scenery if code]
        areas = [
            (code, Polygon(self.whole.outline(outer), [self.whole.outline(h) for h in holes]))
            for code, polygons in outlines
            for outer, *holes in polygons
        ]
        return [(code, area) for code, area in areas if area.intersects(self._edges)]

    def _join_rings(self) -> dict[ProvinceCode, tuple[Ring, ...]]:
        refs: dict[ProvinceCode, list[int]] = defaultdict(list)
        for number, arc in enumerate(self._arcs):
            if arc.left is not None:
                refs[arc.left].append(number)
            if arc.right is not None:
                refs[arc.right].append(~number)
        return {code: tuple(self._chain(numbers)) for code, numbers in refs.items()}

    def _chain(self, refs: Sequence[int]) -> Iterable[Ring]:
        remaining = list(refs)
        while remaining:
            ring = [remaining.pop(0)]
            start = self._ends(ring[0])[0]
            while (end := self._ends(ring[-1])[1]) != start:
                following = [ref for ref in remaining if self._ends(ref)[0] == end]
                if not following:
                    break
                ring.append(following[0])
                remaining.remove(following[0])
            yield tuple(ring)

    def _ends(self, ref: int) -> tuple[Point, Point]:
        points = self._arcs[ref].points if ref >= 0 else self._arcs[~ref].points[::-1]
        return points[0], points[-1]

    def _keep_islet(self, rings: tuple[Ring, ...]) -> None:
        """Add an islet if all of it is inside the window."""
        outlines = [self.whole.outline(ring) for ring in rings]
        edges = self.window
        if all(
            edges.left < x < edges.right and edges.top < y < edges.bottom
            for x, y in chain(*outlines)
        ):
            closed = ((*outline, outline[0]) for outline in outlines)
            added = tuple((self._add(line, ArcKind.COAST, None, None),) for line in closed)
            self.islets.append(("", added))

    def _add(
        self,
        points: Iterable[Point],
        kind: ArcKind,
        left: ProvinceCode | None,
        right: ProvinceCode | None,
    ) -> int:
        """Add a line in the coordinates of the cut map and return its number."""
        self._arcs.append(Arc(tuple(map(self.window.move, points)), kind, left, right))
        return len(self._arcs) - 1


def _is_between(point: Point, start: Point, end: Point) -> bool:
    return all(
        min(a, b) <= value <= max(a, b) for value, a, b in zip(point, start, end, strict=True)
    )


def _cut_relief(whole: Chart, window: Window) -> Relief | None:
    relief = whole.relief
    if relief is None:
        return None
    across, down = relief.width / whole.size[0], relief.height / whole.size[1]
    left, right = floor(window.left * across), min(ceil(window.right * across), relief.width)
    top, bottom = floor(window.top * down), min(ceil(window.bottom * down), relief.height)
    rows = [
        relief.values[row * relief.width + left : row * relief.width + right]
        for row in range(top, bottom)
    ]
    return Relief(right - left, bottom - top, b"".join(rows))
