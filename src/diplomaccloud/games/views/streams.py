"""Files whose lines are read while the response is sent."""

from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from typing import Final

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

_LINES_AT_ONCE: Final = 200


def send_lines(request: HttpRequest, lines: Iterable[str], name: str) -> StreamingHttpResponse:
    """Return a response that reads the lines while it is sent, as the file `name`."""
    chunks = _chunk(lines)
    return StreamingHttpResponse(
        _pull(chunks) if isinstance(request, ASGIRequest) else chunks,
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _chunk(lines: Iterable[str]) -> Iterator[bytes]:
    remaining = iter(lines)
    while chunk := list(islice(remaining, _LINES_AT_ONCE)):
        yield "".join(f"{line}\n" for line in chunk).encode()


async def _pull(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the chunks, each read in the thread of the request."""
    read = sync_to_async(lambda: next(chunks, b""))
    while chunk := await read():
        yield chunk
