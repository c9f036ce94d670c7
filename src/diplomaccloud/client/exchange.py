"""Shared by both clients: making requests from calls, and reading answers from responses."""

import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import httpx

from diplomaccloud.client.call import Call
from diplomaccloud.client.errors import StrangeAnswer, Unreachable
from diplomaccloud.client.json_values import read_value, write_given
from diplomaccloud.client.problem import URN, Problem
from diplomaccloud.client.problems import PROBLEMS
from diplomaccloud.version import __version__

T = TypeVar("T")
_MAX_KEPT: Final = 64
_NOT_MODIFIED: Final = 304


class Exchange:
    """The URL and token for a site, and the latest answers that have an ETag."""

    def __init__(self, url: str, token: str) -> None:
        base = url.rstrip("/").removesuffix("/api/v1")
        address = httpx.URL(base)
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError(f"{url!r} is not the address of a site, such as https://games.example")
        self.base = f"{base}/api/v1"
        self.headers = {"User-Agent": f"diplomaccloud/{__version__}"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        self._kept: OrderedDict[str, tuple[str, object]] = OrderedDict()

    def make_request(self, call: Call[T]) -> httpx.Request:
        """Return the request for a call. Sending it twice has the same effect as once."""
        headers = dict(call.headers)
        if call.key is not None:
            headers["Idempotency-Key"] = call.key or secrets.token_hex(16)
        query: dict[str, Any] = write_given(call.query)
        url = httpx.URL(self.base + call.path, params=query or None)
        content = None
        if call.body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(write_given(call.body)).encode()
        kept = self._kept.get(str(url)) if call.reads else None
        if kept is not None:
            headers["If-None-Match"] = kept[0]
        return httpx.Request(call.method, url, headers={**self.headers, **headers}, content=content)

    def read(self, call: Call[T], outcome: httpx.Response | httpx.TransportError) -> T:
        """Return the answer to a call; raise `Problem`, `Unreachable` or `StrangeAnswer`."""
        if isinstance(outcome, httpx.TransportError):
            raise Unreachable(f"{self.base}: {_describe(outcome)}") from outcome
        url = str(outcome.request.url)
        if outcome.status_code == _NOT_MODIFIED and url in self._kept:
            value: T = self._kept[url][1]  # type: ignore[assignment]
            return value
        if not outcome.is_success:
            raise _find_problem(outcome)
        value = _read_body(call, outcome)
        tag = outcome.headers.get("ETag")
        if call.reads and tag:
            self._kept[url] = (tag, value)
            self._kept.move_to_end(url)
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)
        return value


def _read_body(call: Call[T], response: httpx.Response) -> T:
    if call.answer is str:
        return response.text  # type: ignore[return-value]
    if call.answer is bytes:
        return response.content  # type: ignore[return-value]
    value: T = read_value(call.answer, _read_json(response))
    return value


def _read_json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise StrangeAnswer(_describe_strange(response)) from error


def _find_problem(response: httpx.Response) -> Exception:
    """Return the exception for a refusal by the site or by a proxy in front of it."""
    if not response.headers.get("Content-Type", "").startswith("application/problem+json"):
        return StrangeAnswer(_describe_strange(response))
    document = _read_json(response)
    if not isinstance(document, Mapping):
        return StrangeAnswer(_describe_strange(response))
    kind = str(document.get("type", "")).removeprefix(URN)
    return PROBLEMS.get(kind, Problem)(document)


def _describe_strange(response: httpx.Response) -> str:
    text = f"{response.request.url} answered {response.status_code}"
    if response.is_redirect:
        return f"{text}: it is at {response.headers.get('Location', 'another address')}"
    return f"{text}, which is not an answer of the API"


def _describe(error: httpx.TransportError) -> str:
    return str(error) or type(error).__name__
