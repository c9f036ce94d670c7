"""A Django cache in Redis, with the database as a fallback while Redis is down."""

import json
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache as DjangoRedisCache

from diplomaccloud.shared.database_cache import DatabaseCache
from diplomaccloud.shared.outages import Away
from diplomaccloud.shared.redis_link import ERRORS, OPTIONS, count, outage


class JsonSerializer:
    """Writes values as JSON, since pickles could run code if an attacker changed them."""

    def dumps(self, value: Any) -> str:
        """Return the value as text; an integer stays a number that Redis can increment."""
        return json.dumps(value)

    def loads(self, data: bytes) -> Any:
        """Return the value."""
        return json.loads(data)


def _guarded(name: str) -> Callable[..., Any]:
    """Return a method of the cache that uses the database if Redis is down."""
    ask_redis = getattr(DjangoRedisCache, name)

    def ask(self: "RedisCache", *args: Any, **options: Any) -> Any:
        try:
            with outage.watched(*ERRORS):
                return ask_redis(self, *args, **options)
        except Away:
            return getattr(self.spare, name)(*args, **options)

    ask.__name__ = name
    ask.__doc__ = ask_redis.__doc__
    return ask


class RedisCache(DjangoRedisCache):
    """A cache that all machines share; values must be expressible in JSON."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {**OPTIONS, "serializer": JsonSerializer}
        # Pass a list: the library would split a password at a comma.
        super().__init__([server], {**params, "OPTIONS": options})
        self.spare = DatabaseCache("", params)

    add = _guarded("add")
    get = _guarded("get")
    set = _guarded("set")
    touch = _guarded("touch")
    delete = _guarded("delete")
    incr = _guarded("incr")
    has_key = _guarded("has_key")
    get_many = _guarded("get_many")
    set_many = _guarded("set_many")
    delete_many = _guarded("delete_many")

    def clear(self) -> None:
        """Delete only the cache's keys, since a broker may use the same Redis database."""
        self.spare.clear()
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*"):
            client.delete(key)

    def count(self, key: str, seconds: float, amount: int = 1) -> int:
        """Add to a counter and return the sum. It starts at 0, and resets after `seconds`."""
        try:
            with outage.watched(*ERRORS):
                client = self._cache.get_client(key, write=True)
                return count(client, self.make_and_validate_key(key), seconds, amount)
        except Away:
            return self.spare.count(key, seconds, amount)
