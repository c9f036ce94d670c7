"""A chart: a board with the shapes to draw it. Immutable, and addressed by its content.

Frame: map units, x to the right, y down, `(0, 0)` the top left corner of the map inside its
ornamental border. Coordinates are kept to one decimal, so that text and value agree.
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
"""Index of an arc; `~index` (negative) means the same arc walked backwards."""

Ring: TypeAlias = tuple[ArcRef, ...]
"""Arcs that follow one another around a closed outline."""

FORMAT = 1


class ArcKind(StrEnum):
    """What an arc divides."""

    COAST = "coast"
    """Land from water."""
    LAND = "land"
    """Two land provinces, impassable land included."""
    SEA = "sea"
    """Two seas."""
    FRAME = "frame"
    """A province from the edge of the map."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A line stored once and shared by the two shapes beside it.

    `points`: at least two, from start to end; a closed arc (an island alone in one sea)
    repeats its first point. `left` and `right` name the province on that side when walking
    from start to end with y down on the screen, `None` beyond the frame; the key of an
    impassable space may stand there too.
    """

    points: tuple[Point, ...]
    kind: ArcKind
    left: ProvinceCode | None
    right: ProvinceCode | None


@dataclass(frozen=True, slots=True)
class Anchors:
    """Where things stand in a province: center points, all inside it and clear of each other.

    `label` is the center of the printed name, `label_lines` that name split into lines and
    `label_size` its font size in map units (0: the name does not fit and the code is printed
    instead at the usual size). `units` gives a place per location (one per coast where
    split, and one under the bare code for an army); `dislodged` is the place for a unit
    driven out, beside the place of its attacker, and `dislodged_coasts` that of a fleet driven
    out on one of several coasts where it is another. `star` is None unless it is a center.
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
            held = MappingProxyType(dict(sorted(getattr(self, name).items())))
            object.__setattr__(self, name, held)

    def dislodged_at(self, location: Location) -> Point:
        """Return where a unit driven out of `location` stands."""
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
    """A way between two places that share no arc, such as straits through closed land.

    `points` is the line drawn, from the first of the `ends` to the second.
    """

    ends: tuple[Location, Location]
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A map as one value: what the judge needs (`board`) and what a drawing needs.

    `size` is width and height in map units. `scenery` are closed outlines of land that is
    nobody's: impassable countries (also on the board's list) and nameless islets; each with
    its code or an empty string. `palette` has a `#rrggbb` color per power. `seed` is the
    text the map was made from (empty for a hand-drawn one) and `maker` the generator and its
    version. `fairness` are measured figures by name. `passages` are the borders of the board
    that no arc shows.
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
        """Return the area of `shape` in square map units: outer rings less their holes."""
        rings = [
            (abs(_doubled(self.outline(ring))) / 2, bool(number))
            for polygon in shape.polygons
            for number, ring in enumerate(polygon)
        ]
        return fsum(-area if hole else area for area, hole in rings)


def _doubled(ring: Sequence[Point]) -> float:
    """Return twice the area within `ring`, signed by its orientation; the same on any machine."""
    around = zip(ring, (*ring[1:], ring[0]), strict=True)
    return fsum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)
