"""The standard map of Europe in 1901, our own drawing, and maps of Europe for other setups."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import chart_from_json, chart_to_json
from diplomaccloud.judge.codec.boards import board_to_json
from diplomaccloud.judge.standard.europe import standard_board

DATA = Path(__file__).with_name("europe.json")
"""The stored standard map: a chart file without its board, which is in `judge`."""


@cache
def standard_chart() -> Chart:
    """Return the standard board as a map."""
    return load_standard(DATA.read_text(encoding="utf-8"))


def dump_standard(chart: Chart) -> str:
    """Return `chart` as the text to store."""
    data = chart_to_json(chart)
    del data["board"]
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def load_standard(text: str) -> Chart:
    """Return the chart stored as `text`, on the standard board."""
    board = standard_board()
    chart = chart_from_json({**json.loads(text), "board": board_to_json(board)})
    return replace(chart, board=board)
