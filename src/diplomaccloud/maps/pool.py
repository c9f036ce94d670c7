"""A stock of fair maps that nobody has played on yet, made ahead so that nobody waits.

Each comes from a numbered seed with one of a few letters behind it. Play chooses among many
placements on the lands of all of them (see `playoff`).
"""

import datetime as dt
from collections.abc import Mapping
from typing import Final

from django.db.models import Count, Q, QuerySet

from diplomaccloud.maps.certifying import newest_spread, record
from diplomaccloud.maps.fairness import FAIR
from diplomaccloud.maps.library import store
from diplomaccloud.maps.measuring import measure
from diplomaccloud.maps.models import Certificate, KeptMap, StoredChart
from diplomaccloud.maps.pictures import draw_all
from diplomaccloud.maps.workshop import KIND, make_even_map, make_map

STOCK: Final[Mapping[int, int]] = {7: 8, 6: 2, 5: 2, 4: 2, 3: 2, 2: 1, 8: 1, 9: 1, 10: 1}
"""How many unplayed maps to keep, by their number of players."""

MOST = 400
"""So many maps are made ahead in all; after that the least played serve again."""

LETTERS = "abcdefghijkl"
"""One for each land that was ever tried for one map of the stock."""

LANDS = 8
"""So many lands are tried for one map."""

_PREFIX = "stock "

FIRST = "first 14"
"""The seed of a map that greedy bots find even, though play chose nothing on it.

A generator that gives other maps needs another: it is looked for among `first 1`, `first 2` …
"""


def missing_from_stock(avoiding: frozenset[str] = frozenset()) -> str | None:
    """Return the seed of the map to make next, without a letter; `None` if the stock is full.

    The number of players that lacks most of its stock comes first. Maps of the stock that are
    neither fair nor chosen by play, as older versions made them, serve on but are not counted.
    Seeds in `avoiding`, of which no map comes, are passed over.
    """
    made = _stock()
    if made.count() >= MOST:
        return None
    worthy = made.annotate(spread=newest_spread()).filter(
        Q(maker__endswith=KIND) | Q(spread__lte=FAIR)
    )
    unplayed = worthy.filter(game=None).values_list("players", flat=True)
    there = {players: list(unplayed).count(players) for players in STOCK}
    lacking = [players for players, wanted in STOCK.items() if there[players] < wanted]
    if not lacking:
        return None
    players = min(lacking, key=lambda one: there[one] / STOCK[one])
    stored = made.filter(players=players).values_list("seed", flat=True)
    seeds = {seed.rstrip(LETTERS) for seed in stored} | avoiding
    numbered = (f"{_PREFIX}{players}-{number}" for number in range(1, MOST + len(avoiding) + 2))
    return next(seed for seed in numbered if seed not in seeds)


def make_stock_map(seed: str, *, now: dt.datetime) -> str:
    """Return the hash of the map of a seed of the stock, made, certified, stored and drawn.

    Takes a minute or more of a processor. Raises `NoMapError`.
    """
    players = int(seed.removeprefix(_PREFIX).partition("-")[0])
    chart = make_even_map([f"{seed}{letter}" for letter in LETTERS[:LANDS]], players)
    found = measure(chart)
    key = store(chart, now=now)
    record(key, found, now=now)
    draw_all(key)
    return key


def make_first_map(*, now: dt.datetime) -> str:
    """Return the hash of a map made in a second or two, for a site that has none yet.

    Stored and drawn, not yet certified. Raises `NoMapError`.
    """
    key = store(make_map(FIRST), now=now)
    draw_all(key)
    return key


def map_to_play(players: int = 7) -> str | None:
    """Return the hash of the least played certified map of the stock, the fairest of these."""
    rows = _stock().filter(players=players)
    counted = rows.annotate(played=Count("game"), spread=newest_spread())
    best = counted.order_by("played", "spread", "pk").first()
    return None if best is None else best.content_hash


def _stock() -> QuerySet[StoredChart]:
    # A person may have typed such a seed and kept the map: that one is not ours.
    return (
        StoredChart.objects.defer("text")
        .filter(seed__startswith=_PREFIX, pk__in=Certificate.objects.values("chart"))
        .exclude(pk__in=KeptMap.objects.values("chart"))
    )
