"""News of games reaches other processes through each kind of channel, without delaying anything."""

import threading
import time

import pytest
from django.conf import settings
from django.db import connection, transaction
from judge.tests.effort import PATIENCE
from tests.redis_server import run_redis

from diplomaccloud.shared import news, redis_cache

pytestmark = pytest.mark.django_db(transaction=True)


class Follower:
    """A listener that records the changes it hears of."""

    def __init__(self):
        self._heard, self._more = [], threading.Condition()

    def hear(self, places):
        with self._more:
            self._heard += places
            self._more.notify_all()

    def wait_for(self, place):
        """Return whether a change at a place is heard of soon."""
        with self._more:
            return self._more.wait_for(lambda: place in self._heard, PATIENCE)

    @property
    def heard(self):
        return list(self._heard)


@pytest.fixture
def follower(fresh):
    follower = Follower()
    stop = news.follow_news(follower.hear)
    yield follower
    stop()


@pytest.fixture
def fresh():
    """The thread that sends news is restarted, since it knows only one channel."""
    news._find_waiting.cache_clear()
    yield
    news._find_waiting.cache_clear()


@pytest.fixture
def redis(settings):
    with run_redis() as server:
        settings.CACHE_URL, settings.NEWS_CHANNEL = server.url, "redis"
        redis_cache.open_link.cache_clear()
        yield server
        redis_cache.open_link.cache_clear()
        redis_cache.outage._until = None


def tell_until_heard(follower):
    """Announce a change again and again until it is heard, since a follower must connect first."""
    place, end = 0, time.monotonic() + PATIENCE
    while not follower.heard:
        place += 1
        news.tell_change(place)
        assert time.monotonic() < end
        time.sleep(0.05)


def test_news_wait_for_the_end_of_the_transaction_and_of_one_that_fails_there_are_none(follower):
    with transaction.atomic():
        news.tell_change(7)
        assert not follower.heard
    assert follower.wait_for(7)
    with transaction.atomic():
        news.tell_change(8)
        transaction.set_rollback(True)
    news.tell_change(9)
    assert follower.wait_for(9)
    assert 8 not in follower.heard


def test_news_go_through_redis(redis, follower):
    tell_until_heard(follower)
    news.tell_change(77)
    assert follower.wait_for(77)
    assert redis_cache.outage._until is None


@pytest.mark.real_database
@pytest.mark.skipif("postgres" not in settings.CHECKS_DATABASE, reason="needs PostgreSQL")
def test_news_go_through_postgresql(settings, request):
    settings.NEWS_CHANNEL = connection.vendor
    follower = request.getfixturevalue("follower")
    tell_until_heard(follower)
    news.tell_change(77)
    assert follower.wait_for(77)


def test_without_redis_news_reach_this_process_and_nobody_waits(redis, follower, monkeypatch):
    tell_until_heard(follower)
    redis.kill()
    is_told, go_on = threading.Event(), threading.Event()

    def hang(*_):
        is_told.set()
        go_on.wait(PATIENCE)
        raise OSError

    monkeypatch.setattr(redis_cache.open_link(), "publish", hang)
    news.tell_change(88)
    assert is_told.wait(PATIENCE)
    # The thread hangs, but no transaction does.
    with transaction.atomic():
        news.tell_change(89)
    go_on.set()
    assert follower.wait_for(88)
    assert follower.wait_for(89)
    redis.start()


def test_who_follows_no_more_hears_nothing(fresh):
    gone, here = Follower(), Follower()
    stop = news.follow_news(gone.hear)
    stop_here = news.follow_news(here.hear)
    stop()
    news.tell_change(5)
    assert here.wait_for(5)
    assert not gone.heard
    stop_here()
