"""The form of a chart file, version 1: every member, its type, range and meaning.

`docs/map-format.schema.json` is written from here; `chart_data` has what reading gives.
"""

from diplomaccloud.atlas.chart import FORMAT, ArcKind
from diplomaccloud.atlas.validation.compound_schemas import (
    Entries,
    Listed,
    Maybe,
    Member,
    Points,
    Record,
    Row,
)
from diplomaccloud.atlas.validation.schemas import Choice, Number, Text, Truth
from diplomaccloud.judge.board import Terrain, UnitKind
from diplomaccloud.judge.codec.boards import VERSION as BOARD_FORMAT
from diplomaccloud.judge.codec.reader import Json

MOST_TEXT = 8_000_000
"""A longer file is refused unread: bytes, or characters."""

MOST_PROVINCES = 512
"""The judge is made for so many."""

MOST_ARCS = 8_000
MOST_POINTS = 150_000
"""Of all arcs together; a generated map of 400 provinces has 50,000."""

LARGEST = 100_000.0
"""The largest coordinate, in map units."""

CODE = "[A-Z][A-Z0-9]{1,5}"
LOCATION = f"{CODE}(/[A-Z]{{2}})?"
POWER = "[A-Z][A-Z0-9_]{0,31}"
COAST = "[A-Z]{2}"


def _name(about: str = "", most: int = 80) -> Text:
    return Text(least=1, most=most, tidy=True, about=about)


def _code(about: str = "") -> Text:
    return Text(CODE, most=6, about=about)


def _place(about: str = "") -> Text:
    return Text(LOCATION, most=9, about=about)


def _power(about: str = "") -> Text:
    return Text(POWER, most=32, about=about)


def _point(about: str) -> Row:
    coordinate = Number(-LARGEST, LARGEST)
    return Row([coordinate, coordinate], about=about)


def _whole(low: int, high: int, about: str) -> Number:
    return Number(low, high, whole=True, about=about)


def _spare(form: Text | Number | Row | Maybe | Truth, spare: object = None) -> Member:
    return Member(form, has_spare=True, spare=spare)


_PROVINCE = Record(
    {
        "code": Member(_code("Capitals and digits, unique; three letters by custom.")),
        "name": _spare(_name("As printed, unique.")),
        "terrain": Member(Choice([*Terrain], about="inland, coastal or sea.")),
        "coasts": Member(
            Listed(Text(COAST, most=2), most=8, about='Empty unless split: ["NC", "SC"].')
        ),
        "center": _spare(Truth(about="Whether it is a supply center."), spare=False),
        "home": _spare(Maybe(_power(), about="The power whose home country this is.")),
        "aliases": Member(Listed(_name(), most=40, about="Further spellings taken in orders.")),
    },
    about="One space.",
)

_BOARD = Record(
    {
        "v": Member(_whole(BOARD_FORMAT, BOARD_FORMAT, "Version of the board's form.")),
        "name": _spare(_name("Name of the board."), spare="board"),
        "powers": Member(
            Listed(
                Row([_power("Key."), _name("Name: Austria."), _name("Adjective: Austrian.")]),
                least=1,
                most=26,
                about="The powers in their order.",
            )
        ),
        "provinces": Member(
            Listed(_PROVINCE, least=1, most=MOST_PROVINCES, about="Every space, seas included.")
        ),
        "army_borders": Member(
            Listed(
                Row([_code(), _code()]),
                most=MOST_ARCS,
                about="Pairs of provinces between which armies walk, each pair once.",
            )
        ),
        "fleet_borders": Member(
            Listed(
                Row([_place(), _place()]),
                most=MOST_ARCS,
                about="Pairs of places between which fleets sail, coasts as STP/SC.",
            )
        ),
        "starts": Member(
            Listed(
                Row([_power(), Choice([*UnitKind]), _place()]),
                most=MOST_PROVINCES,
                about="Units at the start: power, A or F, place.",
            )
        ),
        "victory_centers": _spare(_whole(1, MOST_PROVINCES, "So many centers win.")),
        "first_year": _spare(_whole(0, 9999, "The first year of a game."), spare=1901),
        "impassable": Member(
            Listed(
                Row([_code("Code."), _name("Name.")]),
                most=MOST_PROVINCES,
                about="Spaces that nobody may enter.",
            )
        ),
    },
    about="What the judge needs: no geometry.",
)

_REF = _whole(-MOST_ARCS, MOST_ARCS - 1, "Index of an arc; -1-i is arc i walked backwards.")
_RING = Listed(_REF, least=1, most=2_000, about="Arcs that follow one another around an outline.")

_ARC = Record(
    {
        "kind": Member(Choice([*ArcKind], about="coast, land, sea or frame.")),
        "left": Member(Maybe(_code(), about="Who is on the left, seen from start to end.")),
        "right": Member(Maybe(_code(), about="Who is on the right, seen from start to end.")),
        "points": Member(Points(LARGEST, about="x and y in turn; a closed arc repeats its first.")),
    },
    about="A line stored once, shared by the two shapes beside it.",
)

_SHAPE = Record(
    {
        "province": Member(_code("Whose outline it is.")),
        "polygons": Member(
            Listed(
                Listed(_RING, least=1, most=500, about="An outer ring, then its holes."),
                least=1,
                most=500,
                about="The largest first.",
            )
        ),
        "label": _spare(_point("Middle of the printed name.")),
        "label_lines": Member(
            Listed(_name(), most=8, about="The name, as it is split into lines.")
        ),
        "label_size": _spare(
            Number(0, 1000, about="Font size in map units; 0: the code is printed instead.")
        ),
        "units": Member(
            Entries(
                _place(), _point("Middle of a unit."), most=16, about="A place for each location."
            )
        ),
        "dislodged": _spare(_point("Middle of a unit driven out.")),
        "dislodged_coasts": Member(
            Entries(
                _place(),
                _point("Middle of a fleet driven out."),
                most=16,
                about="The same for coasts where it is elsewhere.",
            ),
            optional=True,
            has_spare=True,
            spare={},
        ),
        "star": _spare(Maybe(_point("Middle of a center's star."), about="Null unless a center.")),
    },
    about="Where one province is drawn.",
)

_PASSAGE = Record(
    {
        "ends": Member(Row([_place(), _place()], about="The two places, a pair of the board.")),
        "points": Member(Points(LARGEST, about="The line drawn, from the first to the second.")),
    },
    about="A way between two places that share no arc, drawn as a dotted line.",
)

_RELIEF = Record(
    {
        "width": Member(_whole(1, 4096, "Columns.")),
        "height": Member(_whole(1, 4096, "Rows.")),
        "values": Member(
            Text("[A-Za-z0-9+/]*=*", most=MOST_TEXT, about="Heights 0 to 255 by rows, base64.")
        ),
    },
    about="Elevation of the land for shading, spread over the whole map.",
)

CHART = Record(
    {
        "v": Member(_whole(FORMAT, FORMAT, "Version of this format.")),
        "world": _spare(Text(about="Name of the map."), spare=""),
        "board": Member(_BOARD),
        "size": _spare(
            Row([Number(1, LARGEST), Number(1, LARGEST)], about="Width and height in map units.")
        ),
        "arcs": Member(Listed(_ARC, most=MOST_ARCS, about="Every line of the map.")),
        "shapes": Member(
            Listed(_SHAPE, most=MOST_PROVINCES, about="Every province of the board once.")
        ),
        "palette": Member(
            Entries(_power(), Text("#[0-9a-f]{6}", most=7), most=26, about="Color of each power.")
        ),
        "scenery": Member(
            Listed(
                Row([Text(f"({CODE})?", most=6), Listed(_RING, least=1, most=500)]),
                most=4_000,
                about="Land that is nobody's: the code of an impassable space or an empty text for"
                " a nameless islet, and its rings.",
            )
        ),
        "passages": Member(
            Listed(_PASSAGE, most=100, about="Ways that no line of the map shows."),
            optional=True,
            has_spare=True,
            spare=[],
        ),
        "relief": _spare(Maybe(_RELIEF)),
        "seed": _spare(Text(most=200, about="What it was made from; empty if by hand."), spare=""),
        "maker": _spare(_name("The generator and its version, or hand."), spare="hand"),
        "fairness": Member(
            Entries(
                Text("[a-z][a-z0-9_]{0,63}", most=64),
                Number(-1e12, 1e12),
                most=200,
                about="Measured figures by name.",
            )
        ),
    },
    about="A map for Diplomacy: the board and its shapes.",
)


def json_schema() -> Json:
    """Return the JSON Schema of a chart file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A map of Diplomaccloud, version {FORMAT}",
        **CHART.schema(),
    }
