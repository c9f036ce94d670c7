"""The boards of the documents in the gallery: Europe for fewer players, and other starts."""

import datetime as dt

from diplomaccloud.atlas.standard.boards import MAKER, setup_charts
from diplomaccloud.maps.library import find_chart, store
from diplomaccloud.maps.models import StoredChart


def store_boards(*, now: dt.datetime) -> list[str]:
    """Return the hashes of all these maps, storing those that are not there yet."""
    return [
        store(one.chart, now=now, players=len(one.setup.players)) for one in setup_charts().values()
    ]


def setup_of_map(chart: StoredChart) -> str:
    """Return the name of the setup that games on `chart` begin with; empty for the map's own."""
    name = chart.maker.removeprefix(MAKER)
    if name == chart.maker or name not in setup_charts():
        return ""
    # Anybody can bring a map that says so of itself.
    return name if find_chart(chart.content_hash).board == setup_charts()[name].chart.board else ""
