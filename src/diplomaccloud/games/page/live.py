"""Live streams: server-sent events that say only that something has changed.

One task per process queries the database once a second, with one query for all streams, and wakes
the streams whose message has changed. It queries at once for games whose changes are announced
(`shared/news.py`). A message holds the game's version, the number of its phase and its status, and
whether the site's clock has stopped; the page then requests what its viewer may see. The functions
in the setting `LIVE_COUNTERS` add the viewer's own number, which grows when something changes for
that viewer, or for everyone who may see the game. A person's stream over all games has only this
number. A stream ends within a second when its person logs out, and soon after the person may no
longer see the game.

A person's rows are found by `user IN … AND place IN …`, which returns a few too many: an exact
expression of a thousand ORs is too deep for SQLite.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, Final

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db import Error, close_old_connections
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.module_loading import import_string

from diplomaccloud.accounts.sessions import find_people
from diplomaccloud.games.deadlines.read import find_stopped_clock
from diplomaccloud.games.page import read
from diplomaccloud.games.visibility.read import Viewer, find_visible, find_visible_pairs, viewer_of

Pair = tuple[int, int]
"""The keys of a person and of a game; `EVERYONE` and `EVERYWHERE` stand for all of them."""
Counters = Callable[[Collection[Pair]], Iterable[QuerySet[Any, read.LiveRow]]]
"""Returns rows of `read.select_own`, at least those of the pairs."""
EVERYONE = 0
EVERYWHERE = 0
ALL_GAMES = ""
"""Replaces the slug of a game in a person's stream over all games."""
POLL_SECONDS, PAUSE_SECONDS = 1.0, 0.05
PING_SECONDS = 15.0
RECHECK_SECONDS = 25.0
"""How often access is checked again: within 30 seconds, with the time that the check takes."""
MOST_STREAMS = 5000
MOST_FOR_ONE = 30
"""How many streams one person may have open in a process."""
_NUL = "\x00"
"""A character that PostgreSQL cannot compare."""
_SESSION = "session"
"""The kind of the rows of sessions."""
_REFUSALS = {
    429: "You have too many live streams open. Close a page and try again.",
    503: "The server has too many live streams open. Try again later.",
}
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Listener:
    """Who listens to what: the slug and key of a game, the viewer, and the key of the session.

    For a program, `session` is the digest of its token.
    """

    slug: str
    game_id: int
    viewer: Viewer
    session: str | None

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs whose numbers add up to the listener's own: the person, and everyone."""
        everyone = () if self.slug == ALL_GAMES else ((EVERYONE, self.game_id),)
        user_id = self.viewer.user_id
        return everyone if user_id is None else (*everyone, (user_id, self.game_id))


@dataclass(frozen=True, slots=True)
class _News:
    """What was read for some listeners; `live.texts` are the keys of sessions that still exist."""

    listeners: frozenset[Listener]
    live: read.LiveNews
    stopped: bool = False
    """Whether the site's clock has stopped."""

    def message_for(self, listener: Listener) -> dict[str, object] | None:
        """Return the listener's current message; None if the game is gone."""
        pulse = {} if listener.slug == ALL_GAMES else self.live.pulses.get(listener.game_id)
        if pulse is None:
            return None
        if pulse and self.stopped:
            pulse = {**pulse, "stopped": True}
        return {**pulse, "own": sum(self.live.own_numbers.get(pair, 0) for pair in listener.pairs)}

    def has_logged_out(self, listener: Listener) -> bool:
        """Return whether the session of a person who listens has ended."""
        return listener.viewer.user_id is not None and listener.session not in self.live.texts


class Stream:
    """An open stream: the message to send next, and the event that wakes its task."""

    __slots__ = ("is_over", "listener", "message", "pinged_at", "wake")

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.message: dict[str, object] | None = None
        self.pinged_at = time.monotonic()
        self.wake = asyncio.Event()
        self.is_over = False

    def send_at(self, now: float) -> None:
        """Tell the stream's task to send the message, or a ping if it has been sent."""
        self.pinged_at = now
        self.wake.set()

    def end(self) -> None:
        """Tell the stream's task to end it."""
        self.is_over = True
        self.wake.set()


@dataclass(frozen=True, slots=True)
class Door:
    """How listeners are identified: by sessions, or by other credentials."""

    select_lasting: Callable[[Collection[str]], list[QuerySet[Any, read.LiveRow]]]
    """Returns queries for rows with the keys of the sessions that have not ended."""
    find_people: Callable[[Collection[str]], Mapping[str, int]]
    """Returns the people who are still logged in with these sessions."""


# Streams of server-sent events as ASGI responses.


Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class LiveStream:
    """An ASGI application for `/live/games/<slug>` and `/live/messages`; one serves a process."""

    door: Door | None = None
    """None for the sessions of the pages."""

    def __init__(self) -> None:
        self._streams: set[Stream] = set()
        self._poller: asyncio.Task[None] | None = None
        self._changed, self._has_changed = set[int](), asyncio.Event()
        self._closing = False

    async def __call__(self, scope: Message, receive: Receive, send: Send, *, slug: str) -> None:
        """Answer one request for as long as the client listens."""
        if scope["method"] != "GET":
            return await _refuse(send, scope, 405)
        if self._closing or len(self._streams) >= MOST_STREAMS:
            return await _refuse(send, scope, 503)
        if _NUL in slug:
            return await _refuse(send, scope, 400)
        try:
            listener = await sync_to_async(_find_listener)(dict(scope["headers"]), slug[:40])
        except Error:
            _log.exception("live stream cannot be opened")
            return await _refuse(send, scope, 503)
        if listener is None:
            return await _refuse(send, scope, 404)
        if listener.viewer.user_id is not None and self._count(listener.viewer) >= MOST_FOR_ONE:
            await _refuse(send, scope, 429)
        else:
            async with self._listening(listener, receive) as stream:
                await self._run(stream, send)
        return None

    def _count(self, viewer: Viewer) -> int:
        return sum(stream.listener.viewer.user_id == viewer.user_id for stream in self._streams)

    @contextlib.asynccontextmanager
    async def _listening(self, listener: Listener, receive: Receive) -> AsyncIterator[Stream]:
        """Keep a stream open within the block, which should end when the client disconnects."""
        stream = Stream(listener)
        gone = asyncio.create_task(_wait_until_gone(receive, stream))
        self._streams.add(stream)
        self._has_changed.set()
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._poll())
        try:
            yield stream
        finally:
            gone.cancel()
            self._streams.discard(stream)

    def count_streams(self) -> int:
        """Return how many streams are open."""
        return len(self._streams)

    def close(self) -> None:
        """End every stream at once."""
        self._closing = True
        for stream in self._streams:
            stream.end()

    async def _run(self, stream: Stream, send: Send) -> None:
        """Send each change, and now and then a comment that keeps the stream alive."""
        await begin(send)
        await write(send, PING)
        sent: dict[str, object] | None = None
        while True:
            await stream.wake.wait()
            stream.wake.clear()
            if stream.is_over:
                break
            if stream.message == sent:
                await write(send, PING)
                continue
            sent = stream.message or {}
            # With the time, because the clock of the viewer's device may be wrong.
            text = json.dumps(sent | {"now": timezone.now().isoformat()})
            await write(send, f"event: changed\ndata: {text}\n\n")
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def wake(self, places: Collection[int]) -> None:
        """Query changed games at once; `EVERYWHERE` stands for the streams over all games."""
        if self._streams:
            self._changed |= set(places)
            self._has_changed.set()

    async def _poll(self) -> None:
        """Query all games once a second, and changed ones in between; wake their streams.

        Streams wait only for this task, so changes reach them as soon as they are read.
        """
        checked_at = all_at = time.monotonic()
        while self._streams and not self._closing:
            started_at = time.monotonic()
            reads_all = started_at >= all_at
            all_at = started_at + POLL_SECONDS if reads_all else all_at
            try:
                if listeners := self._take_listeners(reads_all):
                    self._share(await sync_to_async(_read)(listeners, self.door))
                if reads_all and started_at - checked_at >= RECHECK_SECONDS:
                    entitled = await sync_to_async(_find_entitled)(listeners, self.door)
                    gone = listeners - entitled
                    for stream in self._streams:
                        if stream.listener in gone:
                            stream.end()
                    checked_at = started_at
            except Exception:  # after any error, the next round must run
                _log.exception("live streams cannot read")
            now = time.monotonic()
            for stream in self._streams:
                if now - stream.pinged_at >= PING_SECONDS:
                    stream.send_at(now)
            # Querying changed games takes at most a fifth of the time. It never waits because all
            # games were just queried.
            pause = 0 if reads_all else min(all_at - now, (now - started_at) * 4)
            await asyncio.sleep(max(PAUSE_SECONDS, pause))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._has_changed.wait(), all_at - time.monotonic())

    def _take_listeners(self, reads_all: bool) -> frozenset[Listener]:
        """Return all listeners, or the new ones and those for whom something has changed."""
        changed, self._changed = self._changed, set()
        self._has_changed.clear()
        return frozenset(
            stream.listener
            for stream in self._streams
            if reads_all or stream.message is None or stream.listener.game_id in changed
        )

    def _share(self, news: _News) -> None:
        for stream in self._streams:
            if stream.listener not in news.listeners:
                continue
            if news.has_logged_out(stream.listener):
                stream.end()
                continue
            message = news.message_for(stream.listener)
            if message is not None and message != stream.message:
                stream.message = message
                stream.send_at(time.monotonic())


def _read(listeners: frozenset[Listener], door: Door | None = None) -> _News:
    """Return the news for all listeners, in one query."""
    close_old_connections()
    try:
        games = {listener.game_id for listener in listeners} - {EVERYWHERE}
        pairs = {pair for listener in listeners for pair in listener.pairs}
        sessions = {
            listener.session
            for listener in listeners
            if listener.viewer.user_id is not None and listener.session
        }
        parts = [read.select_pulses(games)] if games else []
        parts += [part for select in _load_counters() for part in select(pairs)]
        parts += (door or _PAGES).select_lasting(sessions) if sessions else []
        stopped = bool(games) and find_stopped_clock() is not None
        return _News(listeners, read.read_live(parts), stopped)
    finally:
        close_old_connections()


@cache
def _load_counters() -> tuple[Counters, ...]:
    return tuple(map(import_string, settings.LIVE_COUNTERS))


_PAGES = Door(
    lambda keys: [
        read.select_live(Session.objects.filter(session_key__in=keys), _SESSION, text="session_key")
    ],
    find_people,
)


def _find_listener(headers: Mapping[bytes, bytes], slug: str) -> Listener | None:
    """Return the listener that the request's cookie names; None if the viewer may not listen."""
    close_old_connections()
    request = HttpRequest()
    sessions = import_module(settings.SESSION_ENGINE)
    key = _session_key(headers.get(b"cookie", b""))
    request.session = sessions.SessionStore(key)
    try:
        viewer = viewer_of(get_user(request))
        if slug == ALL_GAMES:
            return Listener(slug, EVERYWHERE, viewer, key) if viewer.user_id else None
        game_id = find_visible(slug, viewer)
        return None if game_id is None else Listener(slug, game_id, viewer, key)
    finally:
        close_old_connections()


def _find_entitled(listeners: Collection[Listener], door: Door | None = None) -> set[Listener]:
    """Return the listeners who are still logged in and may still listen.

    A few queries check all of them together.
    """
    close_old_connections()
    try:
        people = (door or _PAGES).find_people(
            {listener.session for listener in listeners if listener.session}
        )
        visible = find_visible_pairs(
            {
                (listener.viewer.user_id, listener.game_id)
                for listener in listeners
                if listener.slug != ALL_GAMES
            }
        )
        return {
            listener
            for listener in listeners
            if listener.viewer.user_id in (None, people.get(listener.session or ""))
            and (
                listener.slug == ALL_GAMES or (listener.viewer.user_id, listener.game_id) in visible
            )
        }
    finally:
        close_old_connections()


def _session_key(header: bytes) -> str | None:
    try:
        cookies = SimpleCookie(header.decode("latin-1"))
    except CookieError:
        return None
    morsel = cookies.get(settings.SESSION_COOKIE_NAME)
    # A quoted cookie may have a NUL character as an octal number.
    return morsel.value if morsel and _NUL not in morsel.value else None


async def _wait_until_gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _refuse(send: Send, scope: Message, status: int) -> None:
    _log.warning("request", method=scope["method"], path=scope["path"][:200], status=status)
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    if status in (429, 503):
        headers.append((b"retry-after", b"30"))
    text = _REFUSALS.get(status, "Not available.")
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


PING: Final = ": ping\n\n"


async def begin(send: Send, more: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Start a response that is a stream of events, with more headers if there are any."""
    headers = [
        *more,
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def write(send: Send, text: str) -> None:
    """Send a part of the stream."""
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
