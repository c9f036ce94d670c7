"""Faults of the heights that a chart is shaded with."""

import base64
import binascii

from diplomaccloud.atlas.validation.chart_data import ChartData, ReliefData
from diplomaccloud.atlas.validation.faults import Faults


def find_relief_faults(data: ChartData, found: Faults) -> None:
    """Add heights that cannot be read or are too few or too many."""
    relief = data["relief"]
    if relief is None:
        return
    try:
        values = heights(relief)
    except ValueError:
        found.add("relief.values", "is not base64")
        return
    wanted = relief["width"] * relief["height"]
    if len(values) != wanted:
        found.add("relief.values", f"has {len(values)} heights, not {wanted}")


def heights(relief: ReliefData) -> bytes:
    """Return the heights, a byte each; raises `ValueError` for what is not base64."""
    try:
        return base64.b64decode(relief["values"], validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
