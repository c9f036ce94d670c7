"""What reading a chart file by `chart_schema` gives, before it is known to be without fault.

The members are those of the file; a faulty member of a list has become None.
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
    """The board: what the judge needs."""

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
    """The outline of a province and the places in it."""

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
    """A way between two places that share no line."""

    ends: list[str]
    points: list[float]


class ReliefData(TypedDict):
    """Heights for shading."""

    width: int
    height: int
    values: str


class ChartData(TypedDict, total=False):
    """A whole chart file."""

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
