"""Read and write chart files: canonical JSON text, with every value checked when read."""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import cast

from diplomaccloud.atlas.landforms import landform_of
from diplomaccloud.atlas.validation.borders import (
    find_border_faults,
    find_line_faults,
    find_overuse,
)
from diplomaccloud.atlas.validation.chart_schema import (
    CHART,
    ChartData,
    ReliefData,
    enumerate_valid,
    skip_invalid,
)
from diplomaccloud.atlas.validation.names import collect_names, find_game_faults, find_name_faults
from diplomaccloud.atlas.validation.schemas import (
    INVALID,
    Fault,
    Faults,
    RepeatedKeys,
    TooManyFaultsError,
    format_number,
)
from diplomaccloud.judge.codec import MAX_FIRST_POWERS, CodecError, board_to_json
from diplomaccloud.judge.drawing.chart import FORMATS, Chart, Feature, Passage, Point, Shape
from diplomaccloud.judge.drawing.map_file import MAX_POINTS, NotJSONError, chart_version, parse_json
from diplomaccloud.judge.drawing.map_file import chart_from_json as read_chart


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
        "v": chart_version(chart),
        "world": chart.world,
        "board": board_to_json(chart.board),
        "size": _pair(chart.size),
        "arcs": [
            {
                "kind": arc.kind.value,
                "left": arc.left,
                "right": arc.right,
                "points": _flat(arc.points),
            }
            for arc in chart.arcs
        ],
        "shapes": [_shape_to_data(shape) for shape in chart.shapes],
        "palette": dict(chart.palette),
        "scenery": [[code, [list(ring) for ring in rings]] for code, rings in chart.scenery],
        "relief": chart.relief
        and {
            "width": chart.relief.width,
            "height": chart.relief.height,
            "values": base64.b64encode(chart.relief.values).decode("ascii"),
        },
        "seed": chart.seed,
        "maker": chart.maker,
        "fairness": {name: float(value) for name, value in chart.fairness.items()},
    }
    if chart.passages:
        data["passages"] = [_passage_to_data(passage) for passage in chart.passages]
    if chart.title:
        data["title"] = chart.title
    if chart.features:
        data["features"] = [_feature_to_data(feature) for feature in chart.features]
    return data


def _feature_to_data(feature: Feature) -> dict[str, object]:
    data: dict[str, object] = {"kind": feature.kind.value, "points": _flat(feature.points)}
    if feature.name:
        data["name"] = feature.name
    if feature.label:
        data["label"] = _flat(feature.label)
    return data


def _passage_to_data(passage: Passage) -> dict[str, object]:
    data: dict[str, object] = {"ends": list(passage.ends), "points": _flat(passage.points)}
    return data | {"mark": passage.mark} if passage.mark else data


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
    faults, chart_data = Faults(), None
    # Stopped by too many faults, the result has those that were found.
    with suppress(TooManyFaultsError):
        chart_data = _read_chart(data, faults, drawing=drawing)
    if chart_data is None or faults:
        raise ChartError(faults, faults.unlisted)
    try:
        return read_chart(chart_data)
    except CodecError as error:
        # The judge may reject a board for a reason that the validation does not know.
        raise ChartError([Fault("board", str(error))]) from error


def _parse(content: str | bytes) -> object:
    try:
        return parse_json(content, _build_object)
    except NotJSONError as error:
        raise ChartError([Fault("", str(error))]) from error


def _pair(point: Point) -> list[float]:
    # Equal numbers must have the same text: 3 becomes 3.0 and -0.0 becomes 0.0.
    return [point[0] + 0.0, point[1] + 0.0]


def _flat(points: Iterable[Point]) -> list[float]:
    return [value for point in points for value in _pair(point)]


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
        places = anchors.dislodged_coasts.items()
        data["dislodged_coasts"] = {place: _pair(point) for place, point in places}
    return data


# Read the data and find all faults.


def _read_chart(data: object, faults: Faults, *, drawing: bool) -> ChartData | None:
    """Return the readable parts of the chart in the JSON value `data`, and add its faults.

    `None` means that too much of it is invalid to continue. With `drawing` the geometry is
    checked, too, which takes a second and needs `shapely`. The result is a complete chart if
    `faults` stays empty.
    """
    if isinstance(data, dict) and type(data.get("v")) is int and data["v"] not in FORMATS:
        versions = " and ".join(map(str, FORMATS))
        faults.add(
            "v", f"is {format_number(data['v'])}, but this program reads versions {versions} only"
        )
        return None
    read = CHART.read(data, "", faults)
    if read is INVALID:
        return None
    chart = cast("ChartData", read)
    known = collect_names(chart["board"])
    find_version_faults(chart, faults)
    find_name_faults(chart, known, faults)
    find_game_faults(chart, known, faults)
    find_unknown_landform(chart, faults)
    count = sum(len(arc["points"]) for arc in skip_invalid(chart["arcs"])) // 2
    if count > MAX_POINTS:
        faults.add("arcs", f"have {count:,} points in total; the limit is {MAX_POINTS:,}")
        return None
    if find_overuse(chart, faults):
        return None
    find_line_faults(chart, faults)
    find_border_faults(chart, known, faults)
    find_relief_faults(chart, faults)
    if drawing:
        # Reading a stored chart must not load the numerical libraries.
        from diplomaccloud.atlas.validation.geometry import find_drawing_and_spelling_faults  # noqa: PLC0415

        find_drawing_and_spelling_faults(chart, faults)
    return chart


def _build_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    seen: set[str] = set()
    repeated = RepeatedKeys(members)
    repeated.keys_repeated = tuple(
        dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    )
    return repeated


def find_unknown_landform(data: ChartData, faults: Faults) -> None:
    """Add a landform that does not exist; whether the map follows its rule is another check."""
    try:
        landform_of(data["maker"])
    except ValueError as error:
        faults.add("maker", f"names an unknown landform: {error}")


def find_version_faults(data: ChartData, faults: Faults) -> None:
    """Add what the file uses although its version does not know it."""
    board = data["board"]
    newer = {}
    if board["border_rules"]:
        newer["board.border_rules"] = "border rules"
    if len(board["powers"]) > MAX_FIRST_POWERS:
        newer["board.powers"] = f"more than {MAX_FIRST_POWERS} powers"
    for path, what in newer.items():
        if board["v"] == 1:
            faults.add(path, f'{what} need "v": 2 in the board')
    for i, passage in enumerate_valid(data["passages"]):
        if passage["mark"]:
            newer[f"passages[{i}].mark"] = "a letter"
    if data["title"]:
        newer["title"] = "a title"
    if data["features"]:
        newer["features"] = "features"
    if newer and data["v"] == 1:
        faults.add("v", f"is 1, but {next(iter(newer))} needs version 2")


def find_relief_faults(data: ChartData, faults: Faults) -> None:
    """Add heights that are not readable, too few or too many."""
    relief = data["relief"]
    if relief is None:
        return
    try:
        values = decode_heights(relief)
    except ValueError:
        faults.add("relief.values", "is not base64")
        return
    expected = relief["width"] * relief["height"]
    if len(values) != expected:
        faults.add("relief.values", f"has {len(values)} heights instead of {expected}")


def decode_heights(relief: ReliefData) -> bytes:
    """Return the heights, one byte each; raises `ValueError` if they are not base64."""
    try:
        return base64.b64decode(relief["values"], validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
