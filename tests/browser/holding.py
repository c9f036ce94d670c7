"""Requests that the site of browser tests holds back, answers differently, or cuts off.

Only the site sees every request: Playwright does not see those with `keepalive` of a page with a
service worker, as orders are sent, in Chromium 150.
"""

import asyncio
import http.client
import json
import os
import socket
import time
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path
from typing import Any

from judge.tests.effort import PATIENCE

CONTROL = "/tests/holding/"
"""Where the tests tell the site what to hold."""
ARRIVAL = PATIENCE / 3
"""In seconds, for a request that the browser is about to send."""


class Held:
    """Requests of the method with a path that matches the pattern, from now on."""

    def __init__(self, port: int, method: str, pattern: str) -> None:
        self._port, self._name, self._taken = port, f"{method} {pattern}", 0
        self._rule = self._tell("hold", method=method, pattern=pattern)

    def count(self) -> int:
        """Return how many requests are here that were not taken."""
        return self._tell("count", rule=self._rule) - self._taken

    def take(self, number: int = 1) -> "list[Request]":
        """Wait for this many requests and return them, the oldest first."""
        end = time.monotonic() + ARRIVAL
        while (found := self.count()) < number:
            assert time.monotonic() < end, f"the browser did not send: {self._name}"
            time.sleep(0.02)
        assert found == number, f"the browser sent {found} instead of {number}: {self._name}"
        self._taken += number
        return [Request(self, place) for place in range(self._taken - number, self._taken)]

    def release(self) -> None:
        """Wait for a request, and let the site answer it."""
        [request] = self.take()
        request.release()

    def answer(self, status: int, body: str = "", kind: str = "text/html") -> None:
        """Answer those that are held, and all that come, in place of the site."""
        self._tell("decide", rule=self._rule, how={"status": status, "body": body, "kind": kind})

    def fail(self) -> None:
        """Cut off those that are held, and all that come: a browser may try twice."""
        self._tell("decide", rule=self._rule, how={"fail": True})

    def end(self) -> None:
        """Let the site answer those that are held, and all that come."""
        self._tell("decide", rule=self._rule, how={})

    def decide(self, place: int, how: dict[str, Any]) -> None:
        self._tell("decide", rule=self._rule, place=place, how=how)

    def _tell(self, command: str, **details: object) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        connection.request("POST", CONTROL, json.dumps({"command": command, **details}))
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        assert answer.status == 200, text
        return json.loads(text)


class Request:
    """One request that is held."""

    def __init__(self, held: Held, place: int) -> None:
        self._held, self._place = held, place

    def release(self) -> None:
        """Let the site answer."""
        self._held.decide(self._place, {})

    def answer(self, status: int, body: str = "", kind: str = "text/html") -> None:
        """Answer in place of the site."""
        self._held.decide(self._place, {"status": status, "body": body, "kind": kind})


class Rule:
    """Requests that match, as futures of what to do with each: see `HoldingSite`."""

    def __init__(self, method: str, pattern: str) -> None:
        self.method, self.pattern = method, pattern
        self.decisions: list[asyncio.Future[dict[str, Any]]] = []
        self._for_all: dict[str, Any] | None = None

    def matches(self, scope: Any) -> bool:
        return scope["method"] == self.method and fnmatchcase(scope["path"], self.pattern)

    async def hold(self) -> dict[str, Any]:
        """Return what to do with a request that has come, once that is decided."""
        self.decisions.append(asyncio.get_running_loop().create_future())
        if self._for_all is not None:
            self.decisions[-1].set_result(self._for_all)
        return await self.decisions[-1]

    def decide(self, how: dict[str, Any], place: int | None = None) -> None:
        """Decide about one request, or about all that are undecided or will come."""
        if place is None:
            self._for_all = how
        for decision in self.decisions if place is None else [self.decisions[place]]:
            if not decision.done():
                decision.set_result(how)


class HoldingSite:
    """An ASGI application around that of the site, which obeys the tests."""

    def __init__(self, site: Any) -> None:
        self._site, self._rules, self._numbers = site, {}, count()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == CONTROL:
            result = self._obey(**json.loads(await _read(receive)))
            await _answer(send, 200, json.dumps(result), "application/json")
            return
        for rule in list(self._rules.values()):
            if scope["type"] == "http" and rule.matches(scope):
                how = await rule.hold()
                if "fail" in how:
                    _cut_off(scope["client"])
                    return
                if how:
                    await _answer(send, how["status"], how["body"], how["kind"])
                    return
        await self._site(scope, receive, send)

    def _obey(self, command: str, rule: int = 0, **details: Any) -> int:
        match command:
            case "hold":
                rule = next(self._numbers)
                self._rules[rule] = Rule(**details)
            case "count":
                return len(self._rules[rule].decisions)
            case "decide":
                self._rules[rule].decide(**details)
        return rule


def make_application() -> HoldingSite:
    """Return the application of the site that browsers open."""
    from diplomaccloud.project.asgi import application  # sets Django up

    return HoldingSite(application)


async def _read(receive: Any) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


async def _answer(send: Any, status: int, body: str, kind: str) -> None:
    headers = [(b"content-type", kind.encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})


def _cut_off(client: tuple[str, str]) -> None:
    """Close the connection to a browser; its address is all that granian says about it."""
    for descriptor in Path("/dev/fd").iterdir():
        with suppress(OSError):  # one that is closed by now, or not connected
            if not descriptor.is_socket():
                continue
            with socket.socket(fileno=os.dup(int(descriptor.name))) as connection:
                peer = connection.getpeername()
                if tuple(map(str, peer)) == client:
                    connection.shutdown(socket.SHUT_RDWR)
