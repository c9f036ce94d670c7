"""Counters that all processes of a site share, for limits."""

from typing import cast

from django.conf import settings
from django.core.cache import cache

from diplomaccloud.shared.database_cache import DatabaseCache
from diplomaccloud.shared.outages import Away


def count(key: str, seconds: float, amount: int = 1) -> int:
    """Add to a counter and return the sum. It starts at 0, and resets after `seconds`."""
    return cast("DatabaseCache", cache).count(key, seconds, amount)


def count_in_redis(key: str, seconds: float, amount: int = 1) -> int | None:
    """Do the same in Redis, which is cheap; return None without Redis or while it is down."""
    if not settings.CACHE_URL:
        return None
    from diplomaccloud.shared import redis_link  # noqa: PLC0415 the library may be missing

    try:
        with redis_link.outage.watched(*redis_link.ERRORS):
            client = redis_link.open_link()
            return redis_link.count(client, redis_link.PREFIX + key, seconds, amount)
    except Away:
        return None
