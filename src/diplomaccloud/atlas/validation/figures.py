"""Faults of the measured figures of a chart: those that its board does not have."""

from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.survey import size_figures
from diplomaccloud.atlas.validation.chart_data import ChartData
from diplomaccloud.atlas.validation.faults import Faults, below
from diplomaccloud.judge.codec.boards import board_from_json

_FITTED = frozenset({"cv_predicted_share"})
"""Figures whose definition may be fitted anew."""

_SLACK = 0.002
"""For rounding."""


def find_figure_faults(data: ChartData, found: Faults) -> None:
    """Add figures that are others than those of the board, which must be without fault."""
    if not data["fairness"]:
        return
    try:
        board = board_from_json(data["board"])
    except ValueError:
        return
    for name, value in (fairness(board) | size_figures(board)).items():
        told = data["fairness"].get(name, value)
        if name not in _FITTED and abs(told - value) > _SLACK:
            found.add(below("fairness", name), f"is {told:g}, but the board has {value:g}")
