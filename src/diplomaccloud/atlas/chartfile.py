"""Chart files: a chart as canonical JSON text, read back with every value checked."""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Mapping

from diplomaccloud.atlas.boardfile import CODE, LOCATION, POWER, board_from_node
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
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.boardcodec import board_to_json
from diplomaccloud.judge.jsonread import CodecError, Node

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
_MEASURE = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)


class ChartError(CodecError):
    """A chart file that cannot be read; the message names the place at fault."""


def chart_to_json(chart: Chart) -> dict[str, object]:
    """Return `chart` as JSON values."""
    return {
        "v": FORMAT,
        "world": chart.world,
        "board": board_to_json(chart.board),
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
    try:
        return _chart(Node(data, "chart"))
    except CodecError as error:
        raise ChartError(str(error)) from error


def _chart(node: Node) -> Chart:
    if node["v"].integer() != FORMAT:
        raise node["v"].error(f"this program reads version {FORMAT} only")
    board = board_from_node(node["board"])
    arcs = node["arcs"].several(lambda one: _arc(one, board))
    return Chart(
        world=node["world"].line(),
        board=board,
        size=_size(node["size"]),
        arcs=arcs,
        shapes=_shapes(node["shapes"], arcs, board),
        palette=_palette(node["palette"], board),
        scenery=node["scenery"].several(lambda one: _scenery(one, arcs)),
        relief=_relief(node["relief"]),
        seed=node["seed"].line(most=200),
        maker=node["maker"].line(),
        fairness=_fairness(node["fairness"]),
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
    x, y = node.items(2)
    return _coordinate(x), _coordinate(y)


def _size(node: Node) -> tuple[float, float]:
    width, height = _point(node)
    if width <= 0 or height <= 0:
        raise node.error("is not positive")
    return width, height


def _side(node: Node, board: Board) -> ProvinceCode | None:
    if node.is_null():
        return None
    code = ProvinceCode(node.line(CODE))
    if code not in board.by_code and code not in dict(board.impassable):
        raise node.error(f"there is no province {code}")
    return code


def _arc(node: Node, board: Board) -> Arc:
    values = node["points"].several(_coordinate)
    if len(values) < 4 or len(values) % 2:
        raise node["points"].error("is not a list of two or more points")
    return Arc(
        points=tuple(zip(values[::2], values[1::2], strict=True)),
        kind=node["kind"].member(ArcKind),
        left=_side(node["left"], board),
        right=_side(node["right"], board),
    )


def _ring(node: Node, arcs: tuple[Arc, ...]) -> Ring:
    ring = node.several(lambda one: one.integer(-len(arcs), len(arcs) - 1))
    if not ring:
        raise node.error("is empty")
    ends = [arcs[ref].points if ref >= 0 else arcs[~ref].points[::-1] for ref in ring]
    for place, (line, after) in enumerate(zip(ends, ends[1:] + ends[:1], strict=True)):
        if line[-1] != after[0]:
            raise node.error(f"arc {ring[place]} does not end where the next begins")
    return ring


def _shapes(node: Node, arcs: tuple[Arc, ...], board: Board) -> tuple[Shape, ...]:
    shapes = node.several(lambda one: _shape(one, arcs, board))
    codes = [shape.province for shape in shapes]
    if repeated := sorted({code for code in codes if codes.count(code) > 1}):
        raise node.error(f"{repeated[0]} has two shapes")
    if missing := sorted(set(board.by_code) - set(codes)):
        raise node.error(f"{missing[0]} has no shape")
    return shapes


def _shape(node: Node, arcs: tuple[Arc, ...], board: Board) -> Shape:
    code = ProvinceCode(node["province"].line(CODE))
    if code not in board.by_code:
        raise node["province"].error(f"there is no province {code}")
    polygons = node["polygons"].several(
        lambda polygon: polygon.several(lambda ring: _ring(ring, arcs))
    )
    if not polygons or not all(polygons):
        raise node["polygons"].error("has no outline")
    return Shape(code, polygons, _anchors(node, code, board))


def _anchors(node: Node, code: ProvinceCode, board: Board) -> Anchors:
    star = node["star"]
    return Anchors(
        label=_point(node["label"]),
        label_lines=node["label_lines"].several(Node.line, most=8),
        label_size=node["label_size"].number(0, 1000),
        units=_units(node["units"], code, board),
        dislodged=_point(node["dislodged"]),
        star=None if star.is_null() else _point(star),
    )


def _units(node: Node, code: ProvinceCode, board: Board) -> Mapping[Location, Point]:
    places: dict[Location, Point] = {}
    for key, value in node.entries(most=16):
        place = Location(key.line(LOCATION))
        if province_of(place) != code:
            raise node.error(f"{place!r} is no location in {code}")
        places[place] = _point(value)
    needed = {Location(code), *board.by_code[code].fleet_locations}
    if missing := sorted(needed - set(places)):
        raise node.error(f"there is no place for a unit at {missing[0]}")
    return places


def _palette(node: Node, board: Board) -> Mapping[Power, str]:
    palette: dict[Power, str] = {}
    for key, value in node.entries():
        power = Power(key.line(POWER))
        if power not in board.power_info:
            raise node.error(f"there is no power {power!r}")
        palette[power] = value.line(_COLOUR)
    if missing := sorted(set(board.power_info) - set(palette)):
        raise node.error(f"{missing[0]} has no colour")
    return palette


def _scenery(node: Node, arcs: tuple[Arc, ...]) -> tuple[str, tuple[Ring, ...]]:
    name, rings = node.items(2)
    code = name.line(CODE) if name.text() else ""
    return code, rings.several(lambda ring: _ring(ring, arcs))


def _relief(node: Node) -> Relief | None:
    if node.is_null():
        return None
    width = node["width"].integer(1, 4096)
    height = node["height"].integer(1, 4096)
    held = node["values"]
    text = held.text(most=MOST_TEXT)
    try:
        values = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise held.error("is not base64") from error
    if len(values) != width * height:
        raise held.error(f"has {len(values)} heights, not {width * height}")
    return Relief(width, height, values)


def _fairness(node: Node) -> Mapping[str, float]:
    measured: dict[str, float] = {}
    for key, value in node.entries(most=200):
        measured[key.line(_MEASURE)] = value.number(-1e12, 1e12)
    return measured
