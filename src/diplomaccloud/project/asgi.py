"""The ASGI application: live streams run on the event loop, and pages run through WSGI.

Django's own ASGI handler is three to six times slower for pages, so only the long-lived
streams use ASGI directly.
"""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, suppress
from typing import Any

from django.conf import settings

from diplomaccloud.project.wsgi import application as pages  # sets Django up

from diplomaccloud import metrics  # isort: skip
from diplomaccloud.version import __version__  # isort: skip
from diplomaccloud.api.events import EventStream, find_game  # isort: skip
from diplomaccloud.api.middleware import let_pages_read  # isort: skip
from diplomaccloud.games.page.live import ALL_GAMES, LiveStream  # isort: skip
from diplomaccloud.maps.picture_worker import PICTURE_WORKER  # isort: skip
from diplomaccloud.project.admission import Gate, Refusal, join_cookies  # isort: skip
from diplomaccloud.project.connections import ConnectionKeeper  # isort: skip
from diplomaccloud.project.connections import (  # isort: skip
    count_room,
    raise_descriptor_limit,
)
from diplomaccloud.project.threads import Pages  # isort: skip
from diplomaccloud.project.warming import start_warming  # isort: skip
from diplomaccloud.shared.news import follow_news  # isort: skip

_pages: Any = Pages(pages)
_live = LiveStream()
_events = EventStream(_pages)
_gate = Gate()
_keeper = ConnectionKeeper(settings.CONNECTIONS_PER_ADDRESS, count_room(raise_descriptor_limit()))
LIVE_PREFIX = "/live/games/"
LIVE_MESSAGES = "/live/messages"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer one ASGI connection."""
    if scope["type"] == "lifespan":
        return await _lifespan(receive, send)
    if scope["type"] != "http":
        return None
    # WSGI treats an underscore like a hyphen, so a client could fake a header that a proxy sets.
    headers = [header for header in scope["headers"] if b"_" not in header[0]]
    scope = {**scope, "headers": join_cookies(headers)}
    send = _gate.state_limits(scope, let_pages_read(scope, send))
    try:
        with _admit(scope):
            await _answer(scope, receive, send)
    except Refusal as refusal:
        await _gate.refuse(refusal, scope, send)
    return None


def _admit(scope: Any) -> AbstractContextManager[None]:
    """Count the request as a page or a stream, as long as it lasts."""
    path = scope["path"]
    if path.startswith(LIVE_PREFIX) or path == LIVE_MESSAGES or find_game(path):
        return _gate.admit_stream(scope)
    return _gate.admit(scope)


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    path = scope["path"]
    if path.startswith(LIVE_PREFIX):
        await _live(scope, receive, send, slug=path[len(LIVE_PREFIX) :] or "-")
    elif path == LIVE_MESSAGES:
        await _live(scope, receive, send, slug=ALL_GAMES)
    elif slug := find_game(path):
        await _events(scope, _wrap_receive(receive), send, slug=slug)
    else:
        await _pages(scope, _wrap_receive(receive), send)


def _wrap_receive(receive: Any) -> Any:
    """Return `receive` as a coroutine function; granian's returns another kind of awaitable."""

    async def received() -> Any:
        return await receive()

    return received


async def _lifespan(receive: Any, send: Any) -> None:
    stop_news: Callable[[], None] | None = None
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            _end_with_master()
            PICTURE_WORKER.is_used = True
            _keeper.start()
            stop_news = follow_news(_make_hearer())
            metrics.publish_metrics(settings.METRICS, role="web", release=__version__)
            start_warming()
            metrics.STREAMS.set_function(lambda: _live.count_streams() + _events.count_streams())
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            _keeper.stop()
            if stop_news:
                stop_news()
            _live.close()
            _events.close()
            return


def _end_with_master() -> None:
    """End this process when the web server's master, which started it, is killed.

    Otherwise it would serve on, and its port would stay taken.
    """
    master = multiprocessing.parent_process()
    if master is None:
        return

    def follow() -> None:
        master.join()
        os._exit(1)

    threading.Thread(target=follow, name="master", daemon=True).start()


def _make_hearer() -> Callable[[Collection[int]], None]:
    """Return a function that another thread can call to wake the streams of places."""
    loop = asyncio.get_running_loop()

    def wake(places: Collection[int]) -> None:
        _live.wake(places)
        _events.wake(places)

    def hear(places: Collection[int]) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(wake, places)

    return hear
