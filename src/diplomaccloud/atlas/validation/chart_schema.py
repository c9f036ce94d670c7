"""The schema of a chart file, versions 1 and 2: every member with its type, range and meaning.

`atlas/map.schema.json` and `judge/board.schema.json` are generated from it. The docstrings of
the classes and the texts behind the schemas are the descriptions there.

A value of these types was read but is not yet known to be valid: an invalid member of a list is
`None`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, TypedDict, TypeVar

from diplomaccloud.atlas.validation.schemas import (
    Boolean,
    Choice,
    Default,
    Integer,
    ListOf,
    MapOf,
    Nullable,
    Number,
    Object,
    Points,
    Text,
    Tuple,
)
from diplomaccloud.judge.board import MAX_POWERS, BorderKind, Terrain, UnitKind
from diplomaccloud.judge.codec import (
    BOARD_VERSIONS,
    LATER_BOARD_MEMBERS,
    LATER_PROVINCE_MEMBERS,
    LATER_RULE_KINDS,
    LATER_RULE_MEMBERS,
    Json,
)
from diplomaccloud.judge.drawing.chart import FORMATS, ArcKind, FeatureKind
from diplomaccloud.judge.drawing.map_file import (
    LATER_MEMBERS,
    MAX_ARCS,
    MAX_COORDINATE,
    MAX_FEATURE_NAME,
    MAX_FEATURES,
    MAX_FILE_SIZE,
    MAX_PROVINCES,
    MAX_SIGNS,
    MAX_TITLE,
)

_CODE = Text("[A-Z][A-Z0-9]{1,5}", 6)
_LOCATION = Text("[A-Z][A-Z0-9]{1,5}(/[A-Z]{2})?", 9)
_POWER = Text("[A-Z][A-Z0-9_]{0,31}", 32)
_NAME = Text(tidy=True)
_COORDINATE = Number(-MAX_COORDINATE, MAX_COORDINATE)
_POINT = Tuple([_COORDINATE, _COORDINATE])
_LINE = Points(_COORDINATE, 8_000, 4)
_ARC = Integer(-MAX_ARCS, MAX_ARCS - 1, about="Index of an arc; -1-i means arc i in reverse.")
_RING = ListOf(_ARC, 2_000, 1, about="Arcs that together go around an outline.")
_POLYGON = ListOf(_RING, 500, 1)


class ProvinceData(TypedDict):
    """A province."""

    code: Annotated[str, _CODE, "Capital letters and digits, unique; usually three letters."]
    name: Annotated[str | None, _NAME, "The printed name, unique.", Default()]
    terrain: Annotated[str, Choice([*Terrain]), "inland, coastal or sea."]
    coasts: Annotated[
        list[str | None],
        ListOf(Text("[A-Z]{2}", 2), 8),
        'Empty unless there are several: ["NC", "SC"].',
    ]
    center: Annotated[bool, Boolean(), "Whether this is a supply center.", Default(value=False)]
    home: Annotated[
        str | None, Nullable(_POWER), "The power for which this is a home province.", Default()
    ]
    aliases: Annotated[list[str | None], ListOf(_NAME, 40), "Other spellings that orders may use."]


BorderRuleData = TypedDict(
    "BorderRuleData",
    {
        "kind": Annotated[str, Choice([*BorderKind], later=LATER_RULE_KINDS), "closed or river."],
        "from": Annotated[str, _LOCATION, "A province; for a river, where a fleet stands: STP/SC."],
        "to": Annotated[str, _LOCATION, "The same on the other side of the line."],
        "units": Annotated[
            list[str | None],
            ListOf(Choice([*UnitKind]), len(UnitKind), 1),
            "The units that do not pass a closed border: A, F, or both in this order.",
            Default([], optional=True),
        ],
    },
)


class BoardData(TypedDict):
    """The board as the judge needs it, without geometry."""

    v: Annotated[int, Integer(1, BOARD_VERSIONS[-1]), "Version of the board format."]
    name: Annotated[str, _NAME, "Name of the board.", Default("board")]
    powers: Annotated[
        list[list[str] | None],
        ListOf(
            Tuple(
                [
                    _POWER.with_about("Key."),
                    _NAME.with_about("Name: Austria."),
                    _NAME.with_about("Adjective: Austrian."),
                ]
            ),
            MAX_POWERS,
            1,
        ),
        "The powers, in order.",
    ]
    provinces: Annotated[
        list[ProvinceData | None],
        ListOf(Object.of(ProvinceData, LATER_PROVINCE_MEMBERS), MAX_PROVINCES, 1),
        "All provinces, including seas.",
    ]
    army_borders: Annotated[
        list[list[str] | None],
        ListOf(Tuple([_CODE, _CODE]), MAX_ARCS),
        "Pairs of provinces between which armies can move, each pair once.",
    ]
    fleet_borders: Annotated[
        list[list[str] | None],
        ListOf(Tuple([_LOCATION, _LOCATION]), MAX_ARCS),
        "Pairs of locations between which fleets can move; coasts as STP/SC.",
    ]
    starts: Annotated[
        list[list[str] | None],
        ListOf(
            Tuple(
                [replace(_POWER, later="a unit without a power"), Choice([*UnitKind]), _LOCATION]
            ),
            MAX_PROVINCES,
        ),
        "The starting units: power, A or F, location.",
    ]
    victory_centers: Annotated[
        int | None, Integer(1, MAX_PROVINCES), "Number of centers needed to win.", Default()
    ]
    first_year: Annotated[int, Integer(0, 9999), "The first year of a game.", Default(1901)]
    impassable: Annotated[
        list[list[str] | None],
        ListOf(Tuple([_CODE.with_about("Code."), _NAME.with_about("Name.")]), MAX_PROVINCES),
        "Spaces that no unit may enter.",
    ]
    border_rules: Annotated[
        list[BorderRuleData | None],
        ListOf(
            Object.of(BorderRuleData, LATER_RULE_MEMBERS).with_about(
                "Why two provinces that touch have no border, or one along a river."
            ),
            MAX_ARCS,
        ),
        "Closed borders and rivers; since version 2.",
        Default([], optional=True),
    ]


class ArcData(TypedDict):
    """A line that is stored once and shared by the two shapes next to it."""

    kind: Annotated[str, Choice([*ArcKind]), "coast, land, sea or frame."]
    left: Annotated[
        str | None, Nullable(_CODE), "The province on the left, seen from start to end."
    ]
    right: Annotated[
        str | None, Nullable(_CODE), "The province on the right, seen from start to end."
    ]
    points: Annotated[
        list[float], _LINE, "x and y alternating; a closed arc repeats its first point."
    ]


class ShapeData(TypedDict):
    """How a province is drawn."""

    province: Annotated[str, _CODE, "The province with this outline."]
    polygons: Annotated[
        list[list[list[int | None] | None] | None],
        ListOf(_POLYGON.with_about("An outer ring, then its holes."), 500, 1),
        "Polygons, the largest first.",
    ]
    label: Annotated[list[float] | None, _POINT, "Center of the printed name.", Default()]
    label_lines: Annotated[list[str | None], ListOf(_NAME, 8), "The name, split into lines."]
    label_size: Annotated[
        float | None,
        Number(0, 1000),
        "Font size in map units; 0 prints the code instead.",
        Default(),
    ]
    units: Annotated[
        dict[str, list[float]],
        MapOf(_LOCATION, _POINT.with_about("Center of a unit."), 16),
        "A place for each location.",
    ]
    dislodged: Annotated[list[float] | None, _POINT, "Center of a dislodged unit.", Default()]
    dislodged_coasts: Annotated[
        dict[str, list[float]],
        MapOf(_LOCATION, _POINT.with_about("Center of a dislodged fleet."), 16),
        "Other centers for fleets dislodged from a coast.",
        Default({}, optional=True),
    ]
    star: Annotated[
        list[float] | None,
        Nullable(_POINT.with_about("Center of a supply center's star.")),
        "Null unless the province is a supply center.",
        Default(),
    ]


class PassageData(TypedDict):
    """A connection between two locations that share no arc, drawn as a dotted line."""

    ends: Annotated[
        list[str], Tuple([_LOCATION, _LOCATION]), "The two locations, a pair of the board."
    ]
    points: Annotated[list[float], _LINE, "The drawn line, from the first to the second."]
    mark: Annotated[
        str,
        Text("[A-Z]", 1),
        "A letter: the line leaves the map at one edge and returns at another; since version 2.",
        Default("", optional=True),
    ]


class FeatureData(TypedDict):
    """Something of the landscape that is only drawn, and means nothing in play."""

    kind: Annotated[str, Choice([*FeatureKind]), "river, lake, only a name, or signs of a climate."]
    points: Annotated[
        list[float],
        Points(_COORDINATE, 2 * MAX_SIGNS, 2),
        "x and y alternating: a line, for a lake its outline, or the places of signs.",
    ]
    name: Annotated[
        str,
        Text(max_length=MAX_FEATURE_NAME, tidy=True),
        "Its name, unique.",
        Default("", optional=True),
    ]
    label: Annotated[
        list[float] | None,
        Tuple([_COORDINATE] * 4),
        "x and y of the start and of the end of the printed name; without it, none is printed.",
        Default(None, optional=True),
    ]


class ReliefData(TypedDict):
    """Elevation of the land, for shading; the grid covers the whole map."""

    width: Annotated[int, Integer(1, 4096), "Columns."]
    height: Annotated[int, Integer(1, 4096), "Rows."]
    values: Annotated[
        str, Text("[A-Za-z0-9+/]*=*", MAX_FILE_SIZE), "Heights from 0 to 255, row by row, base64."
    ]


class ChartData(TypedDict):
    """A map for Diplomacy: the board and its shapes."""

    v: Annotated[int, Integer(1, FORMATS[-1]), "Version of this format."]
    world: Annotated[str, Text(), "Name of the map.", Default("")]
    board: Annotated[BoardData, Object.of(BoardData, LATER_BOARD_MEMBERS)]
    size: Annotated[
        list[float] | None,
        Tuple([Number(1, MAX_COORDINATE), Number(1, MAX_COORDINATE)]),
        "Width and height in map units.",
        Default(),
    ]
    arcs: Annotated[
        list[ArcData | None], ListOf(Object.of(ArcData), MAX_ARCS), "All lines of the map."
    ]
    shapes: Annotated[
        list[ShapeData | None],
        ListOf(Object.of(ShapeData), MAX_PROVINCES),
        "Each province of the board once.",
    ]
    palette: Annotated[
        dict[str, str], MapOf(_POWER, Text("#[0-9a-f]{6}", 7), MAX_POWERS), "Color of each power."
    ]
    scenery: Annotated[
        list[list[object] | None],
        ListOf(Tuple([Text("([A-Z][A-Z0-9]{1,5})?", 6), _POLYGON]), 4_000),
        "Land without a province: the code of an impassable space, or an empty string for a"
        " nameless islet, and its rings.",
    ]
    passages: Annotated[
        list[PassageData | None],
        ListOf(Object.of(PassageData), 100),
        "Connections that no line of the map shows.",
        Default([], optional=True),
    ]
    title: Annotated[
        str,
        Text(max_length=MAX_TITLE, tidy=True),
        "A line for the picture, like The Isles of Kalora; since version 2.",
        Default("", optional=True),
    ]
    features: Annotated[
        list[FeatureData | None],
        ListOf(Object.of(FeatureData), MAX_FEATURES),
        "What is only drawn: rivers, lakes, names of ranges, and signs; since version 2.",
        Default([], optional=True),
    ]
    relief: Annotated[ReliefData | None, Nullable(Object.of(ReliefData)), Default()]
    seed: Annotated[
        str,
        Text("", 200),
        "The seed of a generated map; empty for a map drawn by hand.",
        Default(""),
    ]
    maker: Annotated[
        str,
        _NAME,
        "The generator and its version, or hand; then details, such as the landform.",
        Default("hand"),
    ]
    fairness: Annotated[
        dict[str, float],
        MapOf(Text("[a-z][a-z0-9_]{0,63}", 64), Number(-1e12, 1e12), 200),
        "Measurements by name.",
    ]


CHART = Object.of(ChartData, LATER_MEMBERS)

_T = TypeVar("_T")


def skip_invalid(values: Iterable[_T | None]) -> Iterator[_T]:
    """Yield the members of a list that could be read."""
    return (value for value in values if value is not None)


def enumerate_valid(values: Iterable[_T | None]) -> Iterator[tuple[int, _T]]:
    """Yield the members of a list that could be read, with their indices in the file."""
    return ((i, value) for i, value in enumerate(values) if value is not None)


def json_schema() -> Json:
    """Return the JSON Schema of a chart file."""
    return _publish("map", FORMATS[-1], CHART)


def board_schema() -> Json:
    """Return the JSON Schema of a board."""
    return _publish("board", BOARD_VERSIONS[-1], Object.of(BoardData))


def _publish(name: str, version: int, schema: Object) -> Json:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:diplomaccloud:schema:{name}:{version}",
        "title": f"Diplomaccloud {name}, version {version}",
        **schema.describe(),
    }
