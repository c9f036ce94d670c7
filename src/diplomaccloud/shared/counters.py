"""Counters that all processes of a site share, for limits."""

from typing import Any, cast

from django.conf import settings
from django.core.cache import cache


def count(key: str, seconds: float, amount: int = 1) -> int:
    """Add to a counter and return the sum. It starts at 0, and resets after `seconds`."""
    return int(cast("Any", cache).count(key, seconds, amount))


def count_in_redis(key: str, seconds: float, amount: int = 1) -> int | None:
    """Do the same in Redis, which is cheap; return None without Redis or while it is down."""
    if not settings.CACHE_URL:
        return None
    return cast("int | None", cast("Any", cache).count_in_redis(key, seconds, amount))
