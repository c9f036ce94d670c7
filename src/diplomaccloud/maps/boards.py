"""The boards of the documents in the gallery: Europe for fewer players, and other starts."""

import datetime as dt

from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.atlas.standard.boards import MAKER, setup_charts
from diplomaccloud.maps.library import store
from diplomaccloud.maps.models import StoredChart


def store_boards(*, now: dt.datetime) -> list[str]:
    """Return the hashes of all these maps, storing those that are not there yet.

    Left out is the game for two of 1914: Italy's land is closed there until a coin falls, and a
    game on this site has one board from its beginning to its end.
    """
    return [
        store(one.chart, now=now, players=len(one.setup.players))
        for one in setup_charts().values()
        if one.setup.coin is None
    ]


def setup_of_map(chart: StoredChart) -> str:
    """Return the name of the setup that games on `chart` begin with; empty for the map's own."""
    name = chart.maker.removeprefix(MAKER)
    if name == chart.maker or name not in setup_charts():
        return ""
    # Anybody can bring a map that says so of itself.
    known = content_hash(setup_charts()[name].chart)
    return name if known == chart.content_hash else ""
