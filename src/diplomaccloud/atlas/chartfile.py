"""Read and write chart files: canonical JSON text, with every value checked when read.

`docs/map-format.md` describes the format.
"""

import base64
import hashlib
import json
from collections.abc import Iterable

from diplomaccloud.atlas.chart import FORMAT, Anchors, Arc, Chart, Passage, Point, Relief, Shape
from diplomaccloud.atlas.chart_builder import build_chart
from diplomaccloud.atlas.validation import (
    MAX_FILE_SIZE,
    Fault,
    Faults,
    NotJSONError,
    parse_json,
    read_chart_data,
)
from diplomaccloud.judge.codec.boards import board_to_json
from diplomaccloud.judge.codec.reader import CodecError

__all__ = [
    "MAX_FILE_SIZE",
    "ChartError",
    "chart_from_json",
    "chart_to_json",
    "check_chart",
    "content_hash",
    "dump_chart",
    "hash_text",
    "load_chart",
]


class ChartError(CodecError):
    """A chart file is invalid; `faults` has the path and description of each fault.

    `unlisted` counts further faults. The message is the first fault.
    """

    def __init__(self, faults: Iterable[Fault], unlisted: int = 0) -> None:
        self.faults = tuple(faults)
        self.unlisted = unlisted
        more = len(self.faults) + unlisted - 1
        counted = f" (and {more:,} more fault{'s' * (more > 1)})" if more else ""
        super().__init__(f"{self.faults[0]}{counted}")


def chart_to_json(chart: Chart) -> dict[str, object]:
    """Return `chart` as JSON values, without empty optional members."""
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
        data["passages"] = [_passage_to_data(passage) for passage in chart.passages]
    return data


def dump_chart(chart: Chart) -> str:
    """Return the canonical text of `chart`; equal charts have equal texts."""
    data = chart_to_json(chart)
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_hash(chart: Chart) -> str:
    """Return the SHA-256 of the canonical text in hexadecimal."""
    return hash_text(dump_chart(chart))


def hash_text(text: str) -> str:
    """Return the content hash of the chart with this canonical text."""
    return hashlib.sha256(text.encode()).hexdigest()


def load_chart(content: str | bytes) -> Chart:
    """Return the chart in `content`; raise `ChartError` with all faults."""
    return chart_from_json(_parse(content))


def check_chart(content: str | bytes) -> Chart:
    """Return the chart in `content` after all checks, including the geometry.

    In addition to the checks of `load_chart`, this verifies what stored charts are known to
    satisfy: no lines cross, no shapes overlap, and every mark is inside its province. It takes
    about a second.
    """
    return chart_from_json(_parse(content), drawing=True)


def chart_from_json(data: object, *, drawing: bool = False) -> Chart:
    """Return the chart in the JSON value `data`; raise `ChartError` with all faults.

    `drawing` also checks the geometry; see `check_chart`.
    """
    faults = Faults()
    chart_data = read_chart_data(data, faults, drawing=drawing)
    if chart_data is None or faults:
        raise ChartError(faults, faults.unlisted)
    try:
        return build_chart(chart_data)
    except ValueError as error:
        # The judge may reject a board for a reason that the validation does not know.
        raise ChartError([Fault("board", str(error))]) from error


def _parse(content: str | bytes) -> object:
    try:
        return parse_json(content)
    except NotJSONError as error:
        raise ChartError([Fault("", str(error))]) from error


def _pair(point: Point) -> list[float]:
    # Equal numbers must have the same text: 3 becomes 3.0 and -0.0 becomes 0.0.
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
        data["dislodged_coasts"] = _dislodged_coasts_to_data(anchors)
    return data


def _dislodged_coasts_to_data(anchors: Anchors) -> dict[str, object]:
    return {place: _pair(point) for place, point in anchors.dislodged_coasts.items()}


def _passage_to_data(passage: Passage) -> dict[str, object]:
    return {"ends": list(passage.ends), "points": _flat(passage.points)}


def _relief_to_data(relief: Relief) -> dict[str, object]:
    values = base64.b64encode(relief.values).decode("ascii")
    return {"width": relief.width, "height": relief.height, "values": values}
