"""Chart files: a chart as canonical JSON text, read back with every value checked.

`docs/map-format.md` describes the format.
"""

import base64
import hashlib
import json
from collections.abc import Iterable

from diplomaccloud.atlas.chart import FORMAT, Anchors, Arc, Chart, Passage, Point, Relief, Shape
from diplomaccloud.atlas.chart_builder import chart_of
from diplomaccloud.atlas.validation import (
    MOST_TEXT,
    Fault,
    Faults,
    NotJSONError,
    parse,
    read_chart_data,
)
from diplomaccloud.judge.codec.boards import board_to_json
from diplomaccloud.judge.codec.reader import CodecError

__all__ = [
    "MOST_TEXT",
    "ChartError",
    "chart_from_json",
    "chart_to_json",
    "check_chart",
    "content_hash",
    "dump_chart",
    "load_chart",
]


class ChartError(CodecError):
    """A chart file that cannot be read; `faults` names each place and what is wrong there.

    `unlisted` counts the faults beyond those listed. The message is the first of them.
    """

    def __init__(self, faults: Iterable[Fault], unlisted: int = 0) -> None:
        self.faults = tuple(faults)
        self.unlisted = unlisted
        more = len(self.faults) + unlisted - 1
        counted = f" (and {more:,} more fault{'s' * (more > 1)})" if more else ""
        super().__init__(f"{self.faults[0]}{counted}")


def chart_to_json(chart: Chart) -> dict[str, object]:
    """Return `chart` as JSON values; members that are optional and empty are left out."""
    data: dict[str, object] = {
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
    if chart.passages:
        data["passages"] = [_passage_to_data(one) for one in chart.passages]
    return data


def dump_chart(chart: Chart) -> str:
    """Return the canonical text of `chart`: equal charts give equal texts."""
    data = chart_to_json(chart)
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_hash(chart: Chart) -> str:
    """Return the SHA-256 of the canonical text, in hexadecimal digits."""
    return hashlib.sha256(dump_chart(chart).encode()).hexdigest()


def load_chart(content: str | bytes) -> Chart:
    """Return the chart written in `content`, or raise `ChartError` naming the places at fault."""
    return chart_from_json(_parsed(content))


def check_chart(content: str | bytes) -> Chart:
    """Return the chart written in `content` when its geometry is sound as well.

    Everything `load_chart` looks at, and what it takes for granted of a chart once stored: that
    no lines cross, no shapes overlap, and every mark lies in its province. Takes about a second.
    """
    return chart_from_json(_parsed(content), drawing=True)


def chart_from_json(data: object, *, drawing: bool = False) -> Chart:
    """Return the chart that `data` describes, or raise `ChartError` naming the places at fault.

    `drawing` asks for the geometry to be looked at too; see `check_chart`.
    """
    found = Faults()
    read = read_chart_data(data, found, drawing=drawing)
    if read is None or found:
        raise ChartError(found, found.unlisted)
    try:
        return chart_of(read)
    except ValueError as error:
        # The judge has the last word on a board, should it know a fault that we do not.
        raise ChartError([Fault("board", str(error))]) from error


def _parsed(content: str | bytes) -> object:
    try:
        return parse(content)
    except NotJSONError as error:
        raise ChartError([Fault("", str(error))]) from error


def _pair(point: Point) -> list[float]:
    # Equal numbers must be one text: 3 becomes 3.0 and -0.0 becomes 0.0.
    return [point[0] + 0.0, point[1] + 0.0]


def _flat(points: Iterable[Point]) -> list[float]:
    return [value for point in points for value in _pair(point)]


def _arc_to_data(arc: Arc) -> dict[str, object]:
    return {
        "kind": arc.kind.value,
        "left": arc.left,
        "right": arc.right,
        "points": _flat(arc.points),
    }


def _shape_to_data(shape: Shape) -> dict[str, object]:
    anchors = shape.anchors
    data: dict[str, object] = {
        "province": shape.province,
        "polygons": [[list(ring) for ring in polygon] for polygon in shape.polygons],
        "label": _pair(anchors.label),
        "label_lines": list(anchors.label_lines),
        "label_size": float(anchors.label_size),
        "units": {place: _pair(point) for place, point in anchors.units.items()},
        "dislodged": _pair(anchors.dislodged),
        "star": None if anchors.star is None else _pair(anchors.star),
    }
    if anchors.dislodged_coasts:
        data["dislodged_coasts"] = _places(anchors)
    return data


def _places(anchors: Anchors) -> dict[str, object]:
    return {place: _pair(point) for place, point in anchors.dislodged_coasts.items()}


def _passage_to_data(passage: Passage) -> dict[str, object]:
    return {"ends": list(passage.ends), "points": _flat(passage.points)}


def _relief_to_data(relief: Relief) -> dict[str, object]:
    values = base64.b64encode(relief.values).decode("ascii")
    return {"width": relief.width, "height": relief.height, "values": values}
