"""The standard map's setups as gallery maps: fewer players and other starting positions."""

import datetime as dt
from functools import cache

from django.db.models import Q

from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.atlas.standard.boards import MAKER_PREFIX, known_drawings, setup_charts
from diplomaccloud.maps.library import find_chart, standard_hash, store_chart
from diplomaccloud.maps.models import SavedMap, StoredChart


def store_setup_maps(*, now: dt.datetime) -> list[str]:
    """Store missing setup maps, and return the hashes of all setup maps."""
    return [
        store_chart(setup.chart, now=now, players=len(setup.setup.players))
        for setup in setup_charts().values()
    ]


def match_outdated_maps() -> Q:
    """Return the condition for our own maps of Europe from older versions.

    Games on them continue, but new games don't need them. They are recognized by hash alone,
    because anyone may draw a map and call it Europe. A map that a person saved on the site is never
    outdated.
    """
    saved = Q(pk__in=SavedMap.objects.values("chart"))
    return Q(content_hash__in=known_drawings() - _current_hashes()) & ~saved


@cache
def _current_hashes() -> frozenset[str]:
    """Return the hashes of our own maps of Europe as they are drawn now."""
    setups = {content_hash(setup.chart) for setup in setup_charts().values()}
    return frozenset({standard_hash(), *setups})


def find_map_setup(chart: StoredChart) -> str:
    """Return the name of the setup for games on `chart`; empty for the map's own setup."""
    name = chart.maker.removeprefix(MAKER_PREFIX)
    if name == chart.maker or name not in setup_charts():
        return ""
    # Anyone can import a map that claims to be a setup map.
    return name if find_chart(chart.content_hash).board == setup_charts()[name].chart.board else ""
