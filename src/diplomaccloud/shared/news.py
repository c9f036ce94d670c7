"""News between processes: which game has changed, but not what has changed in it.

Live streams query the database once a second; news makes them query it at once. News goes through
Redis if the site has it, or through PostgreSQL, or stays within the process. If news gets lost, a
stream is only a second late, so callers don't wait for it: a thread sends it once the transaction
has committed.
"""

import os
import threading
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from queue import SimpleQueue
from typing import Final

import structlog
from django.conf import settings
from django.db import connection, transaction

CHANNEL: Final = "diplomaccloud_news"
PAUSE_SECONDS: Final = 5.0
"""How long to pause after an error."""
_LOOK_SECONDS: Final = 5.0
"""How often a thread that waits for news checks whether it should end."""
_MOST_AT_ONCE: Final = 500
"""How many keys fit into a message, which PostgreSQL limits to 8,000 bytes."""
_log = structlog.get_logger(__name__)
_Hear = Callable[[Collection[int]], None]
_followers: list[_Hear] = []
"""The functions to call with news in this process."""


def tell_change(place: int) -> None:
    """Announce to all processes that a place has changed, once the transaction has committed.

    A place is the key of a game, or 0 for the messages of people in all games.
    """
    transaction.on_commit(partial(_tell, place), robust=True)


def follow_news(hear: _Hear) -> Callable[[], None]:
    """Call `hear` in another thread with the places that have changed.

    Returns a function that stops this.
    """
    _followers.append(hear)
    is_over = threading.Event()
    if receive := _RECEIVERS.get(settings.NEWS_CHANNEL):
        arguments = receive, hear, is_over
        threading.Thread(target=_follow, args=arguments, name="news", daemon=True).start()

    def stop() -> None:
        is_over.set()
        _followers.remove(hear)

    return stop


def _send_to_redis(text: str) -> None:
    from diplomaccloud.shared import redis_cache  # noqa: PLC0415 the library may be missing

    with redis_cache.outage.watched(*redis_cache.ERRORS):
        redis_cache.open_link().publish(CHANNEL, text)


def _receive_from_redis() -> Iterator[str]:
    import redis  # noqa: PLC0415 the library may be missing

    from diplomaccloud.shared.redis_cache import OPTIONS  # noqa: PLC0415

    options = {**OPTIONS, "health_check_interval": 2 * _LOOK_SECONDS}
    with redis.Redis.from_url(settings.CACHE_URL, **options) as link, link.pubsub() as open_one:
        open_one.subscribe(CHANNEL)
        while True:
            news = open_one.get_message(ignore_subscribe_messages=True, timeout=_LOOK_SECONDS)
            yield news["data"].decode() if news else ""


def _send_to_postgres(text: str) -> None:
    # Not in the transaction that causes the news, because NOTIFY makes commits wait for each other.
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, text])
    finally:
        connection.close()


def _receive_from_postgres() -> Iterator[str]:
    import psycopg  # noqa: PLC0415 the library may be missing

    # This needs a separate connection, because different threads share those of the pool.
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as link:
        link.execute(f"LISTEN {CHANNEL}")
        while True:
            for news in link.notifies(timeout=_LOOK_SECONDS):
                yield news.payload
            yield ""


_SENDERS: Final = {"redis": _send_to_redis, "postgresql": _send_to_postgres}
"""Functions that send a text to all processes, including this one; they raise any error."""
_RECEIVERS: Final = {"redis": _receive_from_redis, "postgresql": _receive_from_postgres}
"""Functions that yield the texts that were sent, and a blank one now and then."""


def _tell(place: int) -> None:
    _find_waiting(os.getpid()).put(place)


@lru_cache(1)
def _find_waiting(_process: int) -> "SimpleQueue[int]":
    """Return this process's queue of news to send; a forked process gets its own."""
    waiting: SimpleQueue[int] = SimpleQueue()
    threading.Thread(target=_tell_all, args=(waiting,), name="tell-news", daemon=True).start()
    return waiting


def _tell_all(waiting: "SimpleQueue[int]") -> None:
    send, is_away = _SENDERS.get(settings.NEWS_CHANNEL), False
    while True:
        places = {waiting.get()}
        while not waiting.empty() and len(places) < _MOST_AT_ONCE:
            places.add(waiting.get())
        try:
            if send:
                send(",".join(map(str, places)))
            is_away = False
        except Exception as error:  # streams query the database anyway
            if not is_away:
                _log.warning("news not told", reason=type(error).__name__)
            is_away = True
        if is_away or not send:
            for hear in _followers:
                hear(places)


def _follow(receive: Callable[[], Iterator[str]], hear: _Hear, is_over: threading.Event) -> None:
    is_away = False
    while not is_over.is_set():
        try:
            for text in receive():
                is_away = False
                if is_over.is_set():
                    return
                if text:
                    hear({int(place) for place in text.split(",")})
        except Exception as error:  # streams query the database anyway
            if not is_away:
                _log.warning("no news", reason=type(error).__name__)
            is_away = True
            is_over.wait(PAUSE_SECONDS)
