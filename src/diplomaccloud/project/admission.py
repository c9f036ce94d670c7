"""Limits on how many requests one address or one person may have open at a time.

A request over the limit is refused at once on the event loop, with a sentence, without using a
thread. The address is that of the client, or the one that the last trusted proxy has added.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import structlog
from django.conf import settings
from django.http import parse_cookie

from diplomaccloud.api.limits import AT_ONCE, Limit, Standing
from diplomaccloud.api.middleware import PREFIX as API
from diplomaccloud.api.middleware import Send
from diplomaccloud.api.problems import Problem, answer_problem, find_kind
from diplomaccloud.shared.addresses import find_sender

Scope = dict[str, Any]
PROBES: Final = ("/health", "/metrics")
"""Paths for monitors, including everything below them; some threads are reserved for them."""
MOST_PROBES: Final = 4
"""How many of these requests one address may have open at a time."""
MOST_FOR_PERSON: Final = 24
"""How many requests with the same session or token are served at a time."""
_REPORT_SECONDS: Final = 10.0
_LIMIT: Final = b"ratelimit"
_log = structlog.get_logger("diplomaccloud.admission")


class Refusal(Exception):
    """Raised if a request is not served; the message is a sentence for the client."""

    def __init__(
        self,
        status: int,
        sentence: str,
        retry_seconds: int = 0,
        standing: Standing | None = None,
    ) -> None:
        """Take the status, the sentence, and the limit that was reached, if there is one."""
        super().__init__(sentence)
        self.status, self.sentence, self.retry_seconds = status, sentence, retry_seconds
        self.standing = standing


@contextmanager
def hold(held: Counter[str], who: str, amount: int) -> Iterator[None]:
    """Count what an address or a person has within the block, and forget it afterward."""
    held[who] += amount
    try:
        yield
    finally:
        held[who] -= amount
        if not held[who]:
            del held[who]


class Crowd:
    """Counts how many requests of a kind each address or person has open."""

    def __init__(self, name: str, most: int, sentence: str, retry_seconds: int) -> None:
        """Take the limit for each (0: none), and the sentence for requests over the limit."""
        self.limit = Limit(name, most, AT_ONCE, window=0)
        self._sentence, self._retry_seconds = sentence, retry_seconds
        self._open: Counter[str] = Counter()

    @contextmanager
    def join(self, who: str) -> Iterator[None]:
        """Count one more request within the block; raise `Refusal` if it is over the limit."""
        most = self.limit.quota
        if most and self._open[who] >= most:
            standing = Standing(self.limit, 0, self._retry_seconds)
            raise Refusal(429, self._sentence, self._retry_seconds, standing)
        with hold(self._open, who, 1):
            yield

    def find_standing(self, who: str) -> Standing | None:
        """Return how many more requests one address or person may have open; None for any."""
        most = self.limit.quota
        return Standing(self.limit, max(0, most - self._open[who])) if most else None


class Gate:
    """Admits requests, and answers the ones it refuses; each process has one."""

    def __init__(self) -> None:
        self.refused: Counter[int] = Counter()
        """How many requests have been refused since the start, by status."""
        self._reported: tuple[float, int] = (-_REPORT_SECONDS, 0)
        busy = "Your address has too many requests open. Try again in a few seconds."
        self._probes = Crowd("probes", MOST_PROBES, busy, 2)
        self._addresses = Crowd("open-requests", settings.REQUESTS_PER_ADDRESS, busy, 2)
        self._people = Crowd(
            "open-requests-of-token",
            MOST_FOR_PERSON,
            "You have too many requests open. Try again in a few seconds.",
            2,
        )
        self._streams = Crowd(
            "open-streams-of-address",
            settings.STREAMS_PER_ADDRESS,
            "Your address has too many live streams open. Close a page and try again.",
            30,
        )

    @contextmanager
    def admit(self, scope: Scope) -> Iterator[None]:
        """Count a page request within the block; raise `Refusal` if it is over a limit."""
        address = find_address(scope)
        if is_probe(scope["path"]):
            with self._probes.join(address):
                yield
            return
        with self._addresses.join(address), ExitStack() as counted:
            for person in find_people(scope):
                counted.enter_context(self._people.join(person))
            yield

    @contextmanager
    def admit_stream(self, scope: Scope) -> Iterator[None]:
        """Count a live stream within the block; raise `Refusal` if it is over the limit."""
        with self._streams.join(find_address(scope)):
            yield

    def state_limits(self, scope: Scope, send: Send) -> Send:
        """Return `send` so that answers of the API that state no other limit state the address's.

        Those are the ones that were made before the call was counted.
        """
        if not scope["path"].startswith(API):
            return send

        async def sent(message: Any) -> None:
            headers = message.get("headers", ())
            if message["type"] == "http.response.start" and all(
                row[0] != _LIMIT for row in headers
            ):
                standing = self._addresses.find_standing(find_address(scope))
                made = standing.list_headers() if standing else {}
                rows = [(name.lower().encode(), value.encode()) for name, value in made.items()]
                message = {**message, "headers": [*headers, *rows]}
            await send(message)

        return sent

    async def refuse(self, refusal: Refusal, scope: Scope, send: Any) -> None:
        """Answer with the sentence (in the API as a problem document), and close the connection."""
        self.refused[refusal.status] += 1
        self._report(refusal, scope)
        retry = {"Retry-After": str(refusal.retry_seconds)} if refusal.retry_seconds else {}
        if scope["path"].startswith(API):
            kind = find_kind(refusal.status)
            made = answer_problem(Problem(refusal.status, kind, refusal.sentence, headers=retry))
            headers, body = dict(made.headers), made.content
            headers |= refusal.standing.list_headers() if refusal.standing else {}
        else:
            headers = {"Content-Type": "text/plain; charset=utf-8", **retry}
            body = f"{refusal.sentence}\n".encode()
        headers |= {"Cache-Control": "no-store", "Content-Length": str(len(body))}
        if scope["http_version"].startswith("1"):
            headers["Connection"] = "close"
        if any(name == b"hx-request" for name, _ in scope["headers"]):
            headers["HX-Reswap"] = "none"  # leave that part of the page unchanged
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        start = {"type": "http.response.start", "status": refusal.status, "headers": encoded}
        await send(start)
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _report(self, refusal: Refusal, scope: Scope) -> None:
        """Log at most one line every ten seconds, so a flood of requests does not flood the log."""
        reported_at, count = self._reported
        total, now = self.refused.total(), time.monotonic()
        if now - reported_at < _REPORT_SECONDS:
            return
        self._reported = (now, total)
        facts: dict[str, object] = {"status": refusal.status, "number": total - count}
        if not settings.ALLAUTH_TRUSTED_PROXY_COUNT and read_header(scope, b"x-forwarded-for"):
            facts["hint"] = "Set DIPLOMACCLOUD_PROXIES; without it, all visitors share one address."
        _log.warning("requests refused", address=find_address(scope), **facts)


def is_probe(path: str) -> bool:
    """Return whether a path is for monitors."""
    return any(path == probe or path.startswith(f"{probe}/") for probe in PROBES)


def find_address(scope: Scope) -> str:
    """Return the address that sent a request: a network for IPv6, or blank on a local socket."""
    remote = scope["client"][0] if scope.get("client") else ""
    return find_sender(remote, read_header(scope, b"x-forwarded-for"))


def join_cookies(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers with one `Cookie` header, in which everyone reads the same session.

    HTTP/2 lets a browser send several, and WSGI would join them with a comma (RFC 9113, 8.2.3).
    """
    cookies = [value for name, value in headers if name == b"cookie"]
    if len(cookies) < 2:
        return headers
    others = [header for header in headers if header[0] != b"cookie"]
    return [*others, (b"cookie", b"; ".join(cookies))]


def find_people(scope: Scope) -> list[str]:
    """Return hashes that identify the session and the token of a request.

    Both are read exactly as pages and the API read them, so that nobody can evade the limit with a
    header that only this function sees, or by writing the same value in another way.
    """
    cookies = parse_cookie(read_header(scope, b"cookie"))
    token = read_header(scope, b"authorization").partition(" ")[2].strip()
    secrets = (cookies.get(settings.SESSION_COOKIE_NAME, ""), token)
    return [_make_mark(secret) for secret in secrets if secret]


def _make_mark(secret: str) -> str:
    return hashlib.blake2b(secret.encode(), digest_size=12).hexdigest()


def read_header(scope: Scope, name: bytes) -> str:
    """Return a request header, joined if it was sent several times."""
    return ",".join(text.decode("latin-1") for key, text in scope["headers"] if key == name)
