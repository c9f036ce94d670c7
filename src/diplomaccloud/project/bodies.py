"""Reads the bodies of requests on the event loop, within limits, before a thread is taken.

The pages refuse a body whose declared length is missing or too large by its header alone, so such a
body is not read at all. What is read at the same time has a limit, for all together and for each
address, so that memory is bounded.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings

from diplomaccloud.project.admission import Refusal, Scope, find_address, read_header

GRACE_SECONDS: Final = 10.0
"""How long a body of any length may take."""
BYTES_PER_SECOND: Final = 2000
"""The rate that a longer body must have."""
MOST_SECONDS: Final = 120.0
MOST_BYTES: Final = 64_000_000
"""How much is read at the same time."""
MOST_BYTES_OF_LONG: Final = 48_000_000
"""Up to how much a long body is read: a few senders of such leave room for orders and log-ins."""
SHORT_BYTES: Final = 16_000
"""The length of a body from which on it is a long one."""
MOST_BYTES_FOR_ONE: Final = 16_000_000
"""How much is read at the same time from one address."""
_TOO_SLOW: Final = "The request came too slowly. Nothing was saved. Try again."
_FULL: Final = "The server is receiving too much at once. Try again in a few seconds."

Receive = Callable[[], Awaitable[dict[str, Any]]]


class BodyReader:
    """Reads bodies, and counts the bytes that it holds; one serves a process."""

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
            raise Refusal(503, _FULL, 5)
        if self._held[address] + length > MOST_BYTES_FOR_ONE:
            raise Refusal(429, _FULL, 5)
        self._held[address] += length
        try:
            yield length
        finally:
            self._held[address] -= length
            if not self._held[address]:
                del self._held[address]

    async def read(self, length: int, receive: Receive) -> bytes:
        """Return a body; raise `Refusal` if it comes too slowly or not as a whole."""
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
                raise Refusal(400, "The request ended before all of it had come.")
            body += message.get("body", b"")
            if len(body) > length:
                raise Refusal(400, "The request is longer than it said.")
            if not message.get("more_body", False):
                return bytes(body)


def _measure(scope: Scope) -> int:
    """Return the length of a request's body that is to be read, in bytes."""
    length = read_header(scope, b"content-length")
    limit = settings.UPLOAD_LIMITS.get(scope["path"], settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if not (length.isascii() and length.isdecimal() and len(length) < 16):
        return 0
    return int(length) if int(length) <= limit else 0
