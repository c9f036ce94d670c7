"""Django's cache in Redis, with the database in its place while Redis is away."""

import json
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache as DjangoRedisCache

from diplomaccloud.shared.database_cache import DatabaseCache
from diplomaccloud.shared.outages import Away
from diplomaccloud.shared.redis_link import ERRORS, OPTIONS, count, outage


class JsonSerializer:
    """Writes values as JSON: pickles would run as code if somebody changed them."""

    def dumps(self, value: Any) -> str:
        """Return the value as a text, which is a number where Redis can count on."""
        return json.dumps(value)

    def loads(self, data: bytes) -> Any:
        """Return the value."""
        return json.loads(data)


def _guarded(name: str) -> Callable[..., Any]:
    """Return a method of the cache that asks the database if Redis is away."""
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
    """A cache that all machines share; values are what JSON can express."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {**OPTIONS, "serializer": JsonSerializer}
        # A list: the library would cut a password in two at a comma.
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
        """Delete everything of the cache; a broker may keep its own in the same database."""
        self.spare.clear()
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*"):
            client.delete(key)

    def count(self, key: str, seconds: float, amount: int = 1) -> int:
        """Add to a number and return the sum. It begins at 0, and again after some seconds."""
        try:
            with outage.watched(*ERRORS):
                client = self._cache.get_client(key, write=True)
                return count(client, self.make_and_validate_key(key), seconds, amount)
        except Away:
            return self.spare.count(key, seconds, amount)
