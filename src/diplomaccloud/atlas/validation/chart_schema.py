"""The schema of a chart file, version 1: every member with its type, range and meaning.

`schemas/map.schema.json` and `schemas/board.schema.json` are generated from it. The docstrings of
the classes and the texts after the patterns are the descriptions there.

A value of these types was read but is not yet known to be valid: an invalid member of a list is
`None`.
"""

from typing import Annotated, TypedDict

from diplomaccloud.atlas.chart import FORMAT, ArcKind
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
from diplomaccloud.judge.board import Terrain, UnitKind
from diplomaccloud.judge.codec.boards import VERSION as BOARD_FORMAT
from diplomaccloud.judge.codec.reader import Json

MAX_FILE_SIZE = 8_000_000
"""The limit in bytes or characters; longer files are rejected unread."""

MAX_PROVINCES = 512
"""The limit of the judge."""

MAX_ARCS = 8_000
MAX_POINTS = 150_000
"""The limit for all arcs together; a generated map of 400 provinces has 50,000."""

MAX_COORDINATE = 100_000.0
"""The largest coordinate, in map units."""

CODE = "[A-Z][A-Z0-9]{1,5}"


def _name(about: str = "") -> Text:
    return Text(tidy=True, about=about)


def _code(about: str = "") -> Text:
    return Text(CODE, max_length=6, about=about)


def _location(about: str = "") -> Text:
    return Text(f"{CODE}(/[A-Z]{{2}})?", max_length=9, about=about)


def _power(about: str = "") -> Text:
    return Text("[A-Z][A-Z0-9_]{0,31}", max_length=32, about=about)


_COORDINATE = Number(-MAX_COORDINATE, MAX_COORDINATE)


def _point(about: str) -> Tuple:
    return Tuple([_COORDINATE, _COORDINATE], about=about)


def _places(value: str, about: str) -> MapOf:
    return MapOf(_location(), _point(value), max_items=16, about=about)


class ProvinceData(TypedDict):
    """A province."""

    code: Annotated[str, _code("Capital letters and digits, unique; usually three letters.")]
    name: Annotated[str | None, _name("The printed name, unique."), Default()]
    terrain: Annotated[str, Choice([*Terrain], about="inland, coastal or sea.")]
    coasts: Annotated[
        list[str | None],
        ListOf(
            Text("[A-Z]{2}", max_length=2),
            max_items=8,
            about='Empty unless there are several: ["NC", "SC"].',
        ),
    ]
    center: Annotated[bool, Boolean(about="Whether this is a supply center."), Default(value=False)]
    home: Annotated[
        str | None,
        Nullable(_power(), about="The power for which this is a home province."),
        Default(),
    ]
    aliases: Annotated[
        list[str | None],
        ListOf(_name(), max_items=40, about="Other spellings that orders may use."),
    ]


class BoardData(TypedDict):
    """The board as the judge needs it, without geometry."""

    v: Annotated[int, Integer(BOARD_FORMAT, BOARD_FORMAT, about="Version of the board format.")]
    name: Annotated[str, _name("Name of the board."), Default("board")]
    powers: Annotated[
        list[list[str] | None],
        ListOf(
            Tuple([_power("Key."), _name("Name: Austria."), _name("Adjective: Austrian.")]),
            min_items=1,
            max_items=26,
            about="The powers, in order.",
        ),
    ]
    provinces: Annotated[
        list[ProvinceData | None],
        ListOf(
            Object.of(ProvinceData),
            min_items=1,
            max_items=MAX_PROVINCES,
            about="All provinces, including seas.",
        ),
    ]
    army_borders: Annotated[
        list[list[str] | None],
        ListOf(
            Tuple([_code(), _code()]),
            max_items=MAX_ARCS,
            about="Pairs of provinces between which armies can move, each pair once.",
        ),
    ]
    fleet_borders: Annotated[
        list[list[str] | None],
        ListOf(
            Tuple([_location(), _location()]),
            max_items=MAX_ARCS,
            about="Pairs of locations between which fleets can move; coasts as STP/SC.",
        ),
    ]
    starts: Annotated[
        list[list[str] | None],
        ListOf(
            Tuple([_power(), Choice([*UnitKind]), _location()]),
            max_items=MAX_PROVINCES,
            about="The starting units: power, A or F, location.",
        ),
    ]
    victory_centers: Annotated[
        int | None,
        Integer(1, MAX_PROVINCES, about="Number of centers needed to win."),
        Default(),
    ]
    first_year: Annotated[int, Integer(0, 9999, about="The first year of a game."), Default(1901)]
    impassable: Annotated[
        list[list[str] | None],
        ListOf(
            Tuple([_code("Code."), _name("Name.")]),
            max_items=MAX_PROVINCES,
            about="Spaces that no unit may enter.",
        ),
    ]


_RING = ListOf(
    Integer(-MAX_ARCS, MAX_ARCS - 1, about="Index of an arc; -1-i means arc i in reverse."),
    min_items=1,
    max_items=2_000,
    about="Arcs that together go around an outline.",
)


class ArcData(TypedDict):
    """A line that is stored once and shared by the two shapes next to it."""

    kind: Annotated[str, Choice([*ArcKind], about="coast, land, sea or frame.")]
    left: Annotated[
        str | None,
        Nullable(_code(), about="The province on the left, seen from start to end."),
    ]
    right: Annotated[
        str | None,
        Nullable(_code(), about="The province on the right, seen from start to end."),
    ]
    points: Annotated[
        list[float],
        Points(_COORDINATE, about="x and y alternating; a closed arc repeats its first point."),
    ]


class ShapeData(TypedDict):
    """How a province is drawn."""

    province: Annotated[str, _code("The province with this outline.")]
    polygons: Annotated[
        list[list[list[int | None] | None] | None],
        ListOf(
            ListOf(_RING, min_items=1, max_items=500, about="An outer ring, then its holes."),
            min_items=1,
            max_items=500,
            about="Polygons, the largest first.",
        ),
    ]
    label: Annotated[list[float] | None, _point("Center of the printed name."), Default()]
    label_lines: Annotated[
        list[str | None],
        ListOf(_name(), max_items=8, about="The name, split into lines."),
    ]
    label_size: Annotated[
        float | None,
        Number(0, 1000, about="Font size in map units; 0 prints the code instead."),
        Default(),
    ]
    units: Annotated[
        dict[str, list[float]],
        _places("Center of a unit.", "A place for each location."),
    ]
    dislodged: Annotated[list[float] | None, _point("Center of a dislodged unit."), Default()]
    dislodged_coasts: Annotated[
        dict[str, list[float]],
        _places("Center of a dislodged fleet.", "Other centers for fleets dislodged from a coast."),
        Default({}, optional=True),
    ]
    star: Annotated[
        list[float] | None,
        Nullable(
            _point("Center of a supply center's star."),
            about="Null unless the province is a supply center.",
        ),
        Default(),
    ]


class PassageData(TypedDict):
    """A connection between two locations that share no arc, drawn as a dotted line."""

    ends: Annotated[
        list[str],
        Tuple([_location(), _location()], about="The two locations, a pair of the board."),
    ]
    points: Annotated[
        list[float], Points(_COORDINATE, about="The drawn line, from the first to the second.")
    ]


class ReliefData(TypedDict):
    """Elevation of the land, for shading; the grid covers the whole map."""

    width: Annotated[int, Integer(1, 4096, about="Columns.")]
    height: Annotated[int, Integer(1, 4096, about="Rows.")]
    values: Annotated[
        str,
        Text(
            "[A-Za-z0-9+/]*=*",
            max_length=MAX_FILE_SIZE,
            about="Heights from 0 to 255, row by row, base64.",
        ),
    ]


class ChartData(TypedDict):
    """A map for Diplomacy: the board and its shapes."""

    v: Annotated[int, Integer(FORMAT, FORMAT, about="Version of this format.")]
    world: Annotated[str, Text(about="Name of the map."), Default("")]
    board: Annotated[BoardData, Object.of(BoardData)]
    size: Annotated[
        list[float] | None,
        Tuple(
            [Number(1, MAX_COORDINATE), Number(1, MAX_COORDINATE)],
            about="Width and height in map units.",
        ),
        Default(),
    ]
    arcs: Annotated[
        list[ArcData | None],
        ListOf(Object.of(ArcData), max_items=MAX_ARCS, about="All lines of the map."),
    ]
    shapes: Annotated[
        list[ShapeData | None],
        ListOf(
            Object.of(ShapeData),
            max_items=MAX_PROVINCES,
            about="Each province of the board once.",
        ),
    ]
    palette: Annotated[
        dict[str, str],
        MapOf(
            _power(), Text("#[0-9a-f]{6}", max_length=7), max_items=26, about="Color of each power."
        ),
    ]
    scenery: Annotated[
        list[list[object] | None],
        ListOf(
            Tuple([Text(f"({CODE})?", max_length=6), ListOf(_RING, min_items=1, max_items=500)]),
            max_items=4_000,
            about="Land without a province: the code of an impassable space, or an empty string"
            " for a nameless islet, and its rings.",
        ),
    ]
    passages: Annotated[
        list[PassageData | None],
        ListOf(
            Object.of(PassageData),
            max_items=100,
            about="Connections that no line of the map shows.",
        ),
        Default([], optional=True),
    ]
    relief: Annotated[ReliefData | None, Nullable(Object.of(ReliefData)), Default()]
    seed: Annotated[
        str,
        Text(max_length=200, about="The seed of a generated map; empty for a map drawn by hand."),
        Default(""),
    ]
    maker: Annotated[str, _name("The generator and its version, or hand."), Default("hand")]
    fairness: Annotated[
        dict[str, float],
        MapOf(
            Text("[a-z][a-z0-9_]{0,63}", max_length=64),
            Number(-1e12, 1e12),
            max_items=200,
            about="Measurements by name.",
        ),
    ]


CHART = Object.of(ChartData)


def json_schema() -> Json:
    """Return the JSON Schema of a chart file."""
    return _publish("map", FORMAT, CHART)


def board_schema() -> Json:
    """Return the JSON Schema of a board."""
    return _publish("board", BOARD_FORMAT, Object.of(BoardData))


def _publish(name: str, version: int, schema: Object) -> Json:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:diplomaccloud:schema:{name}:{version}",
        "title": f"Diplomaccloud {name}, version {version}",
        **schema.describe(),
    }
