"""The standard map of Europe in 1901: this project's own drawing of the standard board."""

from functools import cache

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.standard.storage import DATA, load_standard


@cache
def standard_chart() -> Chart:
    """Return the standard board as a map."""
    return load_standard(DATA.read_text(encoding="utf-8"))
