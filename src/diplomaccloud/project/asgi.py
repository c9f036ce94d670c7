"""The ASGI application: live streams run on the event loop, every page runs through WSGI.

Django's own ASGI handler serves pages three to six times slower, so only the long-lived
streams use ASGI directly.
"""

from typing import Any, cast

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi_typing import WSGIApp

from diplomaccloud.project.wsgi import application as pages  # sets Django up

from diplomaccloud.api.streams import EventStream, find_game  # isort: skip
from diplomaccloud.games.views.live import ALL_GAMES, LiveStream  # isort: skip

_pages: Any = WSGIMiddleware(cast("WSGIApp", pages), workers=8)
_live = LiveStream()
_events = EventStream(_pages)
LIVE_PREFIX = "/live/games/"
LIVE_MESSAGES = "/live/messages"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer one ASGI connection."""
    if scope["type"] == "lifespan":
        return await _lifespan(receive, send)
    # A page takes an underscore for a hyphen: so it could stand for a header that a proxy sets.
    headers = [header for header in scope["headers"] if b"_" not in header[0]]
    scope = {**scope, "headers": headers}
    if scope["type"] == "http" and scope["path"].startswith(LIVE_PREFIX):
        await _live(scope, receive, send, slug=scope["path"][len(LIVE_PREFIX) :] or "-")
    elif scope["type"] == "http" and scope["path"] == LIVE_MESSAGES:
        await _live(scope, receive, send, slug=ALL_GAMES)
    elif scope["type"] == "http" and (slug := find_game(scope["path"])):
        await _events(scope, _wrap_receive(receive), send, slug=slug)
    elif scope["type"] == "http":
        await _pages(scope, _wrap_receive(receive), send)
    return None


def _wrap_receive(receive: Any) -> Any:
    """Return `receive` as a coroutine function: granian's returns a different kind of awaitable."""

    async def received() -> Any:
        return await receive()

    return received


async def _lifespan(receive: Any, send: Any) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            _live.close()
            _events.close()
            return
