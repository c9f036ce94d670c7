"""A chart: a board with the shapes to draw it; immutable and identified by its content.

Frame: map units, x to the right, y down, `(0, 0)` the top left corner of the map inside its
ornamental border. Coordinates have one decimal, so that text and value agree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import fsum
from types import MappingProxyType
from typing import TypeAlias

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode

Point: TypeAlias = tuple[float, float]

ArcRef: TypeAlias = int
"""The index of an arc; `~index` (negative) means the same arc in reverse."""

Ring: TypeAlias = tuple[ArcRef, ...]
"""Consecutive arcs around a closed outline."""

FORMAT = 1


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

    `points` is the line drawn, from the first of the `ends` to the second.
    """

    ends: tuple[Location, Location]
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A map as one value: what the judge needs (`board`) and what a drawing needs.

    `size` is width and height in map units. `scenery` are closed outlines of land without a
    province: impassable countries (also on the board's list) and nameless islets, each with its
    code or an empty string. `palette` has a `#rrggbb` color for each power. `seed` is the text
    the map was generated from (empty for a map drawn by hand), `maker` the generator and its
    version. `fairness` has measurements by name. `passages` are the borders of the board that
    no arc shows.
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

    def __post_init__(self) -> None:
        """Freeze the mappings."""
        object.__setattr__(self, "palette", MappingProxyType(dict(sorted(self.palette.items()))))
        object.__setattr__(self, "fairness", MappingProxyType(dict(sorted(self.fairness.items()))))

    def outline(self, ring: Ring) -> tuple[Point, ...]:
        """Return the points around `ring`, not closed (the first is not repeated)."""
        points: list[Point] = []
        for ref in ring:
            line = self.arcs[ref].points if ref >= 0 else self.arcs[~ref].points[::-1]
            points.extend(line[:-1])
        return tuple(points)

    def area(self, shape: Shape) -> float:
        """Return the area of `shape` in square map units: outer rings minus their holes."""
        rings = [
            (abs(_double_area(self.outline(ring))) / 2, bool(number))
            for polygon in shape.polygons
            for number, ring in enumerate(polygon)
        ]
        return fsum(-area if hole else area for area, hole in rings)


def _double_area(ring: Sequence[Point]) -> float:
    """Return twice the signed area inside `ring`; the same on every computer."""
    around = zip(ring, (*ring[1:], ring[0]), strict=True)
    return fsum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)
