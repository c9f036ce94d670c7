"""Runs the pages, a WSGI application, in threads that slow clients cannot block.

The event loop reads a whole request before it uses a thread, and sends the response after the
thread is done. Waiting requests take turns by address, and one address never gets all threads.

If the declared length of a body is missing or too large, the pages refuse the request because of
its header, so the body is not read at all. To bound memory, there are limits on the number of bytes
being read at the same time, in total and for each address.

A proxy in front would solve most of this, but a site must withstand slow clients without one. A
download starts once all of it has been read from the database, so a failure gives an error page
instead of a truncated file.
"""

import asyncio
import contextvars
import io
import tempfile
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Final

from a2wsgi.wsgi import build_environ
from django.conf import settings

from diplomaccloud.project.admission import (
    Refusal,
    Scope,
    find_address,
    hold,
    is_probe,
    read_header,
)

THREADS: Final = 8
FOR_OTHERS: Final = 2
"""How many threads one address always leaves to others."""
PROBE_THREADS: Final = 2
"""How many additional threads are reserved for monitors."""
MOST_WAITING: Final = 1000
"""The most requests that may wait. Beyond that, the address with the most loses its last one."""
MEMORY_BYTES: Final = 1_000_000
"""The largest response that is kept in memory until it is sent; larger ones go to a file."""
MOST_FILE_BYTES: Final = 256_000_000
"""The most bytes of responses that wait in files; one response may be longer if it is alone."""
MOST_FILE_BYTES_FOR_ONE: Final = 64_000_000
"""The most bytes that wait for one address; one response may be longer if it is alone."""
_PIECE_BYTES: Final = 65_536
_BUSY: Final = "The server is too busy right now. Try again in a few seconds."
_SENDING_TOO_MUCH: Final = "The server is sending too much data. Try again in a few seconds."
GRACE_SECONDS: Final = 10.0
"""How long any body may take, however short."""
BYTES_PER_SECOND: Final = 2000
"""The minimum rate at which a longer body must arrive."""
MOST_SECONDS: Final = 120.0
MOST_BYTES: Final = 64_000_000
"""The most bytes that are read at the same time."""
MOST_BYTES_OF_LONG: Final = 48_000_000
"""The limit if the body is long, so that a few large uploads leave room for orders and log-ins."""
SHORT_BYTES: Final = 16_000
"""A body of this length or more counts as long."""
MOST_BYTES_FOR_ONE: Final = 16_000_000
"""The most bytes that are read from one address at the same time."""
_TOO_SLOW: Final = "The request arrived too slowly. Nothing was saved. Try again."
_RECEIVING_TOO_MUCH: Final = "The server is receiving too much data. Try again in a few seconds."
Receive = Callable[[], Awaitable[dict[str, Any]]]


class FairThreads:
    """A few threads, and the requests that wait for them; addresses take turns."""

    def __init__(self, number: int, most_for_one: int) -> None:
        self._executor = ThreadPoolExecutor(number, thread_name_prefix="pages")
        self._free, self._most_for_one = number, most_for_one
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()

    async def run(self, address: str, function: Any, *arguments: Any) -> Any:
        """Run the function in a thread, and return its result; raise `Refusal` if too many wait."""
        if not self._take(address):
            await self._wait(address)
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        done = loop.run_in_executor(self._executor, context.run, function, *arguments)
        # The thread is released when the function ends, even if nobody waits for the result.
        done.add_done_callback(lambda _: self._release(address))
        return await asyncio.shield(done)

    def _take(self, address: str) -> bool:
        """Take a thread if one is free and the address may use it."""
        if not self._free or self._running[address] >= self._most_for_one:
            return False
        self._free -= 1
        self._running[address] += 1
        return True

    async def _wait(self, address: str) -> None:
        """Wait for a thread; raise `Refusal` if the request loses its place."""
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            self._make_room(address)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            has_turn = await asyncio.shield(turn)
        except BaseException:
            if not turn.done():
                self._waiting[address].remove(turn)
            elif turn.result():
                self._release(address)
            raise
        if not has_turn:
            raise Refusal(503, _BUSY, 5)

    def _make_room(self, address: str) -> None:
        """Refuse the last request of the address with the most, or raise `Refusal` for this one."""
        longest = max(self._waiting.values(), key=len, default=deque[asyncio.Future[bool]]())
        if len(longest) <= len(self._waiting.get(address, ())) + 1:
            raise Refusal(503, _BUSY, 5)
        longest.pop().set_result(False)

    def _release(self, address: str) -> None:
        self._free += 1
        self._running[address] -= 1
        if not self._running[address]:
            del self._running[address]
        for waiting in list(self._waiting):
            if not self._free:
                return
            turns = self._waiting[waiting]
            if turns and self._take(waiting):
                turns.popleft().set_result(True)
                self._waiting.move_to_end(waiting)
            if not turns:
                del self._waiting[waiting]


@dataclass(frozen=True, slots=True)
class ThreadAnswer:
    """The whole response of a page."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes | IO[bytes]

    def pieces(self) -> Iterator[bytes]:
        """Yield the body in chunks."""
        if isinstance(self.body, bytes):
            for start in range(0, len(self.body), _PIECE_BYTES):
                yield self.body[start : start + _PIECE_BYTES]
            return
        self.body.seek(0)
        while piece := self.body.read(_PIECE_BYTES):
            yield piece


class AnswerFiles:
    """Counts the bytes of the responses that wait in files; each process has one.

    Otherwise, people who read slowly could fill the disk.
    """

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    @contextmanager
    def keep(self, address: str, answer: ThreadAnswer) -> Iterator[None]:
        """Count the response within the block, and then close its file.

        Raises `Refusal` if there is no room.
        """
        if isinstance(answer.body, bytes):
            yield
            return
        with answer.body as file:
            length = file.seek(0, io.SEEK_END)
            if (held := self._held.total()) and held + length > MOST_FILE_BYTES:
                raise Refusal(503, _SENDING_TOO_MUCH, 5)
            if (held := self._held[address]) and held + length > MOST_FILE_BYTES_FOR_ONE:
                raise Refusal(429, _SENDING_TOO_MUCH, 5)
            with hold(self._held, address, length):
                yield


class Pages:
    """The pages as an ASGI application; each process has one."""

    def __init__(self, application: Any) -> None:
        """Wrap the pages, a WSGI application."""
        self._application = application
        self._bodies = BodyReader()
        self._files = AnswerFiles()
        self._threads = FairThreads(THREADS, THREADS - FOR_OTHERS)
        self._probe_threads = FairThreads(PROBE_THREADS, PROBE_THREADS)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer one request; raise `Refusal` if it cannot be served."""
        threads = self._probe_threads if is_probe(scope["path"]) else self._threads
        address = find_address(scope)
        with self._bodies.room_for(scope) as length:
            body = await self._bodies.read(length, receive)
            environ = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type]
            answer = await threads.run(address, self._make_answer, environ)
        with self._files.keep(address, answer):
            await _send(answer, send)

    def _make_answer(self, environ: dict[str, Any]) -> ThreadAnswer:
        begun: list[tuple[int, list[tuple[bytes, bytes]]]] = []

        def start_response(status: str, headers: Any, _exc_info: object = None) -> None:
            encoded = [
                (name.strip().encode("latin-1").lower(), value.strip().encode("latin-1"))
                for name, value in headers
            ]
            begun.append((int(status.partition(" ")[0]), encoded))

        parts = self._application(environ, start_response)
        try:
            body = _collect(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        return ThreadAnswer(*begun[-1], body)


async def _send(answer: ThreadAnswer, send: Any) -> None:
    start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    await send(start)
    piece = b""
    for following in answer.pieces():
        if piece:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        piece = following
    await send({"type": "http.response.body", "body": piece, "more_body": False})


def _collect(parts: Iterable[bytes]) -> bytes | IO[bytes]:
    """Return all chunks together, or in a file if they are long."""
    file = tempfile.SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 closed after it is sent
    try:
        for part in parts:
            file.write(part)
        if file.tell() > MEMORY_BYTES:
            return file
        file.seek(0)
        return file.read()
    except BaseException:
        file.close()
        raise


class BodyReader:
    """Reads bodies, and counts the bytes that it holds; each process has one."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    @contextmanager
    def room_for(self, scope: Scope) -> Iterator[int]:
        """Count the body of a request within the block; yield the bytes to read.

        Raises `Refusal` if there is no room.
        """
        length, address = _measure(scope), find_address(scope)
        most = MOST_BYTES if length < SHORT_BYTES else MOST_BYTES_OF_LONG
        if self._held.total() + length > most:
            raise Refusal(503, _RECEIVING_TOO_MUCH, 5)
        if self._held[address] + length > MOST_BYTES_FOR_ONE:
            raise Refusal(429, _RECEIVING_TOO_MUCH, 5)
        with hold(self._held, address, length):
            yield length

    async def read(self, length: int, receive: Receive) -> bytes:
        """Return a body; raise `Refusal` if it arrives too slowly or is incomplete."""
        if not length:
            return b""
        body = bytearray()
        loop = asyncio.get_running_loop()
        started_at = loop.time()
        while True:
            allowed = min(GRACE_SECONDS + len(body) / BYTES_PER_SECOND, MOST_SECONDS)
            try:
                async with asyncio.timeout_at(started_at + allowed):
                    message = await receive()
            except TimeoutError:
                raise Refusal(408, _TOO_SLOW) from None
            if message["type"] != "http.request":
                raise Refusal(400, "The request ended before its whole body had arrived.")
            body += message.get("body", b"")
            if len(body) > length:
                raise Refusal(400, "The request body is longer than its header says.")
            if not message.get("more_body", False):
                return bytes(body)


def _measure(scope: Scope) -> int:
    """Return the length in bytes of the body to read."""
    length = read_header(scope, b"content-length")
    limit = settings.UPLOAD_LIMITS.get(scope["path"], settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if not (length.isascii() and length.isdecimal() and len(length) < 16):
        return 0
    return int(length) if int(length) <= limit else 0
