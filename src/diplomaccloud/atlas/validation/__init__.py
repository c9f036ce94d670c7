"""Charts looked over: every fault of a chart file, each with its place."""

from typing import cast

from diplomaccloud.atlas.chart import FORMAT
from diplomaccloud.atlas.validation.borders import find_border_faults
from diplomaccloud.atlas.validation.chart_data import ChartData
from diplomaccloud.atlas.validation.chart_schema import CHART, MOST_POINTS, MOST_TEXT, json_schema
from diplomaccloud.atlas.validation.faults import (
    MOST_COUNTED,
    MOST_FAULTS,
    EnoughFaultsError,
    Fault,
    Faults,
)
from diplomaccloud.atlas.validation.json_text import NotJSONError, parse
from diplomaccloud.atlas.validation.lines import count_points, find_line_faults, find_overuse
from diplomaccloud.atlas.validation.names import find_name_faults, known_names
from diplomaccloud.atlas.validation.playability import find_game_faults
from diplomaccloud.atlas.validation.relief import find_relief_faults
from diplomaccloud.atlas.validation.schemas import BROKEN, shown

__all__ = [
    "MOST_COUNTED",
    "MOST_FAULTS",
    "MOST_TEXT",
    "ChartData",
    "Fault",
    "Faults",
    "NotJSONError",
    "json_schema",
    "parse",
    "read_chart_data",
]


def read_chart_data(data: object, found: Faults, *, drawing: bool = False) -> ChartData | None:
    """Return what could be read of the chart that the JSON value `data` describes.

    Its faults are added to `found`; None means that too little of it could be read to say more.
    With `drawing` the geometry is looked at too, which takes a second, and `shapely`. What is
    returned is a whole chart if `found` stays empty.
    """
    try:
        return _read(data, found, drawing=drawing)
    except EnoughFaultsError:
        return None


def _read(data: object, found: Faults, *, drawing: bool) -> ChartData | None:
    if isinstance(data, dict) and type(data.get("v")) is int and data["v"] != FORMAT:
        found.add("v", f"is {shown(data['v'])}: this program reads version {FORMAT} only")
        return None
    read = CHART.read(data, "", found)
    if read is BROKEN:
        return None
    chart = cast("ChartData", read)
    known = known_names(chart["board"])
    find_name_faults(chart, known, found)
    find_game_faults(chart, known, found)
    if (count := count_points(chart)) > MOST_POINTS:
        found.add("arcs", f"have {count:,} points where {MOST_POINTS:,} are allowed")
        return None
    if find_overuse(chart, found):
        return None
    find_line_faults(chart, found)
    find_border_faults(chart, known, found)
    find_relief_faults(chart, found)
    if drawing:
        # Reading a stored chart must not wait for the numerical libraries.
        from diplomaccloud.atlas.validation.full_check import find_faults_of_whole  # noqa: PLC0415

        find_faults_of_whole(chart, found)
    return chart
