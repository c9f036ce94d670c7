"""The slow checks before a chart is stored: spelling, geometry, coasts and measurements."""

from diplomaccloud.atlas.validation.chart_schema import ChartData
from diplomaccloud.atlas.validation.coasts import find_coast_faults
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.figures import find_figure_faults
from diplomaccloud.atlas.validation.geometry import find_geometry_faults
from diplomaccloud.atlas.validation.spellings import find_spelling_faults


def find_drawing_and_spelling_faults(data: ChartData, faults: Faults) -> None:
    """Add the faults that are checked only before a chart is stored. This takes a second."""
    find_spelling_faults(data, faults)
    find_geometry_faults(data, faults)
    find_coast_faults(data, faults)
    if not faults:
        find_figure_faults(data, faults)
