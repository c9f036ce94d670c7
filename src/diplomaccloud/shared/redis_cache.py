"""The cache in Redis or Valkey, with the database as a fallback. Imported only if the site has one.

Django's own cache in Redis does the work. While the server is down, it would raise an error in
every request, after waiting for the server; so each call is guarded by the process's `outage`.
"""

from functools import cache, wraps
from typing import Any, Final

import redis
from django.conf import settings
from django.core.cache.backends.redis import RedisCache as DjangoRedisCache
from django.core.signing import JSONSerializer
from redis.backoff import NoBackoff
from redis.retry import Retry

from diplomaccloud.shared.database_cache import DatabaseCache
from diplomaccloud.shared.outages import Away, Outage

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
_ONE = ("add", "get", "set", "touch", "delete", "incr", "has_key")


@cache
def open_link() -> "redis.Redis":
    """Return this process's client, which connects when it is first used."""
    return redis.Redis.from_url(settings.CACHE_URL, **OPTIONS)


class RedisCache(DjangoRedisCache):
    """A cache that all machines share; values must be expressible in JSON."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        # JSON, since pickles could run code if an attacker changed them. An integer stays a number
        # that Redis can increment.
        options = {**OPTIONS, "serializer": JSONSerializer}
        # Pass a list: the library would split a password at a comma.
        super().__init__([server], {**params, "OPTIONS": options})
        self.spare = DatabaseCache("", params)

    def clear(self) -> None:
        """Delete only the cache's keys, since a broker may use the same Redis database."""
        self.spare.clear()
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*"):
            client.delete(key)

    def count(self, key: str, seconds: float, amount: int = 1) -> int:
        """Add to a counter and return the sum. It starts at 0, and resets after `seconds`."""
        total = self.count_in_redis(key, seconds, amount)
        return self.spare.count(key, seconds, amount) if total is None else total

    def count_in_redis(self, key: str, seconds: float, amount: int = 1) -> int | None:
        """Do the same without the database; return None while Redis is down."""
        name = self.make_and_validate_key(key)
        try:
            with outage.watched(*ERRORS):
                steps = self._cache.get_client(name, write=True).pipeline(transaction=True)
                steps.set(name, 0, px=round(seconds * 1000), nx=True)
                steps.incrby(name, amount)
                return int(steps.execute()[1])
        except Away:
            return None


def _guard(name: str) -> None:
    """Let a method of the cache use the database if Redis is down."""
    ask_redis = getattr(DjangoRedisCache, name)

    @wraps(ask_redis)
    def ask(self: RedisCache, *args: Any, **options: Any) -> Any:
        try:
            with outage.watched(*ERRORS):
                return ask_redis(self, *args, **options)
        except Away:
            return getattr(self.spare, name)(*args, **options)

    setattr(RedisCache, name, ask)


for _name in (*_ONE, "get_many", "set_many", "delete_many"):
    _guard(_name)
