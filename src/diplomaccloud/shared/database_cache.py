"""The cache of a site without Redis, and the counters of limits.

A site has no other service that all its processes share, so the cache is a table of the database.
Django's own database cache does not count atomically, counts all rows at each write, and stores
pickles, which can run code if an attacker changes them.
"""

import datetime as dt
import json
import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar, cast

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from diplomaccloud.shared.models import CacheEntry

ENTRIES_AT_ONCE: Final = 1000
"""How many expired entries are deleted in one round, to keep transactions short."""
_NEVER: Final = dt.datetime(9999, 1, 1, tzinfo=dt.UTC)
_TRIES: Final = 5
_MYSQL_CODES: Final = frozenset({1020, 1213})
"""The row has changed since it was read, or there was a deadlock."""
_POSTGRESQL_STATES: Final = frozenset({"40001", "40P01"})
"""A serialization failure or a deadlock."""
_SQLITE_NAME: Final = "SQLITE_BUSY_SNAPSHOT"
"""Another process has written since this one read."""
P = ParamSpec("P")
T = TypeVar("T")


def retry_deadlocks(write: Callable[P, T]) -> Callable[P, T]:
    """Return `write` with retries, because MariaDB aborts one of two processes that write one key.

    Inside a transaction the caller must retry, because the whole transaction was rolled back.
    A lock that was not free in time is not retried: the person has waited long enough.
    """

    @wraps(write)
    def retried(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(_TRIES - 1):
            try:
                return write(*args, **kwargs)
            except OperationalError as error:
                if connection.in_atomic_block or not _is_deadlock(error):
                    raise
        return write(*args, **kwargs)

    return retried


def _is_deadlock(error: OperationalError) -> bool:
    """Return whether the database aborted a statement at once because of another process."""
    cause = error.__cause__
    return cause is not None and (
        getattr(cause, "sqlstate", None) in _POSTGRESQL_STATES
        or getattr(cause, "sqlite_errorname", "") == _SQLITE_NAME
        or (bool(cause.args) and cause.args[0] in _MYSQL_CODES)
    )


class DatabaseCache(BaseCache):
    """A cache that all processes share; values must be expressible in JSON."""

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    @retry_deadlocks
    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: Any = None
    ) -> bool:
        """Store the value and return True, or return False if there already is one."""
        digest, now = self._digest(key, version), timezone.now()
        expires_at = CacheEntry.objects.filter(pk=digest).values_list("expires_at", flat=True)
        until = expires_at.first()
        if until is not None and until > now:
            return False
        new = {"value": json.dumps(value), "expires_at": self._end(timeout, now)}
        if until is not None:
            # If two processes see the same expired entry, only one replaces it.
            old = CacheEntry.objects.filter(pk=digest, expires_at__lte=now)
            return bool(old.update(**new))
        try:
            with transaction.atomic():
                CacheEntry.objects.create(pk=digest, **new)
        except IntegrityError:
            return False
        return True

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        """Return the value, or `default`."""
        value = self._select(key, version).values_list("value", flat=True).first()
        return default if value is None else json.loads(value)

    @retry_deadlocks
    def set(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: Any = None
    ) -> None:
        """Store the value, replacing any other."""
        digest, end = self._digest(key, version), self._end(timeout, timezone.now())
        named = connection.features.supports_update_conflicts_with_target
        CacheEntry.objects.bulk_create(
            [CacheEntry(pk=digest, value=json.dumps(value), expires_at=end)],
            update_conflicts=True,
            update_fields=["value", "expires_at"],
            unique_fields=["key"] if named else None,
        )

    def touch(self, key: str, timeout: float | None = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        """Make the value expire `timeout` from now; return whether there is a value."""
        end = self._end(timeout, timezone.now())
        return bool(self._select(key, version).update(expires_at=end))

    def delete(self, key: str, version: Any = None) -> bool:
        """Delete the value; return whether there was one."""
        was_there = self._select(key, version).exists()
        CacheEntry.objects.filter(pk=self._digest(key, version)).delete()
        return was_there

    def clear(self) -> None:
        """Delete everything."""
        CacheEntry.objects.all().delete()

    @retry_deadlocks
    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        """Add to a counter and return the sum; raise `ValueError` if it does not exist."""
        with transaction.atomic():
            entry = self._select(key, version).select_for_update().first()
            if entry is None:
                raise ValueError(f"There is no counter {key!r}.")
            total = int(json.loads(entry.value)) + delta
            CacheEntry.objects.filter(pk=entry.pk).update(value=json.dumps(total))
            return total

    def count(self, key: str, seconds: float, amount: int = 1) -> int:
        """Add to a counter and return the sum. It starts at 0, and resets after `seconds`."""
        self.add(key, 0, seconds)
        try:
            return self.incr(key, amount)
        except ValueError:  # it has just expired
            self.set(key, amount, seconds)
            return amount

    def _select(self, key: str, version: Any) -> QuerySet[CacheEntry]:
        """Return the entry, unless it has expired."""
        digest = self._digest(key, version)
        return CacheEntry.objects.filter(pk=digest, expires_at__gt=timezone.now())

    def _digest(self, key: str, version: Any) -> str:
        # Any key works because it is hashed, so skip Django's warnings about memcached.
        made = self.make_key(key, version=version)
        return salted_hmac("diplomaccloud.shared.cache", made, algorithm="sha256").hexdigest()

    def _end(self, timeout: Any, now: dt.datetime) -> dt.datetime:
        if timeout == DEFAULT_TIMEOUT:
            timeout = self.default_timeout
        return _NEVER if timeout is None else now + dt.timedelta(seconds=timeout)


def prune_cache(*, now: dt.datetime) -> int:
    """Delete up to `ENTRIES_AT_ONCE` expired entries; return how many. Called by the worker."""
    # Read the keys first: MySQL cannot delete from a table with a limited subquery on it.
    old = CacheEntry.objects.filter(expires_at__lte=now).order_by("expires_at")
    keys = list(old.values_list("pk", flat=True)[:ENTRIES_AT_ONCE])
    if not keys:
        return 0
    return CacheEntry.objects.filter(pk__in=keys, expires_at__lte=now).delete()[0]


def count(key: str, seconds: float, amount: int = 1) -> int:
    """Add to a counter and return the sum. It starts at 0, and resets after `seconds`."""
    return int(cast("Any", cache).count(key, seconds, amount))


def count_in_redis(key: str, seconds: float, amount: int = 1) -> int | None:
    """Do the same in Redis, which is cheap; return None without Redis or while it is down."""
    if not settings.CACHE_URL:
        return None
    return cast("int | None", cast("Any", cache).count_in_redis(key, seconds, amount))


_SECONDS: Final = 60


class MinuteCounters:
    """Counters of the current minute that take no query.

    Without Redis, each process counts on its own: enough to keep a program from overloading it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = -1
        self._counts: dict[str, int] = {}

    def count(self, key: str, amount: int = 1) -> int:
        """Add to a counter and return the sum for this minute."""
        minute = int(time.time() // _SECONDS)
        shared = count_in_redis(f"{minute}:{key}", 2 * _SECONDS, amount)
        if shared is not None:
            return shared
        with self._lock:
            if minute != self._minute:
                self._minute, self._counts = minute, {}
            total = self._counts[key] = self._counts.get(key, 0) + amount
        return total

    def clear(self) -> None:
        """Clear the counters of this process."""
        with self._lock:
            self._counts = {}


this_minute = MinuteCounters()
