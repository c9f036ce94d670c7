"""The connection to Redis, or Valkey, where the site has one. Imported only there."""

from functools import cache
from typing import Any, Final

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from diplomaccloud.shared.outages import Outage

ERRORS: Final = (redis.RedisError, OSError)
"""What is raised if the server is away."""
PREFIX: Final = "diplomaccloud:"
outage = Outage("cache")
"""Whether Redis is away, for all parts of this process that use it."""

OPTIONS: Final[dict[str, Any]] = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 1.0,
    # Once: a connection that the server has closed is noticed when it is used.
    "retry": Retry(NoBackoff(), 1),
}


@cache
def open_link() -> "redis.Redis":
    """Return the client of this process, which connects when it is used."""
    return redis.Redis.from_url(settings.CACHE_URL, **OPTIONS)


def count(client: "redis.Redis", key: str, seconds: float, amount: int) -> int:
    """Add to a number and return the sum. It begins at 0, and again after some seconds."""
    steps = client.pipeline(transaction=True)
    steps.set(key, 0, px=round(seconds * 1000), nx=True)
    steps.incrby(key, amount)
    return int(steps.execute()[1])
