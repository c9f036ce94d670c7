"""The types of a chart file that was read by `chart_schema` but is not yet known to be valid.

The members are those of the file; an invalid member of a list is replaced by `None`.
"""

from typing import TypedDict


class ProvinceData(TypedDict):
    """A province of the board."""

    code: str
    name: str | None
    terrain: str
    coasts: list[str | None]
    center: bool
    home: str | None
    aliases: list[str | None]


class BoardData(TypedDict):
    """The board, which is all that the judge needs."""

    v: int
    name: str
    powers: list[list[str] | None]
    provinces: list[ProvinceData | None]
    army_borders: list[list[str] | None]
    fleet_borders: list[list[str] | None]
    starts: list[list[str] | None]
    victory_centers: int | None
    first_year: int
    impassable: list[list[str] | None]


class ArcData(TypedDict):
    """A line between two shapes."""

    kind: str
    left: str | None
    right: str | None
    points: list[float]


class ShapeData(TypedDict, total=False):
    """The outline of a province, and where its name, units and star are drawn."""

    province: str
    polygons: list[list[list[int | None] | None] | None]
    label: list[float] | None
    label_lines: list[str | None]
    label_size: float | None
    units: dict[str, list[float]]
    dislodged: list[float] | None
    dislodged_coasts: dict[str, list[float]]
    star: list[float] | None


class PassageData(TypedDict):
    """A connection between two locations that share no line."""

    ends: list[str]
    points: list[float]


class ReliefData(TypedDict):
    """The elevation, for shading."""

    width: int
    height: int
    values: str


class ChartData(TypedDict, total=False):
    """A complete chart file."""

    v: int
    world: str
    board: BoardData
    size: list[float] | None
    arcs: list[ArcData | None]
    shapes: list[ShapeData | None]
    palette: dict[str, str]
    scenery: list[list[object] | None]
    passages: list[PassageData | None]
    relief: ReliefData | None
    seed: str
    maker: str
    fairness: dict[str, float]
