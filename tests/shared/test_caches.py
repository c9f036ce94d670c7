"""The cache of a site, which counts for limits: in database rows and in Redis."""

import threading

import pytest
import redis
import time_machine
from django.core.cache import caches
from django.db import OperationalError, connection
from django.utils import timezone
from structlog.testing import capture_logs
from tests.cast import NOW
from tests.shared.driver_errors import DEADLOCKS, LOCK_TIMEOUTS, make_error
from tests.worker.separate_site import wait_until

from diplomaccloud.project.service_urls import build_caches
from diplomaccloud.shared import database_cache, outages, redis_cache
from diplomaccloud.shared.database_cache import MinuteCounters, prune_cache
from diplomaccloud.shared.models import CacheEntry

VALUES = [0, 7, -1, "text", True, None, [1.5, 0.25], {"a": [1]}]


@pytest.fixture
def use_redis(settings):
    """A function that lets the site use the Redis at a URL, in a process that knows nothing yet."""

    def use(url):
        settings.CACHE_URL = url
        settings.CACHES = build_caches(url)
        redis_cache.outage.__init__("cache")
        redis_cache.open_link.cache_clear()

    yield use
    redis_cache.outage.__init__("cache")
    redis_cache.open_link.cache_clear()


@pytest.fixture(params=["database", "redis"])
def cache(request, db):
    if request.param == "redis":
        request.getfixturevalue("use_redis")(request.getfixturevalue("redis_server").url)
    caches["default"].clear()
    return caches["default"]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_kept_until_it_is_deleted(cache, value):
    cache.set("key", "other", 60)
    cache.set("key", value, 60)
    assert cache.get("key", "nothing") == value
    assert type(cache.get("key")) is type(value)
    assert cache.delete("key")
    assert not cache.delete("key")
    assert cache.get("key", "nothing") == "nothing"


def test_only_the_first_adds(cache):
    assert cache.add("key", "first", 60)
    assert not cache.add("key", "second", 60)
    assert cache.get("key") == "first"


def test_a_number_is_counted(cache):
    with pytest.raises(ValueError, match="key"):
        cache.incr("key")
    assert [cache.count("key", 60), cache.count("key", 60, 5), cache.incr("key", 2)] == [1, 6, 8]
    assert cache.get("key") == 8
    assert cache.count("other", 60, 0) == 0


def test_everything_expires(cache):
    for name in ("kept", "touched"):
        cache.set(name, 1, 60)
    cache.set("key", 1, 1)
    cache.count("number", 1)
    assert cache.touch("touched", 1)
    wait_until(lambda: not any(cache.get_many(["key", "number", "touched"])))
    assert not cache.touch("key", 60)
    assert cache.add("key", 2, 60)
    assert cache.count("number", 60) == 1
    assert cache.get("kept") == 1


def test_several_keys_are_read_and_cleared(cache):
    cache.set_many({"a": 1, "b": 2}, 60)
    assert cache.get_many(["a", "b", "c"]) == {"a": 1, "b": 2}
    cache.clear()
    assert not cache.has_key("a")


@pytest.mark.every_database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["database", "redis"])
def test_no_count_is_lost_between_processes(kind, request):
    if kind == "redis":
        request.getfixturevalue("use_redis")(request.getfixturevalue("redis_server").url)
    found, failed = [], []

    def count():
        try:
            for _ in range(8):
                found.append(database_cache.count("key", 60))
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert sorted(found) == list(range(1, 33))


def test_the_database_knows_no_address(db):
    caches["default"].set("of 192.0.2.1", 1, 60)
    assert "192.0.2.1" not in str(CacheEntry.objects.values_list().get())


def test_a_worker_deletes_what_has_expired(db):
    caches["default"].set("old", 1, -1)
    caches["default"].set("new", 1, 60)
    caches["default"].set("kept", 1, None)
    assert prune_cache(now=timezone.now()) == 1
    assert prune_cache(now=timezone.now()) == 0
    assert CacheEntry.objects.count() == 2


def test_what_others_keep_in_the_same_redis_is_not_cleared(db, use_redis, redis_server):
    use_redis(redis_server.url)
    broker = redis.Redis.from_url(redis_server.url)
    broker.set("celery", 1)
    caches["default"].set("key", 1)
    caches["default"].clear()
    assert broker.keys() == [b"celery"]


def test_limits_hold_while_redis_is_away(db, use_redis, redis_server, monkeypatch):
    use_redis(redis_server.url)
    assert database_cache.count("key", 60) == database_cache.count_in_redis("call", 60) == 1
    redis_server.kill()
    with capture_logs() as lines:
        assert [database_cache.count("key", 60) for _ in range(3)] == [1, 2, 3]
        assert database_cache.count_in_redis("call", 60) is None
    assert [line["event"] for line in lines] == ["service away"]
    assert "127.0.0.1" not in str(lines)
    redis_server.start()
    assert database_cache.count_in_redis("call", 60) is None, "it is not asked for some seconds"
    monkeypatch.setattr(outages, "PAUSE_SECONDS", 0)
    with capture_logs() as lines:
        redis_cache.outage._until = 0.0
        assert [database_cache.count("key", 60) for _ in range(2)] == [1, 2]
    assert [line["event"] for line in lines] == ["service back"]


def test_a_connection_that_redis_has_closed_is_opened_again(db, use_redis, redis_server):
    use_redis(redis_server.url)
    database_cache.count("key", 60)
    redis_server.kill()
    redis_server.start()
    with capture_logs() as lines:
        assert database_cache.count("key", 60) == 1
    assert lines == []


def test_calls_are_counted_for_all_processes_in_redis(use_redis, redis_server):
    use_redis(redis_server.url)
    with time_machine.travel(NOW, tick=False):
        one, other = MinuteCounters(), MinuteCounters()
        assert [one.count("key"), other.count("key", 2), one.count("key", 0)] == [1, 3, 3]
        redis_server.kill()
        assert one.count("key") == other.count("key") == 1


@pytest.fixture
def attempts(transactional_db, monkeypatch):
    """A function that lets each write of the cache fail, and returns the list of its attempts."""

    def fail(error):
        made = []

        def write(*_args, **_options):
            made.append(error)
            raise error

        monkeypatch.setattr(CacheEntry.objects, "create", write)
        monkeypatch.setattr(CacheEntry.objects, "bulk_create", write)
        return made

    return fail


WRITES = [lambda: caches["default"].count("key", 60), lambda: caches["default"].set("key", 1)]


@pytest.mark.parametrize("write", WRITES, ids=["count", "set"])
@pytest.mark.parametrize("given", DEADLOCKS.values(), ids=DEADLOCKS)
def test_a_deadlock_is_retried_a_few_times(attempts, given, write):
    made = attempts(make_error(given))
    with pytest.raises(OperationalError):
        write()
    assert len(made) == database_cache._TRIES


@pytest.mark.parametrize("write", WRITES, ids=["count", "set"])
@pytest.mark.parametrize("given", LOCK_TIMEOUTS.values(), ids=LOCK_TIMEOUTS)
def test_nobody_waits_twice_for_a_lock(attempts, given, write):
    made = attempts(make_error(given))
    with pytest.raises(OperationalError):
        write()
    assert len(made) == 1
