"""The schema of a chart file, version 1: every member with its type, range and meaning.

`schemas/map.schema.json` and `schemas/board.schema.json` are generated from it; `chart_data` has
the types of the result.
"""

from diplomaccloud.atlas.chart import FORMAT, ArcKind
from diplomaccloud.atlas.validation.compound_schemas import (
    ListOf,
    MapOf,
    Member,
    Nullable,
    Object,
    Points,
    Tuple,
)
from diplomaccloud.atlas.validation.schemas import Boolean, Choice, Number, Text
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
LOCATION = f"{CODE}(/[A-Z]{{2}})?"
POWER = "[A-Z][A-Z0-9_]{0,31}"
COAST = "[A-Z]{2}"


def _name_text(about: str = "") -> Text:
    return Text(min_length=1, tidy=True, about=about)


def _code_text(about: str = "") -> Text:
    return Text(CODE, max_length=6, about=about)


def _location_text(about: str = "") -> Text:
    return Text(LOCATION, max_length=9, about=about)


def _power_text(about: str = "") -> Text:
    return Text(POWER, max_length=32, about=about)


def _point(about: str) -> Tuple:
    coordinate = Number(-MAX_COORDINATE, MAX_COORDINATE)
    return Tuple([coordinate, coordinate], about=about)


def _integer(low: int, high: int, about: str) -> Number:
    return Number(low, high, whole=True, about=about)


def _with_default(
    schema: Text | Number | Tuple | Nullable | Boolean, default: object = None
) -> Member:
    return Member(schema, has_default=True, default=default)


_PROVINCE = Object(
    {
        "code": Member(_code_text("Capital letters and digits, unique; usually three letters.")),
        "name": _with_default(_name_text("The printed name, unique.")),
        "terrain": Member(Choice([*Terrain], about="inland, coastal or sea.")),
        "coasts": Member(
            ListOf(
                Text(COAST, max_length=2),
                max_items=8,
                about='Empty unless there are several: ["NC", "SC"].',
            )
        ),
        "center": _with_default(Boolean(about="Whether this is a supply center."), default=False),
        "home": _with_default(
            Nullable(_power_text(), about="The power for which this is a home province.")
        ),
        "aliases": Member(
            ListOf(_name_text(), max_items=40, about="Other spellings that orders may use.")
        ),
    },
    about="A province.",
)

_BOARD = Object(
    {
        "v": Member(_integer(BOARD_FORMAT, BOARD_FORMAT, "Version of the board format.")),
        "name": _with_default(_name_text("Name of the board."), default="board"),
        "powers": Member(
            ListOf(
                Tuple(
                    [
                        _power_text("Key."),
                        _name_text("Name: Austria."),
                        _name_text("Adjective: Austrian."),
                    ]
                ),
                min_items=1,
                max_items=26,
                about="The powers, in order.",
            )
        ),
        "provinces": Member(
            ListOf(
                _PROVINCE,
                min_items=1,
                max_items=MAX_PROVINCES,
                about="All provinces, including seas.",
            )
        ),
        "army_borders": Member(
            ListOf(
                Tuple([_code_text(), _code_text()]),
                max_items=MAX_ARCS,
                about="Pairs of provinces between which armies can move, each pair once.",
            )
        ),
        "fleet_borders": Member(
            ListOf(
                Tuple([_location_text(), _location_text()]),
                max_items=MAX_ARCS,
                about="Pairs of locations between which fleets can move; coasts as STP/SC.",
            )
        ),
        "starts": Member(
            ListOf(
                Tuple([_power_text(), Choice([*UnitKind]), _location_text()]),
                max_items=MAX_PROVINCES,
                about="The starting units: power, A or F, location.",
            )
        ),
        "victory_centers": _with_default(
            _integer(1, MAX_PROVINCES, "Number of centers needed to win.")
        ),
        "first_year": _with_default(_integer(0, 9999, "The first year of a game."), default=1901),
        "impassable": Member(
            ListOf(
                Tuple([_code_text("Code."), _name_text("Name.")]),
                max_items=MAX_PROVINCES,
                about="Spaces that no unit may enter.",
            )
        ),
    },
    about="The board as the judge needs it, without geometry.",
)

_REF = _integer(-MAX_ARCS, MAX_ARCS - 1, "Index of an arc; -1-i means arc i in reverse.")
_RING = ListOf(_REF, min_items=1, max_items=2_000, about="Arcs that together go around an outline.")

_ARC = Object(
    {
        "kind": Member(Choice([*ArcKind], about="coast, land, sea or frame.")),
        "left": Member(
            Nullable(_code_text(), about="The province on the left, seen from start to end.")
        ),
        "right": Member(
            Nullable(_code_text(), about="The province on the right, seen from start to end.")
        ),
        "points": Member(
            Points(
                MAX_COORDINATE, about="x and y alternating; a closed arc repeats its first point."
            )
        ),
    },
    about="A line that is stored once and shared by the two shapes next to it.",
)

_SHAPE = Object(
    {
        "province": Member(_code_text("The province with this outline.")),
        "polygons": Member(
            ListOf(
                ListOf(_RING, min_items=1, max_items=500, about="An outer ring, then its holes."),
                min_items=1,
                max_items=500,
                about="Polygons, the largest first.",
            )
        ),
        "label": _with_default(_point("Center of the printed name.")),
        "label_lines": Member(
            ListOf(_name_text(), max_items=8, about="The name, split into lines.")
        ),
        "label_size": _with_default(
            Number(0, 1000, about="Font size in map units; 0 prints the code instead.")
        ),
        "units": Member(
            MapOf(
                _location_text(),
                _point("Center of a unit."),
                max_items=16,
                about="A place for each location.",
            )
        ),
        "dislodged": _with_default(_point("Center of a dislodged unit.")),
        "dislodged_coasts": Member(
            MapOf(
                _location_text(),
                _point("Center of a dislodged fleet."),
                max_items=16,
                about="Other centers for fleets dislodged from a coast.",
            ),
            optional=True,
            has_default=True,
            default={},
        ),
        "star": _with_default(
            Nullable(
                _point("Center of a supply center's star."),
                about="Null unless the province is a supply center.",
            )
        ),
    },
    about="How a province is drawn.",
)

_PASSAGE = Object(
    {
        "ends": Member(
            Tuple(
                [_location_text(), _location_text()],
                about="The two locations, a pair of the board.",
            )
        ),
        "points": Member(
            Points(MAX_COORDINATE, about="The drawn line, from the first to the second.")
        ),
    },
    about="A connection between two locations that share no arc, drawn as a dotted line.",
)

_RELIEF = Object(
    {
        "width": Member(_integer(1, 4096, "Columns.")),
        "height": Member(_integer(1, 4096, "Rows.")),
        "values": Member(
            Text(
                "[A-Za-z0-9+/]*=*",
                max_length=MAX_FILE_SIZE,
                about="Heights from 0 to 255, row by row, base64.",
            )
        ),
    },
    about="Elevation of the land, for shading; the grid covers the whole map.",
)

CHART = Object(
    {
        "v": Member(_integer(FORMAT, FORMAT, "Version of this format.")),
        "world": _with_default(Text(about="Name of the map."), default=""),
        "board": Member(_BOARD),
        "size": _with_default(
            Tuple(
                [Number(1, MAX_COORDINATE), Number(1, MAX_COORDINATE)],
                about="Width and height in map units.",
            )
        ),
        "arcs": Member(ListOf(_ARC, max_items=MAX_ARCS, about="All lines of the map.")),
        "shapes": Member(
            ListOf(_SHAPE, max_items=MAX_PROVINCES, about="Each province of the board once.")
        ),
        "palette": Member(
            MapOf(
                _power_text(),
                Text("#[0-9a-f]{6}", max_length=7),
                max_items=26,
                about="Color of each power.",
            )
        ),
        "scenery": Member(
            ListOf(
                Tuple(
                    [Text(f"({CODE})?", max_length=6), ListOf(_RING, min_items=1, max_items=500)]
                ),
                max_items=4_000,
                about="Land without a province: the code of an impassable space, or an empty"
                " string for a nameless islet, and its rings.",
            )
        ),
        "passages": Member(
            ListOf(_PASSAGE, max_items=100, about="Connections that no line of the map shows."),
            optional=True,
            has_default=True,
            default=[],
        ),
        "relief": _with_default(Nullable(_RELIEF)),
        "seed": _with_default(
            Text(
                max_length=200, about="The seed of a generated map; empty for a map drawn by hand."
            ),
            default="",
        ),
        "maker": _with_default(
            _name_text("The generator and its version, or hand."), default="hand"
        ),
        "fairness": Member(
            MapOf(
                Text("[a-z][a-z0-9_]{0,63}", max_length=64),
                Number(-1e12, 1e12),
                max_items=200,
                about="Measurements by name.",
            )
        ),
    },
    about="A map for Diplomacy: the board and its shapes.",
)


_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> Json:
    """Return the JSON Schema of a chart file."""
    return {
        "$schema": _DRAFT,
        "$id": f"urn:diplomaccloud:schema:map:{FORMAT}",
        "title": f"Diplomaccloud map, version {FORMAT}",
        **CHART.describe(),
    }


def board_schema() -> Json:
    """Return the JSON Schema of a board."""
    return {
        "$schema": _DRAFT,
        "$id": f"urn:diplomaccloud:schema:board:{BOARD_FORMAT}",
        "title": f"Diplomaccloud board, version {BOARD_FORMAT}",
        **_BOARD.describe(),
    }
