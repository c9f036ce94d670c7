"""Server-sent events and long polls, which don't tie up a thread of the page server.

A request is first handled like any other, which checks the token and the parameters. Then it waits
for events in the same way as the live streams of pages: one query a second serves all of them. A
stream ends within seconds if the token stops working or the game is no longer visible.
"""

import asyncio
import contextlib
import io
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import structlog
from allauth.account.adapter import get_adapter
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.db.models import QuerySet
from django.utils import timezone

from diplomaccloud.api.bodies import NUL
from diplomaccloud.api.events import PATTERN, EventPage, EventState, read_events
from diplomaccloud.api.middleware import PREFIX
from diplomaccloud.api.problems import Problem, answer_problem, refuse_field
from diplomaccloud.api.tokens import Scope, find_bearer, find_holders, hash_token, select_working
from diplomaccloud.games.page import live
from diplomaccloud.games.page import read as versions
from diplomaccloud.games.visibility.read import Viewer, find_visible
from diplomaccloud.schedule.timer import Refused

MOST_FOR_ONE: Final = 10
"""The maximum streams and long polls in a process for a person, or for an IP without a token."""
_ADDRESS: Final = re.compile(re.escape(PREFIX) + "games/([a-z2-9]{10})/events")
LAST_EVENT: Final = "Last-Event-ID"
_BAD_EVENT: Final = "This header must have the `id` of an event."
_STREAM: Final = "text/event-stream"
_TOKEN: Final = "token"  # noqa: S105 the prefix of token rows
_RETRY_MILLISECONDS: Final = 2000
_log = structlog.get_logger(__name__)
_readers: Final = ThreadPoolExecutor(4, thread_name_prefix="events")
Pages = Callable[[live.Message, live.Receive, live.Send], Awaitable[None]]


def find_game(path: str) -> str | None:
    """Return the slug of the game whose events are at this path; None for other paths."""
    match = _ADDRESS.fullmatch(path)
    return match[1] if match else None


@dataclass(frozen=True, slots=True)
class _Guest:
    """A waiting caller: its listener, whether it may read press, and whose limit applies."""

    listener: live.Listener
    with_press: bool
    payer: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """The page server's answer to a request."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class EventStream(live.LiveStream):
    """An ASGI application for game events, one for each process."""

    def __init__(self, pages: Pages) -> None:
        super().__init__()
        self.door = live.Door(_select_tokens, find_holders)
        self._pages = pages
        self._payers: dict[live.Stream, str] = {}

    async def __call__(
        self, scope: live.Message, receive: live.Receive, send: live.Send, *, slug: str
    ) -> None:
        """Answer one request, immediately unless it waits for events."""
        headers = dict(scope["headers"])
        fields = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        wants_stream = _STREAM in headers.get(b"accept", b"").decode("latin-1")
        if scope["method"] != "GET" or not (wants_stream or fields.get("wait", "0") != "0"):
            return await self._pages(scope, receive, send)
        if wants_stream and (last := headers.get(b"last-event-id", b"")):
            # The stream started at `after`, so the last event ID is newer.
            fields["after"] = last.decode("latin-1")
            # The pages refuse a NUL character.
            if NUL not in fields["after"] and not re.fullmatch(PATTERN, fields["after"]):
                return await _relay(send, _make_answer(refuse_field(LAST_EVENT, _BAD_EVENT)))
        answer = await self._ask(scope, fields)
        if answer.status != 200:
            return await _relay(send, answer)
        page = EventPage.model_validate_json(answer.body)
        wait = 0.0 if page.events else float(fields.get("wait", 0))
        if not wants_stream and not wait:
            return await _relay(send, answer)
        guest = await sync_to_async(_find_guest)(scope, slug)
        fault = self._find_fault(guest)
        if guest is None or fault is not None:
            return await _relay(send, fault or answer)
        async with self._listening(guest.listener, receive) as stream:
            self._payers[stream] = guest.payer
            try:
                if wants_stream:
                    await self._send_events(stream, send, guest, page)
                else:
                    page = await self._wait(stream, guest, page, wait)
                    kept = [row for row in answer.headers if row[0].lower() != b"content-length"]
                    body = page.model_dump_json().encode()
                    await _relay(send, replace(answer, headers=kept, body=body))
            finally:
                del self._payers[stream]
        return None

    def _find_fault(self, guest: _Guest | None) -> _Answer | None:
        """Return the refusal if there are too many streams, else None."""
        if self._closing or len(self._streams) >= live.MOST_STREAMS:
            detail = "The server has too many open streams. Try again later."
            return _make_answer(Problem(503, "unavailable", detail))
        if guest and list(self._payers.values()).count(guest.payer) >= MOST_FOR_ONE:
            detail = f"You have {MOST_FOR_ONE} open streams. Close one first."
            return _make_answer(Problem(429, "too-many", detail))
        return None

    async def _ask(self, scope: live.Message, fields: Mapping[str, str]) -> _Answer:
        """Return the page server's answer to the request."""
        # The answer is read here, so it must not be compressed.
        headers = [row for row in scope["headers"] if row[0] != b"accept-encoding"]
        asked = {**scope, "headers": headers, "query_string": urlencode(fields).encode()}
        messages: list[live.Message] = []

        async def receive() -> live.Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: live.Message) -> None:
            messages.append(message)

        await self._pages(asked, receive, send)
        body = b"".join(message.get("body", b"") for message in messages[1:])
        return _Answer(messages[0]["status"], list(messages[0]["headers"]), body)

    async def _send_events(
        self, stream: live.Stream, send: live.Send, guest: _Guest, page: EventPage
    ) -> None:
        await live.begin(send)
        await live.write(send, f"retry: {_RETRY_MILLISECONDS}\n{live.PING}")
        found: EventPage | None = page
        seen = None
        while found is not None and not stream.is_over:
            if found.events:
                await live.write(send, "".join(map(_write_event, found.events)))
            while not (found.more or stream.is_over):
                await stream.wake.wait()
                stream.wake.clear()
                if stream.message != seen:
                    break
                await live.write(send, live.PING)
            seen = stream.message
            found = None if stream.is_over else await _read(guest, found.next)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait(
        self, stream: live.Stream, guest: _Guest, page: EventPage, seconds: float
    ) -> EventPage:
        """Return the next events, or the unchanged page if none arrive within `seconds`."""
        seen = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not page.events and not stream.is_over:
                    await stream.wake.wait()
                    stream.wake.clear()
                    if stream.message != seen:
                        seen = stream.message
                        page = await _read(guest, page.next) or page
        return page


async def _read(guest: _Guest, after: str) -> EventPage | None:
    """Return the events after an ID; None if the stream should end."""

    def read() -> EventPage | None:
        close_old_connections()
        try:
            listener = guest.listener
            return read_events(listener.slug, listener.viewer, after, with_press=guest.with_press)
        except Refused:
            return None
        except Exception:  # the caller reconnects with its last ID
            _log.exception("events cannot be read")
            return None
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_readers, read)


def _find_guest(scope: live.Message, slug: str) -> _Guest | None:
    """Return the waiting caller; None if the game or the token is gone."""
    close_old_connections()
    try:
        request = ASGIRequest(scope, io.BytesIO())
        text = request.headers.get("Authorization", "").partition(" ")[2].strip()
        bearer = find_bearer(text, timezone.now()) if text else None
        viewer = Viewer(bearer.user_id if bearer else None)
        game_id = find_visible(slug, viewer)
        if game_id is None or (text and bearer is None):
            return None
        listener = live.Listener(slug, game_id, viewer, hash_token(text) if text else None)
        if bearer is None:
            return _Guest(listener, False, f"address {get_adapter().get_client_ip(request)}")
        return _Guest(listener, Scope.PRESS in bearer.scopes, f"person {bearer.user_id}")
    finally:
        close_old_connections()


def _select_tokens(digests: Collection[str]) -> QuerySet[Any, versions.LiveRow]:
    rows = select_working(timezone.now()).filter(digest__in=digests)
    return versions.select_live(rows, _TOKEN, text="digest")


def _write_event(event: EventState) -> str:
    return f"id: {event.id}\nevent: {event.type}\ndata: {event.model_dump_json()}\n\n"


def _make_answer(problem: Problem) -> _Answer:
    made = answer_problem(problem)
    headers = {**made.headers, "cache-control": "no-store"}
    pairs = [
        (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()
    ]
    return _Answer(made.status_code, pairs, made.content)


async def _relay(send: live.Send, answer: _Answer) -> None:
    start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    await send(start)
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})
