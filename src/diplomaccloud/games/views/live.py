"""Live streams: server-sent events that say only that a public fact of a game has changed.

One task per process reads the versions of the games being watched once a second, however
many people watch. A stream tells a version, the phase's number and the game's status: the
page then asks for what its viewer may see. A stream ends when its person has logged out or may
no longer see the game, which it checks from time to time.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import Error, close_old_connections
from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.games import viewpoint
from diplomaccloud.games.viewpoint import Viewer, versions

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

POLL_SECONDS = 1.0
PING_TURNS = 15
RECHECK_SECONDS = 25.0
"""How often a stream asks again who is listening: with the time that takes, within 30 seconds."""
MOST_STREAMS = 2000
_NUL = "\x00"
"""A character that PostgreSQL cannot compare."""
_log = structlog.get_logger(__name__)


class LiveStream:
    """An ASGI application for `/live/games/<slug>`; one instance serves a process."""

    def __init__(self) -> None:
        self._watched: Counter[str] = Counter()
        self._pulses: dict[str, dict[str, object]] = {}
        self._poller: asyncio.Task[None] | None = None
        self._closing = False

    async def __call__(self, scope: Message, receive: Receive, send: Send, *, slug: str) -> None:
        """Answer one request, for as long as the other side listens."""
        if scope["method"] != "GET":
            return await _refuse(send, scope, 405)
        if self._closing or self._watched.total() >= MOST_STREAMS:
            return await _refuse(send, scope, 503)
        headers = dict(scope["headers"])
        if _NUL in slug:
            return await _refuse(send, scope, 400)
        try:
            viewer = await sync_to_async(_find_listener)(headers, slug[:40])
        except Error:
            _log.exception("live stream cannot be opened")
            return await _refuse(send, scope, 503)
        if viewer is None:
            return await _refuse(send, scope, 404)
        gone = asyncio.create_task(_wait_until_gone(receive))
        self._watched[slug] += 1
        try:
            await self._stream(slug, send, gone, partial(_may_continue, headers, slug, viewer))
        finally:
            gone.cancel()
            self._watched -= Counter([slug])
        return None

    def close(self) -> None:
        """End every stream within a second."""
        self._closing = True

    async def _stream(
        self,
        slug: str,
        send: Send,
        gone: "asyncio.Task[None]",
        may_continue: Callable[[], bool],
    ) -> None:
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._poll())
        await _begin(send)
        sent: dict[str, object] | None = None
        turn, checked_at = 0, time.monotonic()
        while not (gone.done() or self._closing):
            if time.monotonic() - checked_at >= RECHECK_SECONDS:
                if not await sync_to_async(may_continue)():
                    break
                checked_at = time.monotonic()
            pulse = self._pulses.get(slug)
            if pulse is not None and pulse != sent:
                # With the time, because the clock of the reader's device may be wrong.
                message = json.dumps(pulse | {"now": timezone.now().isoformat()})
                await _write(send, f"event: changed\ndata: {message}\n\n")
                sent = pulse
            elif turn % PING_TURNS == 0:
                await _write(send, ": ping\n\n")
            turn += 1
            await asyncio.wait({gone}, timeout=POLL_SECONDS)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _poll(self) -> None:
        """Read the pulses of the watched games until nobody watches."""
        while self._watched and not self._closing:
            try:
                self._pulses = await sync_to_async(_read)(list(self._watched))
            except Error:
                _log.exception("live streams cannot read")
            await asyncio.sleep(POLL_SECONDS)
        self._pulses = {}


def _read(slugs: list[str]) -> dict[str, dict[str, object]]:
    close_old_connections()
    try:
        return versions.pulses(slugs)
    finally:
        close_old_connections()


def _find_listener(headers: Mapping[bytes, bytes], slug: str) -> Viewer | None:
    """Return the viewer behind the request's cookie, None if that viewer may not see the game."""
    close_old_connections()
    request = HttpRequest()
    sessions = import_module(settings.SESSION_ENGINE)
    request.session = sessions.SessionStore(_session_key(headers.get(b"cookie", b"")))
    try:
        viewer = viewpoint.viewer_of(get_user(request))
        return viewer if viewpoint.may_see(slug, viewer) else None
    finally:
        close_old_connections()


def _may_continue(headers: Mapping[bytes, bytes], slug: str, viewer: Viewer) -> bool:
    """Return whether the cookie still stands for `viewer`, who may still see the game.

    A person who has logged out hears no more, even of a public game. If the database cannot be
    asked, the stream ends too; the browser opens another one.
    """
    try:
        return _find_listener(headers, slug) == viewer
    except Error:
        _log.exception("live stream cannot be checked")
        return False


def _session_key(header: bytes) -> str | None:
    try:
        cookies = SimpleCookie(header.decode("latin-1"))
    except CookieError:
        return None
    morsel = cookies.get(settings.SESSION_COOKIE_NAME)
    # A quoted cookie may have a NUL character as an octal number.
    return morsel.value if morsel and _NUL not in morsel.value else None


async def _wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _begin(send: Send) -> None:
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(send: Send, scope: Message, status: int) -> None:
    _log.warning("request", method=scope["method"], path=scope["path"][:200], status=status)
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"Not available.\n"})
