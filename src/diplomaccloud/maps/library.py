"""Charts in the database, found by the hash of their content."""

import datetime as dt
from functools import cache, lru_cache

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import dump_chart, hash_text, load_chart
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.maps.models import StoredChart

_CACHE_SIZE = 24


class UnknownMapError(LookupError):
    """No map is stored under this hash."""


def store_chart(chart: Chart, *, now: dt.datetime, players: int | None = None) -> str:
    """Return the hash of `chart`, storing the chart if it is new.

    `players` is the number of players, by default one for each power.
    """
    text = dump_chart(chart)
    key = hash_text(text)
    StoredChart.objects.get_or_create(
        content_hash=key,
        defaults={
            "name": chart.world[:60],
            "players": len(chart.board.powers) if players is None else players,
            "provinces": len(chart.board.provinces),
            "centers": len(chart.board.centers),
            "seed": chart.seed[:100],
            "maker": chart.maker[:60],
            "text": text,
            "created_at": now,
        },
    )
    return key


@lru_cache(maxsize=_CACHE_SIZE)
def find_chart(content_hash: str) -> Chart:
    """Return the chart stored under `content_hash`; raise `UnknownMapError` if there is none.

    Charts are immutable, so the most recent ones are cached in memory.
    """
    return load_chart(find_text(content_hash))


def find_text(content_hash: str) -> str:
    """Return the canonical JSON of a map; raise `UnknownMapError` if there is none."""
    row = StoredChart.objects.filter(content_hash=content_hash).values_list("text", flat=True)
    text = row.first()
    if text is None:
        raise UnknownMapError(f"There is no map {content_hash[:8]!r}.")
    return text


@cache
def standard_hash() -> str:
    """Return the hash of the standard map."""
    return hash_text(dump_chart(standard_chart()))


def store_standard(*, now: dt.datetime) -> str:
    """Return the hash of the standard map, storing it if it is missing."""
    key = standard_hash()
    if not StoredChart.objects.filter(content_hash=key).exists():
        store_chart(standard_chart(), now=now)
    return key
