"""Calls to other servers, which all go through this session.

Only public addresses over HTTPS are called. A name is resolved once and the connection goes to the
checked address, so a name that changes its address (DNS rebinding) cannot lead elsewhere. Operators
who host at home can also allow calls to private addresses; see `PRIVATE_WEBHOOKS`. Redirects are
not followed, a response has at most 64 KB, and a call takes at most five seconds in total. All
failures have the same text, so that error messages cannot be used to explore a network.
"""

import contextlib
import datetime as dt
import ipaddress
import socket
import threading
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

import requests
from apprise.utils.http import (
    HTTPPolicy,
    HTTPPolicySession,
    is_public_ip_address,
    is_secure_http_url,
    read_bounded_response,
)
from django.conf import settings

from diplomaccloud.notices.failures import CallFailed, DestinationGone

MAX_SECONDS: Final = 5.0
_RESOLVE_SECONDS: Final = 2.0
_CHECK_SECONDS: Final = 1.0
"""How long a page waits for the addresses of a name that somebody enters."""
_HTTPS_PORT: Final = 443
_MAX_ADDRESSES: Final = 2
_CONNECT_SECONDS: Final = 1.5
"""Resolving a name and trying two of its addresses take at most five seconds together."""
_HOME_NETWORKS: Final = tuple(
    map(
        ipaddress.ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"),
    )
)
"""The networks that an operator can allow, without link-local ones, where clouds keep secrets."""
_CLOUD_SECRETS: Final = frozenset(map(ipaddress.ip_address, ("fd00:ec2::254", "fd20:ce::254")))
"""Private addresses at which AWS and Google Cloud serve secrets."""
MAX_ANSWER_BYTES: Final = 64 * 1024
_GONE: Final = frozenset({404, 410})


class _Policy(HTTPPolicy):  # type: ignore[misc]
    """The policy of one call, which another thread can end."""

    def __init__(self) -> None:
        super().__init__(
            url_filter=_may_call, address_filter=_may_reach, resolve_timeout=_RESOLVE_SECONDS
        )
        self._sockets: list[socket.socket] = []
        self.has_ended = False

    def resolve(self, host: str, port: int) -> list[Any]:
        """Return the first of the checked addresses."""
        return list(super().resolve(host, port)[:_MAX_ADDRESSES])

    def create_connection(self, *args: Any, **options: Any) -> socket.socket:
        """Return a connection to a checked address."""
        options["timeout"] = _CONNECT_SECONDS
        connection: socket.socket = super().create_connection(*args, **options)
        # TLS takes over the socket, but a second handle can still end the connection.
        self._sockets.append(connection.dup())
        if self.has_ended:
            self.end()
        return connection

    def end(self) -> None:
        """End the call, whatever the server is still sending."""
        self.has_ended = True
        for connection in self._sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Release the handles."""
        while self._sockets:
            self._sockets.pop().close()


def _may_call(url: str) -> bool:
    """Return whether a URL may be called: HTTPS, unless private addresses are allowed."""
    is_plain = url.lower().startswith("http://")
    if settings.PRIVATE_WEBHOOKS and is_plain:
        url = "https" + url[len("http") :]
    return bool(is_secure_http_url(url))


def _may_reach(address: str) -> bool:
    if is_public_ip_address(address):
        return True
    if not settings.PRIVATE_WEBHOOKS:
        return False
    host = ipaddress.ip_address(address)
    if host in _CLOUD_SECRETS:
        return False
    return any(host.version == home.version and host in home for home in _HOME_NETWORKS)


def leads_inside(host: str) -> bool:
    """Return whether all addresses of a host are in networks that are never called.

    False for a name that cannot be looked up now: each call looks it up again.
    """
    policy = HTTPPolicy(url_filter=None, address_filter=None, resolve_timeout=_CHECK_SECONDS)
    try:
        answers = policy.resolve(host, _HTTPS_PORT)
    except OSError:
        return False
    return not any(_may_reach(answer[4][0]) for answer in answers)


class OutboundSession(HTTPPolicySession):  # type: ignore[misc]
    """A session for one call; use it in a `with` block."""

    def __init__(self) -> None:
        super().__init__(_Policy())
        self.headers["User-Agent"] = "Diplomaccloud"

    def request(self, method: str, url: str, **options: Any) -> requests.Response:
        """Return the response, read in full; raise `requests.RequestException`."""
        options |= {"allow_redirects": False, "stream": True, "timeout": MAX_SECONDS}
        timer = threading.Timer(MAX_SECONDS, self.policy.end)
        timer.daemon = True
        timer.start()
        try:
            response: requests.Response = super().request(method, url, **options)
            body = read_bounded_response(response, MAX_ANSWER_BYTES)
        finally:
            timer.cancel()
            self.policy.close()
        if self.policy.has_ended:
            # A response that was cut off may look complete.
            raise requests.exceptions.Timeout("the call took too long")
        if body is None:
            raise requests.exceptions.ContentDecodingError("the answer is too long")
        # The body is already read, so that nothing reads more from the connection.
        response._content, response._content_consumed = body, True  # type: ignore[attr-defined]
        return response


@contextlib.contextmanager
def failures_hidden() -> Iterator[None]:
    """Turn every failure of a call into `CallFailed`."""
    try:
        yield
    except (requests.RequestException, OSError, ValueError) as error:
        raise CallFailed from error


def post(url: str, *, body: bytes, headers: Mapping[str, str]) -> None:
    """Send `body`; raise `CallFailed` or `DestinationGone` unless the server accepts it."""
    with failures_hidden(), OutboundSession() as session:
        answer = session.request("POST", url, data=body, headers=dict(headers))
    require_accepted(answer.status_code, answer.headers.get("Retry-After"))


def require_accepted(status: int, retry_after: str | None) -> None:
    """Raise `DestinationGone` or `CallFailed` unless the status means success."""
    if status in _GONE:
        raise DestinationGone
    if not 200 <= status < 300:
        raise CallFailed(read_retry_after(retry_after or "", dt.datetime.now(dt.UTC)))


def read_retry_after(text: str, now: dt.datetime) -> dt.timedelta | None:
    """Return how long to wait, from seconds or a date; None if the text is neither."""
    if text.isascii() and text.isdigit() and len(text) < 8:
        return dt.timedelta(seconds=int(text))
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return at - now if at.tzinfo is not None and at > now else None
