"""The boards of the documents in the gallery: Europe for fewer players, and other starts."""

import datetime as dt
from functools import cache

from django.db.models import Q

from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.atlas.standard.boards import MAKER, known_drawings, setup_charts
from diplomaccloud.maps.library import find_chart, standard_hash, store
from diplomaccloud.maps.models import KeptMap, StoredChart


def store_boards(*, now: dt.datetime) -> list[str]:
    """Return the hashes of all these maps, storing those that are not there yet."""
    return [
        store(one.chart, now=now, players=len(one.setup.players)) for one in setup_charts().values()
    ]


def redrawn() -> Q:
    """Return what holds for our own maps of Europe as older versions drew them.

    Games go on with them, but nobody need begin another. They are known by their hashes alone:
    any other map may be called Europe and drawn by hand too. One that a person has brought
    through the site is shown, whatever it is.
    """
    brought = Q(pk__in=KeptMap.objects.values("chart"))
    return Q(content_hash__in=known_drawings() - _present()) & ~brought


@cache
def _present() -> frozenset[str]:
    """Return the hashes of our own maps of Europe."""
    return frozenset(
        {standard_hash(), *(content_hash(one.chart) for one in setup_charts().values())}
    )


def setup_of_map(chart: StoredChart) -> str:
    """Return the name of the setup that games on `chart` begin with; empty for the map's own."""
    name = chart.maker.removeprefix(MAKER)
    if name == chart.maker or name not in setup_charts():
        return ""
    # Anybody can bring a map that says so of itself.
    return name if find_chart(chart.content_hash).board == setup_charts()[name].chart.board else ""
