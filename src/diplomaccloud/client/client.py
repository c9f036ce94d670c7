"""The clients: one is blocking, the other asynchronous."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing
from types import TracebackType
from typing import Self, TypeVar

import httpx

from diplomaccloud.client.call import AsyncSender, Call, Sender
from diplomaccloud.client.exchange import Exchange
from diplomaccloud.client.follow import Follower
from diplomaccloud.client.lists import Lists
from diplomaccloud.client.operations import Operations
from diplomaccloud.client.retries import Retries
from diplomaccloud.client.values import EventState

T = TypeVar("T")
_TIMEOUT = httpx.Timeout(60, connect=10)


class Client(Sender, Operations, Lists):
    """A blocking client: `with Client("https://…", token) as client`.

    Each method is an operation of the API. It raises a class of `problems` if the site refuses,
    and `Unreachable` if it never answers. `transport` replaces the connection, as in tests.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        retries: Retries | None = None,
        timeout: httpx.Timeout = _TIMEOUT,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._exchange, self._retries = Exchange(url, token), retries or Retries()
        self._http = httpx.Client(timeout=timeout, transport=transport)

    def send(self, call: Call[T]) -> T:
        """Return the answer to a call, retrying after temporary failures."""
        request, done = self._exchange.make_request(call), 0
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = self._http.send(request, follow_redirects=call.reads)
            except httpx.TransportError as error:
                outcome = error
            pause = self._retries.find_pause(done, outcome)
            if pause is None:
                return self._exchange.read(call, outcome)
            time.sleep(pause)
            done += 1

    def follow_events(self, game: str, *, after: str = "now") -> Iterator[EventState]:
        """Yield the events of a game after the event `after`, as they happen, forever.

        This is like `iterate_events`, but keeps one connection open. If it breaks, the stream
        resumes after the last event.
        """
        if after == "now":
            after = self.list_events(game, after=after).next
        follower = Follower(self._exchange, self._retries, game, after)
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = self._http.send(follower.make_request(), stream=True)
                with closing(outcome):
                    if not outcome.is_success:
                        outcome.read()
                    else:
                        for line in outcome.iter_lines():
                            if event := follower.read(line):
                                yield event
            except httpx.TransportError as error:
                outcome = error
            time.sleep(follower.find_pause(outcome))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(AsyncSender, Operations, Lists):
    """An asynchronous client: `async with AsyncClient("https://…", token) as client`.

    Otherwise it is like `Client`.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        retries: Retries | None = None,
        timeout: httpx.Timeout = _TIMEOUT,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._exchange, self._retries = Exchange(url, token), retries or Retries()
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport)

    async def send(self, call: Call[T]) -> T:
        """Return the answer to a call, retrying after temporary failures."""
        request, done = self._exchange.make_request(call), 0
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = await self._http.send(request, follow_redirects=call.reads)
            except httpx.TransportError as error:
                outcome = error
            pause = self._retries.find_pause(done, outcome)
            if pause is None:
                return self._exchange.read(call, outcome)
            await asyncio.sleep(pause)
            done += 1

    async def follow_events(self, game: str, *, after: str = "now") -> AsyncIterator[EventState]:
        """Yield the events of a game after the event `after`, as they happen, forever.

        This is like `iterate_events`, but keeps one connection open. If it breaks, the stream
        resumes after the last event.
        """
        if after == "now":
            after = (await self.list_events(game, after=after)).next
        follower = Follower(self._exchange, self._retries, game, after)
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = await self._http.send(follower.make_request(), stream=True)
                async with aclosing(outcome):
                    if not outcome.is_success:
                        await outcome.aread()
                    else:
                        async for line in outcome.aiter_lines():
                            if event := follower.read(line):
                                yield event
            except httpx.TransportError as error:
                outcome = error
            await asyncio.sleep(follower.find_pause(outcome))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close()
