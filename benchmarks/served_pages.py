"""Processor time of a web server for each page, in multiples of that for empty pages."""

import gzip
import http.client
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlencode

from benchmarks.real_server import Server, serve

BATCH = 40
"""Requests between two looks at the server's processor time."""
_GZIP = b"\x1f\x8b"
Request = tuple[str, dict[str, object]]
"""An address, and what is posted to it, if anything."""


@dataclass(frozen=True, slots=True)
class Page:
    """Requests for a page, with the cookies of the reader."""

    name: str
    requests: Iterator[Request]
    cookies: str = ""


@dataclass(frozen=True, slots=True)
class Served:
    """A page's processor time, also in multiples of both empty pages, and its sizes in bytes.

    `full_size` is before compression.
    """

    ms: float
    times_visitor: float
    times_player: float
    size: int
    full_size: int


def measure_served(person: str, pages: Iterable[Page], rounds: int) -> dict[str, Served]:
    """Return the fastest of the rounds for each page; each round asks for all pages.

    `person` are the cookies of somebody who is logged in. Empty pages come first.
    """
    empty = (
        Page("empty, visitor", itertools.repeat(("/empty/", {}))),
        Page("empty, player", itertools.repeat(("/empty-for-person/", {})), person),
    )
    measured = [*empty, *pages]
    with serve(1, with_empty_pages=True) as server:
        # One connection for all: the server would close others while they wait for their turn.
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        asks = [_ask(connection, page) for page in measured]
        contents = [ask() for ask in asks]
        times = [_time(server, asks) for _ in range(rounds)]
    fastest = [min(each) for each in zip(*times, strict=True)]
    return {
        page.name: Served(ms, ms / fastest[0], ms / fastest[1], len(content), len(_unpack(content)))
        for page, ms, content in zip(measured, fastest, contents, strict=True)
    }


def _unpack(content: bytes) -> bytes:
    return gzip.decompress(content) if content.startswith(_GZIP) else content


def _time(server: Server, asks: list[Callable[[], bytes]]) -> list[float]:
    times = []
    for ask in asks:
        before = server.read_cpu()
        for _ in range(BATCH):
            ask()
        times.append((server.read_cpu() - before) * 1000 / BATCH)
    return times


def _ask(connection: http.client.HTTPConnection, page: Page) -> Callable[[], bytes]:
    """Return a function that asks for the page once, and returns what came back."""
    headers = {"Cookie": page.cookies, "Accept-Encoding": "gzip"}
    posting = headers | {"Content-Type": "application/x-www-form-urlencoded"}

    def ask() -> bytes:
        path, form = next(page.requests)
        if form:
            connection.request("POST", path, urlencode(form), posting)
        else:
            connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status in (HTTPStatus.OK, HTTPStatus.SEE_OTHER), (path, answer.status)
        return content

    return ask
