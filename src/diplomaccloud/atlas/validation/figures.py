"""Faults of a chart's measurements: values that do not match its board."""

from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.survey import size_figures
from diplomaccloud.atlas.validation.chart_schema import ChartData
from diplomaccloud.atlas.validation.faults import Faults, join_path
from diplomaccloud.judge.codec.boards import board_from_json

_REFITTED = frozenset({"cv_predicted_share"})
"""Measurements that later versions may define with new weights."""

_TOLERANCE = 0.002
"""For rounding."""


def find_figure_faults(data: ChartData, faults: Faults) -> None:
    """Add measurements that differ from those of the board, which must be valid."""
    if not data["fairness"]:
        return
    try:
        board = board_from_json(data["board"])
    except ValueError:
        return
    for name, value in (fairness(board) | size_figures(board)).items():
        stated = data["fairness"].get(name, value)
        if name not in _REFITTED and abs(stated - value) > _TOLERANCE:
            faults.add(
                join_path("fairness", name),
                f"is {stated:g}, but the value for this board is {value:g}",
            )
