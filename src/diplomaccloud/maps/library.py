"""Charts kept in the database, found by the hash of their content."""

import datetime as dt
from functools import cache, lru_cache

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import content_hash, dump_chart, load_chart
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.maps.models import StoredChart

_KEPT_IN_MEMORY = 24


class UnknownMapError(LookupError):
    """A hash under which no map is stored."""


def store(chart: Chart, *, now: dt.datetime, players: int | None = None) -> str:
    """Return the hash under which `chart` is kept, storing it if it is new.

    `players` is how many people play on it, by default one for each power.
    """
    key = content_hash(chart)
    StoredChart.objects.get_or_create(
        content_hash=key,
        defaults={
            "name": chart.world[:60],
            "players": len(chart.board.powers) if players is None else players,
            "provinces": len(chart.board.provinces),
            "centers": len(chart.board.centers),
            "seed": chart.seed[:100],
            "maker": chart.maker[:60],
            "text": dump_chart(chart),
            "created_at": now,
        },
    )
    return key


@lru_cache(maxsize=_KEPT_IN_MEMORY)
def find_chart(content_hash: str) -> Chart:
    """Return the chart stored under `content_hash`; raise `UnknownMapError` if there is none.

    The values are immutable, so the most recent ones are kept in memory.
    """
    return load_chart(find_text(content_hash))


def find_text(content_hash: str) -> str:
    """Return the canonical JSON of a map; raise `UnknownMapError` if there is none."""
    row = StoredChart.objects.filter(content_hash=content_hash).values_list("text", flat=True)
    text = row.first()
    if text is None:
        raise UnknownMapError(f"no map {content_hash[:8]!r}")
    return text


@cache
def standard_hash() -> str:
    """Return the hash of the standard map."""
    return content_hash(standard_chart())


def store_standard(*, now: dt.datetime) -> str:
    """Return the hash of the standard map, storing it if it is not there yet."""
    key = standard_hash()
    if not StoredChart.objects.filter(content_hash=key).exists():
        store(standard_chart(), now=now)
    return key
