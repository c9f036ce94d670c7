"""The events of a game for one viewer: public events, and the viewer's messages and answers.

Server-sent events and long polls don't tie up a thread of the page server. A request is first
handled like any other, which checks the token and the parameters. Then it waits for events in the
same way as the live streams of pages: one query a second serves all of them. A stream ends within
seconds if the token stops working or the game is no longer visible.
"""

import asyncio
import contextlib
import datetime as dt
import io
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Annotated, Any, Final
from urllib.parse import parse_qsl, urlencode

import structlog
from allauth.account.adapter import get_adapter
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query
from pydantic import Field

from diplomaccloud.api.addresses import GameId
from diplomaccloud.api.answers import ApiAnswer
from diplomaccloud.api.auth import OPEN, caller_of
from diplomaccloud.api.bodies import NUL
from diplomaccloud.api.limits import AT_ONCE, Limit, Standing
from diplomaccloud.api.middleware import PREFIX
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import Problem, answer_problem, refuse_field
from diplomaccloud.api.tokens import Scope, find_bearer, find_holders, hash_token, list_working
from diplomaccloud.games.news.read import Happening, list_public_happenings
from diplomaccloud.games.page import live
from diplomaccloud.games.page import read as versions
from diplomaccloud.games.page.read import version_of
from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame
from diplomaccloud.games.visibility.read import Viewer, find_visible, is_canceled
from diplomaccloud.press.news import read as press
from diplomaccloud.schedule.timer import Refused

LIMIT: Final = 100
"""The maximum number of events in one answer."""
NOW: Final = "now"
"""Sent instead of an ID to get only future events."""
PATTERN: Final = "^(now|[0-9]{1,9}(-[0-9]{1,9}){0,2})$"
OTHER: Final = "game.changed"
TYPES: Final[Mapping[str, str]] = {
    "created": "game.created",
    "started": "game.started",
    "finished": "game.over",
    "canceled": "game.canceled",
    "suspended": "game.suspended",
    "resumed": "game.resumed",
    "changed": OTHER,
    "opened": "phase.opened",
    "locked": "phase.closed",
    "processed": "phase.resolved",
    "ready": "seat.ready",
    "joined": "seat.changed",
    "left": "seat.changed",
    "seat": "seat.changed",
    "motion": "vote.changed",
    "log": "log.written",
    "message": "message.received",
    "answer": "proposal.answered",
}
"""The event type for each kind of happening; the rest are `OTHER`."""

EVENT_TYPES: Final = tuple(dict.fromkeys(TYPES.values()))


class EventState(ApiAnswer):
    """Something that happened in a game, as far as you may know it."""

    id: str = Field(description="Send the newest ID as `after` to get every event exactly once.")
    type: Annotated[str, Field(json_schema_extra={"enum": list(EVENT_TYPES)})] = Field(
        description="What happened. There may be more types later: ignore those you don't know."
    )
    at: dt.datetime
    data: Mapping[str, object] = Field(
        description="Values such as `phase`, `sequence`, `due_at`, `power`, `with` and `number`; "
        "never text that a person wrote."
    )


class EventPage(ApiAnswer):
    """Events, oldest first."""

    events: list[EventState]
    next: str = Field(description="The `after` for the next request.")
    more: bool = Field(description="Whether more events are available now.")


def read_events(slug: str, viewer: Viewer, after: str, *, with_press: bool) -> EventPage:
    """Return the events after an ID that matches `PATTERN`, or none and the latest ID for `NOW`.

    `with_press` adds the viewer's messages and answers. Raises `NoSuchGame` or `GameCanceled`.
    """
    game_id = find_visible(slug, viewer)
    if game_id is None:
        raise GameCanceled if is_canceled(slug) else NoSuchGame
    person = viewer.user_id if with_press else None
    if after == NOW:
        counts = [version_of(game_id), 0, 0]
        if person is not None:
            counts[1:] = press.count_messages(game_id, person), press.count_answers(game_id, person)
        return EventPage(events=[], next=_write(counts), more=False)
    counts = [*map(int, after.split("-")), 0, 0][:3]
    public, messages, answers = counts
    sources = [list_public_happenings(game_id, after=public, limit=LIMIT + 1)]
    if person is not None:
        sources += press.list_happenings(
            game_id, person, messages=messages, answers=answers, limit=LIMIT + 1
        )
    happenings, events = _merge(sources), []
    for source, happening in happenings[:LIMIT]:
        counts[source] += 1
        events.append(_describe(happening, _write(counts)))
    return EventPage(events=events, next=_write(counts), more=len(happenings) > LIMIT)


def _merge(sources: Sequence[Sequence[Happening]]) -> list[tuple[int, Happening]]:
    """Return all happenings by time. Each source keeps its own order, even if its times don't."""
    merged = []
    for number, source in enumerate(sources):
        # Adjusted so that they never decrease.
        times = accumulate((happening.at for happening in source), max)
        merged += [(at, number, happening) for at, happening in zip(times, source, strict=True)]
    merged.sort(key=lambda entry: entry[:2])
    return [(number, happening) for _, number, happening in merged]


def _describe(happening: Happening, key: str) -> EventState:
    facts = {
        # Times are written as in all other answers.
        name: str(value).replace("+00:00", "Z") if name.endswith("_at") else value
        for name, value in happening.facts.items()
    }
    if "with" in facts:
        facts["with"] = str(facts["with"]).replace("+", ",")
    kind = TYPES.get(happening.kind, OTHER)
    return EventState(id=key, type=kind, at=happening.at, data=facts)


def _write(counts: Sequence[int]) -> str:
    """Return the ID for the numbers of public events, messages and answers that were received."""
    return "-".join(map(str, counts)) if any(counts[1:]) else str(counts[0])


MAX_WAIT = 30
"""How many seconds a long poll may last."""
area = Area("events", OPEN)


@area.reads("/games/{game}/events", EventPage)
def list_events(
    request: HttpRequest,
    game: GameId,
    after: Annotated[str, Query(pattern=PATTERN)] = "0",
    wait: Annotated[int, Query(ge=0, le=MAX_WAIT)] = 0,  # noqa: ARG001 see `EventStream`
) -> object:
    """List events, oldest first. Events in conversations need the scope `press`.

    Send the `next` of each answer as `after` in your next request to get every event exactly once;
    `after=now` skips past events. With `wait`, the server answers at the next event, or after that
    many seconds. `Accept: text/event-stream` opens a stream; `Last-Event-ID` resumes it.
    """
    caller = caller_of(request)
    return read_events(game, caller.viewer, after, with_press=caller.reads_press)


MOST_FOR_ONE: Final = 10
"""The maximum streams and long polls in a process for a person, or for an IP without a token."""
_ADDRESS: Final = re.compile(re.escape(PREFIX) + "games/([a-z2-9]{10})/events")
LAST_EVENT: Final = "Last-Event-ID"
_BAD_EVENT: Final = "This header must have the `id` of an event."
_STREAM: Final = "text/event-stream"
_TOKEN: Final = "token"  # noqa: S105 the prefix of token rows
_RETRY_MILLISECONDS: Final = 2000
_WAIT_SECONDS: Final = 30
"""When to try again to open a stream."""
_LIMITS: Final = (b"ratelimit", b"ratelimit-policy")
_log = structlog.get_logger(__name__)
_readers: Final = ThreadPoolExecutor(4, thread_name_prefix="events")
Pages = Callable[[live.Message, live.Receive, live.Send], Awaitable[None]]


def find_stream_limit() -> Limit:
    """Return the limit on what one person may have open."""
    return Limit("open-streams", MOST_FOR_ONE, AT_ONCE, window=0)


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
        self.door = live.Door(select_tokens, find_holders)
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
                    limits = [row for row in answer.headers if row[0].lower() in _LIMITS]
                    await self._send_events(stream, send, guest, page, limits)
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
            headers = Standing(find_stream_limit(), 0, _WAIT_SECONDS).list_headers()
            retry = {"Retry-After": str(_WAIT_SECONDS)}
            return _make_answer(Problem(429, "too-many", detail, headers={**headers, **retry}))
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
        self,
        stream: live.Stream,
        send: live.Send,
        guest: _Guest,
        page: EventPage,
        limits: Sequence[tuple[bytes, bytes]],
    ) -> None:
        await live.begin(send, limits)
        await live.write(send, f"retry: {_RETRY_MILLISECONDS}\n{live.PING}")
        batch: EventPage | None = page
        seen = None
        while batch is not None and not stream.is_over:
            if batch.events:
                await live.write(send, "".join(map(_write_event, batch.events)))
            while not (batch.more or stream.is_over):
                await stream.wake.wait()
                stream.wake.clear()
                if stream.message != seen:
                    break
                await live.write(send, live.PING)
            seen = stream.message
            batch = None if stream.is_over else await _read_on(guest, batch.next)
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
                        page = await _read_on(guest, page.next) or page
        return page


async def _read_on(guest: _Guest, after: str) -> EventPage | None:
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


def select_tokens(digests: Collection[str]) -> list[QuerySet[Any, versions.LiveRow]]:
    """Return queries for the tokens with these hashes that still work."""
    return [versions.select_live(rows, _TOKEN, text="digest") for rows in list_working(digests)]


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
