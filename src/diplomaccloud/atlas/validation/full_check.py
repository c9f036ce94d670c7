"""Faults that a chart which is to be stored must not have: of geometry, spelling and figures."""

from diplomaccloud.atlas.validation.chart_data import ChartData
from diplomaccloud.atlas.validation.coasts import find_coast_faults
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.figures import find_figure_faults
from diplomaccloud.atlas.validation.geometry import find_drawing_faults
from diplomaccloud.atlas.validation.spelling import find_spelling_faults


def find_faults_of_whole(data: ChartData, found: Faults) -> None:
    """Add what is looked at once only, before a chart is stored: it takes a second."""
    find_spelling_faults(data, found)
    find_drawing_faults(data, found)
    find_coast_faults(data, found)
    if not found:
        find_figure_faults(data, found)
