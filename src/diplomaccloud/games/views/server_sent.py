"""Streams of server-sent events as ASGI responses."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
PING: Final = ": ping\n\n"


async def begin(send: Send) -> None:
    """Start a response that is a stream of events."""
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def write(send: Send, text: str) -> None:
    """Send a part of the stream."""
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
