"""Reads request bodies on the event loop, within limits, before a thread is used.

If the declared length of a body is missing or too large, the pages refuse the request because of
its header, so the body is not read at all. To bound memory, there are limits on the number of bytes
being read at the same time, in total and for each address.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings

from diplomaccloud.project.admission import Refusal, Scope, find_address, read_header

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
_FULL: Final = "The server is receiving too much data. Try again in a few seconds."

Receive = Callable[[], Awaitable[dict[str, Any]]]


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
