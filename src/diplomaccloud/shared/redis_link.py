"""The connection to Redis or Valkey. Imported only if the site has one."""

from functools import cache
from typing import Any, Final

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from diplomaccloud.shared.outages import Outage

ERRORS: Final = (redis.RedisError, OSError)
"""The errors raised if the server is down."""
outage = Outage("cache")
"""Whether Redis is down, shared by all parts of this process that use it."""

OPTIONS: Final[dict[str, Any]] = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 1.0,
    # Retry once, in case the server has closed an idle connection.
    "retry": Retry(NoBackoff(), 1),
}


@cache
def open_link() -> "redis.Redis":
    """Return this process's client, which connects when it is first used."""
    return redis.Redis.from_url(settings.CACHE_URL, **OPTIONS)
