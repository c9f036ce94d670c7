"""Faults of a chart's relief."""

import base64
import binascii

from diplomaccloud.atlas.validation.chart_schema import ChartData, ReliefData
from diplomaccloud.atlas.validation.faults import Faults


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
