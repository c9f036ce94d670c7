"""Charts in the database, identified by the hash of their content."""

import datetime as dt
import time
from dataclasses import replace
from functools import cache, lru_cache

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import dump_chart, hash_text, load_chart
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.maps.models import SavedMap, StoredChart

_CACHE_SIZE = 24
_KEEP_SECONDS = 600
"""How long a chart is cached in memory, and thus how long a process may show a hidden name."""
_MAX_NAME = 60


class UnknownMapError(LookupError):
    """No map is stored under this hash."""


def store_chart(chart: Chart, *, now: dt.datetime, players: int | None = None) -> str:
    """Store `chart` if it is new, and return its hash.

    `players` is the number of players, by default one per power.
    """
    text = dump_chart(chart)
    key = hash_text(text)
    StoredChart.objects.get_or_create(
        content_hash=key,
        defaults={
            "name": chart.world[:_MAX_NAME],
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


def find_chart(content_hash: str) -> Chart:
    """Return the chart stored under `content_hash`; raise `UnknownMapError` if there is none.

    The most recent ones are cached in memory for a while, since only a chart's name can change.
    """
    return load_recent(content_hash, int(time.monotonic() // _KEEP_SECONDS))


@lru_cache(maxsize=_CACHE_SIZE)
def load_recent(content_hash: str, _period: int) -> Chart:
    """Return the chart as `find_chart` does, loading it once per period."""
    rows = StoredChart.objects.filter(content_hash=content_hash)
    found = rows.values_list("text", "name").first()
    if found is None:
        raise UnknownMapError(f"There is no map {content_hash[:8]!r}.")
    chart = load_chart(found[0])
    return chart if chart.world[:_MAX_NAME] == found[1] else replace(chart, world=found[1])


def set_map_name(content_hash: str, name: str) -> None:
    """Change the displayed name of a map; see `hide_map_name`."""
    StoredChart.objects.filter(content_hash=content_hash).update(name=name)
    load_recent.cache_clear()


def hide_map_name(content_hash: str) -> None:
    """Show a map as `Map 1a2b3c4d`, except in its file, which must match the map's hash."""
    set_map_name(content_hash, make_neutral_name(content_hash))


def is_name_chosen(content_hash: str) -> bool:
    """Return whether a person chose the map's displayed name."""
    saved = SavedMap.objects.filter(chart__content_hash=content_hash)
    return saved.exclude(chart__name=make_neutral_name(content_hash)).exists()


def make_neutral_name(content_hash: str) -> str:
    """Return the name of a map whose own name is hidden."""
    return f"Map {content_hash[:8]}"


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
    """Store the standard map if it is missing, and return its hash."""
    key = standard_hash()
    if not StoredChart.objects.filter(content_hash=key).exists():
        store_chart(standard_chart(), now=now)
    return key
