"""Who may come in: how much one address or one person may have open at a time.

A request that is too much is answered at once on the event loop, with a sentence, and takes no
thread. An address is that of the other side, or the one that the last trusted proxy has added.
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

from diplomaccloud.api.middleware import PREFIX as API
from diplomaccloud.api.problems import Problem, answer_problem, find_kind
from diplomaccloud.shared.addresses import find_sender

Scope = dict[str, Any]
PROBES: Final = ("/health", "/metrics")
"""The paths of monitors, with all below them: threads are kept for these."""
MOST_PROBES: Final = 4
"""How many of them one address may ask for at a time."""
MOST_FOR_PERSON: Final = 24
"""How many requests with one session or token are served at a time."""
_REPORT_SECONDS: Final = 10.0
_log = structlog.get_logger("diplomaccloud.admission")


class Refusal(Exception):
    """A request is not served; the message is the sentence for the other side."""

    def __init__(self, status: int, sentence: str, retry_seconds: int = 0) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.retry_seconds = status, sentence, retry_seconds


class Crowd:
    """Counts what each one has open of something."""

    def __init__(self, most: int, sentence: str, retry_seconds: int) -> None:
        """Take how many one may have, 0 for any number, and the sentence for one more."""
        self._most, self._sentence, self._retry_seconds = most, sentence, retry_seconds
        self._open: Counter[str] = Counter()

    @contextmanager
    def join(self, who: str) -> Iterator[None]:
        """Count one more within the block; raise `Refusal` if that is too many."""
        if self._most and self._open[who] >= self._most:
            raise Refusal(429, self._sentence, self._retry_seconds)
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


class Gate:
    """Lets requests in, and answers those that have to wait outside; one serves a process."""

    def __init__(self) -> None:
        self.refused: Counter[int] = Counter()
        """How many requests were refused since the start, by status."""
        self._reported: tuple[float, int] = (-_REPORT_SECONDS, 0)
        busy = "Your address has too many requests open. Try again in a few seconds."
        self._probes = Crowd(MOST_PROBES, busy, 2)
        self._addresses = Crowd(settings.REQUESTS_PER_ADDRESS, busy, 2)
        self._people = Crowd(
            MOST_FOR_PERSON, "You have too many requests open. Try again in a few seconds.", 2
        )
        self._streams = Crowd(
            settings.STREAMS_PER_ADDRESS,
            "Your address has too many live streams open. Close a page and try again.",
            30,
        )

    @contextmanager
    def admit(self, scope: Scope) -> Iterator[None]:
        """Count a request for a page within the block; raise `Refusal` for one too many."""
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
        """Count a live stream within the block; raise `Refusal` for one too many."""
        with self._streams.join(find_address(scope)):
            yield

    async def refuse(self, refusal: Refusal, scope: Scope, send: Any) -> None:
        """Answer with the sentence, as a problem document under the API, and end the connection."""
        self.refused[refusal.status] += 1
        self._report(refusal, scope)
        retry = {"Retry-After": str(refusal.retry_seconds)} if refusal.retry_seconds else {}
        if scope["path"].startswith(API):
            kind = find_kind(refusal.status)
            made = answer_problem(Problem(refusal.status, kind, refusal.sentence, headers=retry))
            headers, body = dict(made.headers), made.content
        else:
            headers = {"Content-Type": "text/plain; charset=utf-8", **retry}
            body = f"{refusal.sentence}\n".encode()
        headers |= {"Cache-Control": "no-store", "Content-Length": str(len(body))}
        if scope["http_version"].startswith("1"):
            headers["Connection"] = "close"
        if any(name == b"hx-request" for name, _ in scope["headers"]):
            headers["HX-Reswap"] = "none"  # so that the part of the page stays as it is
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        start = {"type": "http.response.start", "status": refusal.status, "headers": encoded}
        await send(start)
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _report(self, refusal: Refusal, scope: Scope) -> None:
        """Write at most one line in ten seconds: a flood of requests is none of lines."""
        reported_at, count = self._reported
        total, now = self.refused.total(), time.monotonic()
        if now - reported_at < _REPORT_SECONDS:
            return
        self._reported = (now, total)
        facts: dict[str, object] = {"status": refusal.status, "number": total - count}
        if not settings.ALLAUTH_TRUSTED_PROXY_COUNT and read_header(scope, b"x-forwarded-for"):
            facts["hint"] = "Set DIPLOMACCLOUD_PROXIES, or all visitors share one address."
        _log.warning("requests refused", address=find_address(scope), **facts)


def is_probe(path: str) -> bool:
    """Return whether a path is for monitors."""
    return any(path == probe or path.startswith(f"{probe}/") for probe in PROBES)


def find_address(scope: Scope) -> str:
    """Return the address that sent a request, a network for IPv6, blank on a local socket."""
    remote = scope["client"][0] if scope.get("client") else ""
    return find_sender(remote, read_header(scope, b"x-forwarded-for"))


def find_people(scope: Scope) -> list[str]:
    """Return marks of the session and of the token of a request.

    They are read as pages and the API read them, so that nobody evades the limit with a header that
    only this sees, or by writing the same one in another way.
    """
    cookies = parse_cookie(read_header(scope, b"cookie", "; "))
    token = read_header(scope, b"authorization").partition(" ")[2].strip()
    secrets = (cookies.get(settings.SESSION_COOKIE_NAME, ""), token)
    return [_make_mark(secret) for secret in secrets if secret]


def _make_mark(secret: str) -> str:
    return hashlib.blake2b(secret.encode(), digest_size=12).hexdigest()


def read_header(scope: Scope, name: bytes, separator: str = ",") -> str:
    """Return a header of a request, joined if it was sent several times."""
    return separator.join(text.decode("latin-1") for key, text in scope["headers"] if key == name)
