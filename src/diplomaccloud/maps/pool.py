"""A pool of generated maps to choose from, made from numbered seeds."""

import datetime as dt

from diplomaccloud.maps.library import store
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.pictures import draw_all
from diplomaccloud.maps.workshop import make_map

POOL_SIZE = 16
_SEED = "pool"
_PLAYERS = (7, 7, 5, 7, 6, 7, 4, 3)


def missing_from_pool(size: int = POOL_SIZE) -> list[int]:
    """Return the numbers of the pool's maps that are not stored yet, lowest first."""
    wanted = {f"{_SEED} {number}": number for number in range(1, size + 1)}
    there = StoredChart.objects.filter(seed__in=list(wanted)).values_list("seed", flat=True)
    return sorted(number for seed, number in wanted.items() if seed not in set(there))


def make_pool_map(number: int, *, now: dt.datetime) -> str:
    """Return the hash of the pool's map `number`, made, stored and drawn.

    Raises `NoMapError`.
    """
    players = _PLAYERS[(number - 1) % len(_PLAYERS)]
    content_hash = store(make_map(f"{_SEED} {number}", players), now=now)
    draw_all(content_hash)
    return content_hash
