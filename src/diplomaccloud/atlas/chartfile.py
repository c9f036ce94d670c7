"""Chart files: a chart as canonical JSON text, read back with every value checked."""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Mapping

from diplomaccloud.atlas.boardfile import CODE, LOCATION, POWER, board_from_node, board_to_data
from diplomaccloud.atlas.chart import (
    FORMAT,
    Anchors,
    Arc,
    ArcKind,
    Chart,
    Point,
    Relief,
    Ring,
    Shape,
)
from diplomaccloud.atlas.reading import ChartError, Node
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of

__all__ = [
    "ChartError",
    "chart_from_json",
    "chart_to_json",
    "content_hash",
    "dump_chart",
    "load_chart",
]

MOST_TEXT = 8_000_000
_LARGEST = 100_000.0
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_KIND = re.compile("|".join(ArcKind))
_MEASURE = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)


def chart_to_json(chart: Chart) -> dict[str, object]:
    """Return `chart` as JSON values."""
    return {
        "v": FORMAT,
        "world": chart.world,
        "board": board_to_data(chart.board),
        "size": _pair(chart.size),
        "arcs": [_arc_to_data(arc) for arc in chart.arcs],
        "shapes": [_shape_to_data(shape) for shape in chart.shapes],
        "palette": dict(chart.palette),
        "scenery": [[code, [list(ring) for ring in rings]] for code, rings in chart.scenery],
        "relief": None if chart.relief is None else _relief_to_data(chart.relief),
        "seed": chart.seed,
        "maker": chart.maker,
        "fairness": {name: float(value) for name, value in chart.fairness.items()},
    }


def dump_chart(chart: Chart) -> str:
    """Return the canonical text of `chart`: equal charts give equal texts."""
    data = chart_to_json(chart)
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_hash(chart: Chart) -> str:
    """Return the SHA-256 of the canonical text, in hexadecimal digits."""
    return hashlib.sha256(dump_chart(chart).encode()).hexdigest()


def load_chart(text: str) -> Chart:
    """Return the chart written in `text`, or raise `ChartError` naming the place at fault."""
    if len(text) > MOST_TEXT:
        raise ChartError(f"chart: is longer than {MOST_TEXT} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ChartError(f"chart: is not JSON ({error})") from error
    return chart_from_json(data)


def chart_from_json(data: object) -> Chart:
    """Return the chart that `data` describes, or raise `ChartError` naming the place at fault.

    Checked: every type and range; that the rings close; that every province of the board
    has one shape, and places for its units; that each power has a colour.
    """
    node = Node(data)
    if node.field("v").value != FORMAT:
        raise node.field("v").fail(f"this program reads version {FORMAT} only")
    board = board_from_node(node.field("board"))
    arcs = node.field("arcs").several(lambda one: _arc(one, board))
    return Chart(
        world=node.field("world").text(),
        board=board,
        size=_size(node.field("size")),
        arcs=arcs,
        shapes=_shapes(node.field("shapes"), arcs, board),
        palette=_palette(node.field("palette"), board),
        scenery=node.field("scenery").several(lambda one: _scenery(one, arcs)),
        relief=_relief(node.field("relief")),
        seed=node.field("seed").text(most=200),
        maker=node.field("maker").text(),
        fairness=_fairness(node.field("fairness")),
    )


def _pair(point: Point) -> list[float]:
    # Equal numbers must be one text: 3 becomes 3.0 and -0.0 becomes 0.0.
    return [point[0] + 0.0, point[1] + 0.0]


def _arc_to_data(arc: Arc) -> dict[str, object]:
    return {
        "kind": arc.kind.value,
        "left": arc.left,
        "right": arc.right,
        "points": [value for point in arc.points for value in _pair(point)],
    }


def _shape_to_data(shape: Shape) -> dict[str, object]:
    anchors = shape.anchors
    return {
        "province": shape.province,
        "polygons": [[list(ring) for ring in polygon] for polygon in shape.polygons],
        "label": _pair(anchors.label),
        "label_lines": list(anchors.label_lines),
        "label_size": float(anchors.label_size),
        "units": {place: _pair(point) for place, point in anchors.units.items()},
        "dislodged": _pair(anchors.dislodged),
        "star": None if anchors.star is None else _pair(anchors.star),
    }


def _relief_to_data(relief: Relief) -> dict[str, object]:
    values = base64.b64encode(relief.values).decode("ascii")
    return {"width": relief.width, "height": relief.height, "values": values}


def _coordinate(node: Node) -> float:
    return node.number(-_LARGEST, _LARGEST)


def _point(node: Node) -> Point:
    values = node.several(_coordinate, most=2)
    if len(values) != 2:
        raise node.fail("is not a pair of coordinates")
    return values[0], values[1]


def _size(node: Node) -> tuple[float, float]:
    width, height = _point(node)
    if width <= 0 or height <= 0:
        raise node.fail("is not positive")
    return width, height


def _side(node: Node, board: Board) -> ProvinceCode | None:
    if node.value is None:
        return None
    code = ProvinceCode(node.text(CODE))
    if code not in board.by_code and code not in dict(board.impassable):
        raise node.fail(f"there is no province {code}")
    return code


def _arc(node: Node, board: Board) -> Arc:
    values = node.field("points").several(_coordinate)
    if len(values) < 4 or len(values) % 2:
        raise node.field("points").fail("is not a list of two or more points")
    return Arc(
        points=tuple(zip(values[::2], values[1::2], strict=True)),
        kind=ArcKind(node.field("kind").text(_KIND)),
        left=_side(node.field("left"), board),
        right=_side(node.field("right"), board),
    )


def _ring(node: Node, arcs: tuple[Arc, ...]) -> Ring:
    ring = node.several(lambda one: one.integer(-len(arcs), len(arcs) - 1))
    if not ring:
        raise node.fail("is empty")
    ends = [arcs[ref].points if ref >= 0 else arcs[~ref].points[::-1] for ref in ring]
    for place, (line, after) in enumerate(zip(ends, ends[1:] + ends[:1], strict=True)):
        if line[-1] != after[0]:
            raise node.fail(f"arc {ring[place]} does not end where the next begins")
    return ring


def _shapes(node: Node, arcs: tuple[Arc, ...], board: Board) -> tuple[Shape, ...]:
    shapes = node.several(lambda one: _shape(one, arcs, board))
    codes = [shape.province for shape in shapes]
    if repeated := sorted({code for code in codes if codes.count(code) > 1}):
        raise node.fail(f"{repeated[0]} has two shapes")
    if missing := sorted(set(board.by_code) - set(codes)):
        raise node.fail(f"{missing[0]} has no shape")
    return shapes


def _shape(node: Node, arcs: tuple[Arc, ...], board: Board) -> Shape:
    code = ProvinceCode(node.field("province").text(CODE))
    if code not in board.by_code:
        raise node.field("province").fail(f"there is no province {code}")
    polygons = node.field("polygons").several(
        lambda polygon: polygon.several(lambda ring: _ring(ring, arcs))
    )
    if not polygons or not all(polygons):
        raise node.field("polygons").fail("has no outline")
    return Shape(code, polygons, _anchors(node, code, board))


def _anchors(node: Node, code: ProvinceCode, board: Board) -> Anchors:
    star = node.field("star")
    return Anchors(
        label=_point(node.field("label")),
        label_lines=node.field("label_lines").several(lambda one: one.text(), most=8),
        label_size=node.field("label_size").number(0, 1000),
        units=_units(node.field("units"), code, board),
        dislodged=_point(node.field("dislodged")),
        star=None if star.value is None else _point(star),
    )


def _units(node: Node, code: ProvinceCode, board: Board) -> Mapping[Location, Point]:
    places = {Location(key): _point(value) for key, value in node.members(most=16)}
    for place in places:
        if LOCATION.fullmatch(place) is None or province_of(place) != code:
            raise node.fail(f"{place[:12]!r} is no location in {code}")
    needed = {Location(code), *board.by_code[code].fleet_locations}
    if missing := sorted(needed - set(places)):
        raise node.fail(f"there is no place for a unit at {missing[0]}")
    return places


def _palette(node: Node, board: Board) -> Mapping[Power, str]:
    palette: dict[Power, str] = {}
    for key, value in node.members():
        if POWER.fullmatch(key) is None or Power(key) not in board.power_info:
            raise node.fail(f"there is no power {key[:24]!r}")
        palette[Power(key)] = value.text(_COLOUR)
    if missing := sorted(set(board.power_info) - set(palette)):
        raise node.fail(f"{missing[0]} has no colour")
    return palette


def _scenery(node: Node, arcs: tuple[Arc, ...]) -> tuple[str, tuple[Ring, ...]]:
    parts = list(node.items(most=2))
    if len(parts) != 2:
        raise node.fail("is not a code and its outlines")
    code = "" if parts[0].value == "" else parts[0].text(CODE)
    return code, parts[1].several(lambda ring: _ring(ring, arcs))


def _relief(node: Node) -> Relief | None:
    if node.value is None:
        return None
    width = node.field("width").integer(1, 4096)
    height = node.field("height").integer(1, 4096)
    held = node.field("values")
    text = held.text(most=MOST_TEXT)
    try:
        values = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise held.fail("is not base64") from error
    if len(values) != width * height:
        raise held.fail(f"has {len(values)} heights, not {width * height}")
    return Relief(width, height, values)


def _fairness(node: Node) -> Mapping[str, float]:
    measured: dict[str, float] = {}
    for key, value in node.members(most=200):
        if _MEASURE.fullmatch(key) is None:
            raise node.fail(f"{key[:24]!r} is no name of a measure")
        measured[key] = value.number(-1e12, 1e12)
    return measured
