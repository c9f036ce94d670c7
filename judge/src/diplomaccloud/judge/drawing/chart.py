"""A map as a value: a board with the shapes, anchors and colors that a drawing needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from itertools import pairwise
from math import fsum
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode

Point: TypeAlias = tuple[float, float]

ArcRef: TypeAlias = int
"""The index of an arc; `~index` (negative) means the same arc in reverse."""

Ring: TypeAlias = tuple[ArcRef, ...]
"""Consecutive arcs around a closed outline."""

FORMATS = (1, 2)
"""The versions of map files that are read.

The second has border rules, lettered passages, titles and features.
"""


class ArcKind(StrEnum):
    """The kinds of arcs, by what they divide."""

    COAST = "coast"
    """Land from water."""
    LAND = "land"
    """Two land provinces, including impassable land."""
    SEA = "sea"
    """Two seas."""
    FRAME = "frame"
    """A province from the edge of the map."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A line that is stored once and shared by the two shapes next to it.

    `points`: at least two, from start to end; a closed arc (an island alone in one sea)
    repeats its first point. `left` and `right` are the provinces on either side, seen along the
    arc on the screen (y down); `None` is outside the frame. The code of an impassable space is
    also possible.
    """

    points: tuple[Point, ...]
    kind: ArcKind
    left: ProvinceCode | None
    right: ProvinceCode | None


@dataclass(frozen=True, slots=True)
class Anchors:
    """Where names, units and stars are drawn in a province: center points inside it.

    `label` is the center of the printed name, `label_lines` that name split into lines and
    `label_size` its font size in map units (0: the name does not fit and the code is printed
    instead at the usual size). `units` has a place for each location (each coast of a split
    province, and the code alone for an army). `dislodged` is the place for a dislodged unit,
    next to the place of its attacker; `dislodged_coasts` has other places for fleets dislodged
    from one of several coasts. `star` is `None` unless the province is a center.
    """

    label: Point
    label_lines: tuple[str, ...]
    label_size: float
    units: Mapping[Location, Point]
    dislodged: Point
    star: Point | None = None
    dislodged_coasts: Mapping[Location, Point] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Freeze the mappings."""
        for name in ("units", "dislodged_coasts"):
            frozen = MappingProxyType(dict(sorted(getattr(self, name).items())))
            object.__setattr__(self, name, frozen)

    def dislodged_at(self, location: Location) -> Point:
        """Return the place of a unit dislodged from `location`."""
        return self.dislodged_coasts.get(location, self.dislodged)


@dataclass(frozen=True, slots=True)
class Shape:
    """The outline of one province: one or more polygons, each an outer ring, then its holes."""

    province: ProvinceCode
    polygons: tuple[tuple[Ring, ...], ...]
    anchors: Anchors


@dataclass(frozen=True, slots=True)
class Relief:
    """Elevation of the land, for shading: `height` rows of `width` values 0–255, row by row."""

    width: int
    height: int
    values: bytes


@dataclass(frozen=True, slots=True)
class Passage:
    """A connection between two locations that share no arc, e.g. straits through closed land.

    `points` is the line drawn, from the first of the `ends` to the second. With a `mark`, a letter,
    it leaves the map at one edge and returns at another, as around a globe: two consecutive points
    are on the edges, and only the `stubs` before and after them are drawn.
    """

    ends: tuple[Location, Location]
    points: tuple[Point, ...]
    mark: str = ""

    def stubs(self, size: tuple[float, float]) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """Return the line up to the edge of a map of this `size`, and from the other edge on.

        Raises `ValueError` unless it leaves the map once.
        """
        leaves = [
            number
            for number, (point, to) in enumerate(pairwise(self.points), 1)
            if (edge := _find_edge(point, size)) and (other := _find_edge(to, size))
            if edge != other
        ]
        if len(leaves) != 1:
            raise ValueError("does not leave the map at one edge and return at another")
        return self.points[: leaves[0]], self.points[leaves[0] :]


def _find_edge(point: Point, size: tuple[float, float]) -> str:
    """Return the edge that `point` is on; empty inside the map."""
    (x, y), (width, height) = point, size
    on = {"left": x == 0, "right": x == width, "top": y == 0, "bottom": y == height}
    return next((edge for edge, is_there in on.items() if is_there), "")


class FeatureKind(StrEnum):
    """The kinds of features, which are drawn and mean nothing in play."""

    RIVER = "river"
    """A line from the source to the mouth."""
    LAKE = "lake"
    """An outline, not closed."""
    NAME = "name"
    """The line along which a name stands: of a range, a pass, or a river that fleets follow."""
    FOREST = "forest"
    """The places of small signs, as for all kinds below."""
    DESERT = "desert"
    MARSH = "marsh"
    ICE = "ice"
    MOUNTAIN = "mountain"
    """The feet of the peaks that cover impassable land."""
    GLACIER = "glacier"
    """The places of cracks in the ice that covers impassable land."""


COVERS = frozenset((FeatureKind.MOUNTAIN, FeatureKind.GLACIER))
"""The kinds that cover impassable land, which is hatched without them."""

CLIMATES = frozenset((FeatureKind.FOREST, FeatureKind.DESERT, FeatureKind.MARSH, FeatureKind.ICE))
SIGNS = CLIMATES | COVERS
"""The kinds whose points are places of signs."""


@dataclass(frozen=True, slots=True)
class Feature:
    """Something of the landscape that is only drawn.

    `points`: see `FeatureKind`. `name` may be empty. It is printed only with a `label`, the line
    under it from its start to its end.
    """

    kind: FeatureKind
    points: tuple[Point, ...]
    name: str = ""
    label: tuple[Point, Point] | None = None

    @property
    def printed_line(self) -> tuple[Point, Point] | None:
        """The line under the printed name; `None` if no name is printed."""
        if self.kind is FeatureKind.NAME:
            return self.points[0], self.points[-1]
        return self.label


@dataclass(frozen=True, slots=True)
class Chart:
    """A map as one value: what the judge needs (`board`) and what a drawing needs.

    `size` is width and height in map units. `scenery` are closed outlines of land without a
    province: impassable countries (also on the board's list) and nameless islets, each with its
    code or an empty string. `palette` has a `#rrggbb` color for each power. `seed` is the text
    the map was generated from (empty for a map drawn by hand), `maker` the generator and its
    version. `fairness` has measurements by name. `passages` are the borders of the board that
    no arc shows. In a `diagram`, provinces are disks, and lines show all borders. `title` is a line
    for the picture, e.g. `The Isles of Kalora`; it may be empty. `features` are only drawn.
    """

    world: str
    board: Board
    size: tuple[float, float]
    arcs: tuple[Arc, ...]
    shapes: tuple[Shape, ...]
    palette: Mapping[Power, str]
    scenery: tuple[tuple[str, tuple[Ring, ...]], ...] = ()
    relief: Relief | None = None
    seed: str = ""
    maker: str = "hand"
    fairness: Mapping[str, float] = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    diagram: bool = False
    title: str = ""
    features: tuple[Feature, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the mappings."""
        object.__setattr__(self, "palette", MappingProxyType(dict(sorted(self.palette.items()))))
        object.__setattr__(self, "fairness", MappingProxyType(dict(sorted(self.fairness.items()))))

    def outline(self, ring: Ring) -> tuple[Point, ...]:
        """Return the points around `ring`, not closed (the first is not repeated)."""
        return trace_ring(ring, self.arcs)

    def area(self, shape: Shape) -> float:
        """Return the area of `shape` in square map units: outer rings minus their holes."""
        areas = []
        for polygon in shape.polygons:
            for number, ring in enumerate(polygon):
                points = self.outline(ring)
                around = zip(points, (*points[1:], points[0]), strict=True)
                # An exact sum is the same on every computer.
                double = abs(fsum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around))
                areas.append(-double / 2 if number else double / 2)
        return fsum(areas)


def trace_ring(ring: Ring, arcs: Sequence[Arc]) -> tuple[Point, ...]:
    """Return the points around `ring`, not closed (the first is not repeated)."""
    points: list[Point] = []
    for ref in ring:
        line = arcs[ref].points if ref >= 0 else arcs[~ref].points[::-1]
        points.extend(line[:-1])
    return tuple(points)


_EDGE = 24.0
"""How far from the edge the middle of a name or unit must be, in map units."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle on a map, in map units: its left, top, right and bottom edges."""

    left: int
    top: int
    right: int
    bottom: int

    def move(self, point: Point) -> Point:
        """Return `point` of the whole map as a point of the cut map."""
        return round(point[0] - self.left, 1), round(point[1] - self.top, 1)

    def has_room(self, point: Point) -> bool:
        """Return whether a name or a unit may have its center at `point`."""
        x, y = point
        inside_x = self.left + _EDGE <= x <= self.right - _EDGE
        return inside_x and self.top + _EDGE / 2 <= y <= self.bottom - _EDGE / 2


# Marks that a person draws on a map: washes, hatches, arrows and pins with text.


class MarkKind(StrEnum):
    """The kinds of marks: a color over a province, lines over it, an arrow, a pin with text."""

    WASH = "wash"
    HATCH = "hatch"
    ARROW = "arrow"
    PIN = "pin"


INKS: Final = {"red": "#d4281e", "blue": "#2364d2", "green": "#1f8a3b", "gold": "#e0a100"}
"""The colors of marks by name. New ones go at the end, because texts contain their numbers."""
NOWHERE: Final = ProvinceCode("")
"""The target of marks that are not arrows."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a province; `ink` is the name of its color.

    `to` is the target of an arrow, blank for other marks; `text` is the text of a pin.
    """

    kind: MarkKind
    ink: str
    province: ProvinceCode
    to: ProvinceCode = NOWHERE
    text: str = ""


_MAX_CHARTS = 8
"""Of how many charts results are kept: each takes up to 10 MB."""
_kept: "dict[int, tuple[Chart, dict[object, Any]]]" = {}
"""The results of each function for the last charts, by the identity of the chart."""
_keeping = Lock()

Result = TypeVar("Result")


def cache_per_chart(function: Callable[[Chart], Result]) -> Callable[[Chart], Result]:
    """Return `function` with its results for the last charts cached: they are drawn every turn.

    Charts are recognized by identity, because comparing two takes longer than the work.
    """

    @wraps(function)
    def load_or_compute(chart: Chart) -> Result:
        entry = _kept.get(id(chart))
        # The cache holds the chart itself, so that its id cannot be reused by another chart.
        if entry is not None and entry[0] is chart and function in entry[1]:
            result: Result = entry[1][function]
            return result
        result = function(chart)
        with _keeping:
            _, results = _kept.pop(id(chart), (chart, {}))
            while len(_kept) >= _MAX_CHARTS:
                del _kept[next(iter(_kept))]
            _kept[id(chart)] = (chart, results)
            results[function] = result
        return result

    return load_or_compute
