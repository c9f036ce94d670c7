"""Validation of chart files: find all faults and say where each of them is."""

from typing import cast

from diplomaccloud.atlas.chart import FORMAT
from diplomaccloud.atlas.validation.borders import find_border_faults
from diplomaccloud.atlas.validation.chart_schema import (
    CHART,
    MAX_FILE_SIZE,
    MAX_POINTS,
    ChartData,
    board_schema,
    json_schema,
)
from diplomaccloud.atlas.validation.faults import (
    MAX_LISTED_FAULTS,
    MAX_UNLISTED_FAULTS,
    Fault,
    Faults,
    TooManyFaultsError,
)
from diplomaccloud.atlas.validation.json_text import NotJSONError, parse_json
from diplomaccloud.atlas.validation.lines import count_points, find_line_faults, find_overuse
from diplomaccloud.atlas.validation.names import collect_names, find_name_faults
from diplomaccloud.atlas.validation.playability import find_game_faults
from diplomaccloud.atlas.validation.relief import find_relief_faults
from diplomaccloud.atlas.validation.schemas import INVALID, format_number

__all__ = [
    "MAX_FILE_SIZE",
    "MAX_LISTED_FAULTS",
    "MAX_UNLISTED_FAULTS",
    "ChartData",
    "Fault",
    "Faults",
    "NotJSONError",
    "board_schema",
    "json_schema",
    "parse_json",
    "read_chart_data",
]


def read_chart_data(data: object, faults: Faults, *, drawing: bool = False) -> ChartData | None:
    """Return the readable parts of the chart in the JSON value `data`, and add its faults.

    `None` means that too much of it is invalid to continue. With `drawing` the geometry is
    checked, too, which takes a second and needs `shapely`. The result is a complete chart if
    `faults` stays empty.
    """
    try:
        return _read_chart(data, faults, drawing=drawing)
    except TooManyFaultsError:
        return None


def _read_chart(data: object, faults: Faults, *, drawing: bool) -> ChartData | None:
    if isinstance(data, dict) and type(data.get("v")) is int and data["v"] != FORMAT:
        faults.add(
            "v", f"is {format_number(data['v'])}, but this program reads version {FORMAT} only"
        )
        return None
    read = CHART.read(data, "", faults)
    if read is INVALID:
        return None
    chart = cast("ChartData", read)
    known = collect_names(chart["board"])
    find_name_faults(chart, known, faults)
    find_game_faults(chart, known, faults)
    if (count := count_points(chart)) > MAX_POINTS:
        faults.add("arcs", f"have {count:,} points in total; the limit is {MAX_POINTS:,}")
        return None
    if find_overuse(chart, faults):
        return None
    find_line_faults(chart, faults)
    find_border_faults(chart, known, faults)
    find_relief_faults(chart, faults)
    if drawing:
        # Reading a stored chart must not load the numerical libraries.
        from diplomaccloud.atlas.validation.full_check import find_drawing_and_spelling_faults  # noqa: PLC0415

        find_drawing_and_spelling_faults(chart, faults)
    return chart
