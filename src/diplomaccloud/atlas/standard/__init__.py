"""The standard map of Europe in 1901, our own drawing, and maps of Europe for other setups."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import chart_from_json
from diplomaccloud.judge.codec.boards import board_to_json
from diplomaccloud.judge.standard.europe import standard_board

DATA = Path(__file__).with_name("europe.json")
"""The stored standard map: a chart file without its board, which is in `judge`.

`scripts/europe` writes it from a drawing.
"""


@cache
def standard_chart() -> Chart:
    """Return the standard board as a map."""
    board = standard_board()
    data = json.loads(DATA.read_text(encoding="utf-8"))
    return replace(chart_from_json({**data, "board": board_to_json(board)}), board=board)
