"""Reads map files: a board and the shapes that its drawing needs, from text that nobody checked.

What is read can be drawn. Whether the drawing is right, so that no lines cross and every name is
inside its province, is checked where maps are published, in the package with the site.
"""

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.codec import CodecError, Node, board_version, read_board, require_version
from diplomaccloud.judge.drawing.chart import (
    FORMATS,
    SIGNS,
    Anchors,
    Arc,
    ArcKind,
    Chart,
    Feature,
    FeatureKind,
    Passage,
    Point,
    Relief,
    Ring,
    Shape,
)

MAX_FILE_SIZE = 8_000_000
"""The limit in bytes or characters; longer files are rejected unread."""

MAX_PROVINCES = 512
"""The limit of the judge."""

MAX_ARCS = 8_000
MAX_POINTS = 150_000
"""The limit for all arcs together; a generated map of 400 provinces has 50,000."""

MAX_FEATURES = 400
MAX_SIGNS = 4_000
"""The points of one feature."""

MAX_FEATURE_NAME = 40
MAX_TITLE = 80
"""The length of a title, in characters."""

MAX_COORDINATE = 100_000.0
"""The largest coordinate, in map units."""

MAX_USES = 2
"""How many outlines may share an arc: those of the two provinces beside it."""

_MAX_LINE = 4_000
_MAX_RING = 2_000
_MAX_RINGS = 500
_MAX_SCENERY = 4_000
_MAX_SIDE = 4_096
LATER_MEMBERS = ("credits",)
"""Members of a map that a later version defines."""

_COLOR = re.compile(r"#[0-9a-f]{6}")
_MARK = re.compile("[A-Z]?")
_SCENERY_CODE = re.compile(r"([A-Z][A-Z0-9]{1,5})?")

_T = TypeVar("_T")


class NotJSONError(ValueError):
    """The text is not JSON, or is too long."""


def read_map(content: str | bytes) -> Chart:
    """Return the map in the text of a map file.

    Raises `CodecError`, which names the first part at fault, for anything else.
    """
    try:
        data = parse_json(content)
    except NotJSONError as error:
        raise CodecError(f"the map file {error}") from error
    return chart_from_json(data)


def parse_json(
    content: bytes | str, build: Callable[[list[tuple[str, object]]], object] = dict
) -> object:
    """Return the JSON value in `content`; raise `NotJSONError` with the place of the error.

    `build` makes an object from the pairs of key and value in the text.
    """
    if len(content) > MAX_FILE_SIZE:
        raise NotJSONError(f"is longer than {MAX_FILE_SIZE / 1e6:g} million bytes")
    text = _decode(content) if isinstance(content, bytes) else content
    if text.startswith("\ufeff"):
        raise NotJSONError("starts with a byte-order mark; save it as UTF-8 without one")
    try:
        return json.loads(text, object_pairs_hook=build)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJSONError(f"is not JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise NotJSONError("is nested too deeply") from error
    except ValueError as error:
        # Python refuses whole numbers of thousands of digits.
        raise NotJSONError("is not readable JSON: a number is too long") from error


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NotJSONError(f"is not UTF-8 text: byte {error.start}, on line {line}") from error


def chart_from_json(data: object, board: Board | None = None) -> Chart:
    """Return the map that the JSON value `data` describes.

    With `board`, it is a drawing of that board, and has no board of its own. Raises `CodecError`
    with the path of the first part at fault.
    """
    node = Node(data)
    require_version(node["v"], FORMATS)
    node.refuse_later(LATER_MEMBERS)
    board = board or read_board(node["board"])
    if len(board.provinces) > MAX_PROVINCES:
        raise node["board"]["provinces"].error(f"more than {MAX_PROVINCES} provinces")
    width, height = (side.number(1, MAX_COORDINATE) for side in node["size"].items(2))
    arcs = _read_arcs(node["arcs"], board)
    reader = _RingReader(len(arcs))
    relief, fairness = node["relief"], node["fairness"].entries()
    chart = Chart(
        world=node["world"].text(),
        board=board,
        size=(width, height),
        arcs=arcs,
        shapes=_read_shapes(node["shapes"], board, reader),
        palette=_read_palette(node["palette"], board),
        scenery=node["scenery"].several(reader.read_scenery, most=_MAX_SCENERY),
        relief=None if relief.is_null() else _read_relief(relief),
        seed=node["seed"].text(),
        maker=node["maker"].text(),
        fairness={name.line(): value.number(-1e12, 1e12) for name, value in fairness},
        passages=node["passages"].several(
            lambda one: _read_passage(one, board, (width, height)), most=100
        )
        if "passages" in node
        else (),
        title=node["title"].line(most=MAX_TITLE) if "title" in node else "",
        features=node["features"].several(_read_feature, most=MAX_FEATURES)
        if "features" in node
        else (),
    )
    if node["v"].value == 1 and (needed := chart_version(chart)) > 1:
        raise node["v"].error(f"is 1, but the map needs version {needed}")
    return chart


def chart_version(chart: Chart) -> int:
    """Return the lowest version of the format that can hold `chart`."""
    is_second = chart.title or chart.features or any(passage.mark for passage in chart.passages)
    return 2 if is_second else board_version(chart.board)


class _RingReader:
    """Reads outlines: lists of arcs, of which each may be used only by the two sides of it.

    Otherwise, a small file could make outlines of millions of points from a single arc.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._uses: Counter[int] = Counter()

    def read_ring(self, node: Node) -> Ring:
        """Return the arcs of an outline."""
        return tuple(self._read_ref(ref) for ref in _at_least_one(node, _MAX_RING))

    def read_polygon(self, node: Node) -> tuple[Ring, ...]:
        """Return an outer ring and its holes."""
        return tuple(self.read_ring(ring) for ring in _at_least_one(node, _MAX_RINGS))

    def read_scenery(self, node: Node) -> tuple[str, tuple[Ring, ...]]:
        """Return the code of an impassable space, or nothing, and its rings."""
        code, rings = node.items(2)
        return code.line(_SCENERY_CODE), self.read_polygon(rings)

    def _read_ref(self, node: Node) -> int:
        ref = node.integer(-self._count, self._count - 1)
        index = ref if ref >= 0 else ~ref
        self._uses[index] += 1
        if self._uses[index] > MAX_USES:
            raise node.error(f"arc {index} is in more than {MAX_USES} outlines")
        return ref


def _at_least_one(node: Node, most: int) -> list[Node]:
    items = node.items(most=most)
    if not items:
        raise node.error("is empty")
    return items


def _read_arcs(node: Node, board: Board) -> tuple[Arc, ...]:
    codes = {None, *board.by_code, *(code for code, _ in board.impassable)}
    arcs, points = [], 0
    for item in node.items(most=MAX_ARCS):
        sides = []
        for side in (item["left"], item["right"]):
            code = None if side.is_null() else ProvinceCode(side.word())
            if code not in codes:
                raise side.error(f"{str(code)[:20]!r} is not a province of the board")
            sides.append(code)
        arc = Arc(_read_line(item["points"]), item["kind"].member(ArcKind), *sides)
        arcs.append(arc)
        points += len(arc.points)
        if points > MAX_POINTS:
            raise item["points"].error(f"the limit of {MAX_POINTS:,} points is passed")
    return tuple(arcs)


def _read_line(node: Node) -> tuple[Point, ...]:
    """Return the points of a line from a list of x and y in turn."""
    values = node.value
    if (
        isinstance(values, list)
        and 4 <= len(values) <= 2 * _MAX_LINE
        and len(values) % 2 == 0
        # A quick check, because a map has tens of thousands of numbers.
        and all(
            type(value) in (float, int) and -MAX_COORDINATE <= value <= MAX_COORDINATE
            for value in values
        )
    ):
        return tuple(zip(map(float, values[::2]), map(float, values[1::2]), strict=True))
    items = node.items(most=2 * _MAX_LINE)
    numbers = [item.number(-MAX_COORDINATE, MAX_COORDINATE) for item in items]
    raise node.error(f"has {len(numbers)} numbers, not an even count of at least 4")


def _read_feature(node: Node) -> Feature:
    kind = node["kind"].member(FeatureKind)
    values = node["points"].items(most=2 * MAX_SIGNS)
    numbers = [value.number(-MAX_COORDINATE, MAX_COORDINATE) for value in values]
    least = least_points(kind)
    if len(numbers) % 2 or len(numbers) < 2 * least:
        raise node["points"].error(
            f"has {len(numbers)} numbers, not an even count of at least {2 * least}"
        )
    name, label = "", None
    if "name" in node:
        name = node["name"].line(most=MAX_FEATURE_NAME)
    if "label" in node and not node["label"].is_null():
        x, y, to_x, to_y = (
            value.number(-MAX_COORDINATE, MAX_COORDINATE) for value in node["label"].items(4)
        )
        label = (x, y), (to_x, to_y)
    points = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    return Feature(kind, points, name, label)


def least_points(kind: FeatureKind) -> int:
    """Return the fewest points of a feature: of a sign, a line or an outline."""
    if kind in SIGNS:
        return 1
    return 3 if kind is FeatureKind.LAKE else 2


def _read_point(node: Node) -> Point:
    x, y = (item.number(-MAX_COORDINATE, MAX_COORDINATE) for item in node.items(2))
    return x, y


def _read_shapes(node: Node, board: Board, reader: _RingReader) -> tuple[Shape, ...]:
    missing, shapes = dict.fromkeys(board.by_code), []
    for item in node.items(most=MAX_PROVINCES):
        code = ProvinceCode(item["province"].word())
        if code not in missing:
            why = (
                "has a second shape" if code in board.by_code else "is not a province of the board"
            )
            raise item["province"].error(f"{code[:20]!r} {why}")
        del missing[code]
        polygons = tuple(reader.read_polygon(one) for one in _at_least_one(item["polygons"], 500))
        shapes.append(Shape(code, polygons, _read_anchors(item, board, code)))
    if missing:
        raise node.error(f"{next(iter(missing))} has no shape")
    return tuple(shapes)


def _read_anchors(node: Node, board: Board, code: ProvinceCode) -> Anchors:
    province = board.by_code[code]
    stands = {Location(code), *province.fleet_locations}
    units = _read_places(node["units"], stands)
    for place in sorted(stands - units.keys()):
        raise node["units"].error(f"there is no place for a unit at {place}")
    star = node["star"]
    if star.is_null() == province.center:
        raise star.error("is missing" if province.center else "this is not a supply center")
    return Anchors(
        label=_read_point(node["label"]),
        label_lines=node["label_lines"].several(Node.text, most=8),
        label_size=node["label_size"].number(0, 1000),
        units=units,
        dislodged=_read_point(node["dislodged"]),
        star=None if star.is_null() else _read_point(star),
        dislodged_coasts=_read_places(node["dislodged_coasts"], stands)
        if "dislodged_coasts" in node
        else {},
    )


def _read_places(node: Node, stands: set[Location]) -> dict[Location, Point]:
    places = {}
    for key, value in node.entries(most=16):
        place = Location(key.place())
        if place not in stands:
            raise key.error(f"no unit can be at {place[:20]!r}")
        places[place] = _read_point(value)
    return places


def _read_palette(node: Node, board: Board) -> dict[Power, str]:
    palette = {}
    for key, value in node.entries():
        power = Power(key.word())
        if power not in board.power_info:
            raise key.error(f"{power[:20]!r} is not a power of the board")
        palette[power] = value.line(_COLOR)
    for power in board.power_info:
        if power not in palette:
            raise node.error(f"{power} has no color")
    return palette


def _read_relief(node: Node) -> Relief:
    width, height = (node[side].integer(1, _MAX_SIDE) for side in ("width", "height"))
    try:
        values = base64.b64decode(node["values"].text(MAX_FILE_SIZE), validate=True)
    except (binascii.Error, ValueError) as error:
        raise node["values"].error("is not base64") from error
    if len(values) != width * height:
        raise node["values"].error(f"has {len(values)} heights instead of {width * height}")
    return Relief(width, height, values)


def _read_passage(node: Node, board: Board, size: Point) -> Passage:
    ends = []
    for end in node["ends"].items(2):
        place = Location(end.place())
        if province_of(place) not in board.by_code:
            raise end.error(f"{place[:20]!r} is not a place of the board")
        ends.append(place)
    start, stop = ends
    mark = node["mark"].line(_MARK) if "mark" in node else ""
    passage = Passage((start, stop), _read_line(node["points"]), mark)
    if mark:
        try:
            passage.stubs(size)
        except ValueError as error:
            raise node["points"].error(str(error)) from error
    return passage
