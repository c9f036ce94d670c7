"""Checks of the site from a browser's point of view: encryption and headers."""

import datetime as dt
import http.client
import ssl
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from diplomaccloud.project.doctor.findings import Finding, attention, good, wrong

_SECONDS: Final = 10
_MIN_DAYS: Final = 14
_HEADERS: Final = {
    "content-security-policy": "The proxy must pass on the header Content-Security-Policy.",
    "x-content-type-options": "The proxy must pass on the header X-Content-Type-Options.",
    "referrer-policy": "The proxy must pass on the header Referrer-Policy.",
}


def check_visit(url: str) -> Iterator[Finding]:
    """Request the log-in page at the address of the site, and check the response.

    Raises `ValueError` for an invalid address.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"--url must be like https://games.example, not {url[:80]!r}")
    try:
        if parts.scheme == "http":
            yield from _check_redirect(parts.hostname, parts.port)
            return
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=_SECONDS)
        connection.connect()
        if isinstance(connection.sock, ssl.SSLSocket):
            yield _check_certificate(connection.sock)
        answer = _ask(connection)
    except (OSError, http.client.HTTPException) as error:
        yield wrong("visit", f"{url} does not answer: {error}.", "Start the site and its proxy.")
        return
    yield from _check_answer(answer)


def _ask(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
    try:
        connection.request(
            "GET", "/accounts/login/", headers={"User-Agent": "diplomaccloud doctor"}
        )
        answer = connection.getresponse()
        answer.read(1 << 20)
        return answer
    finally:
        connection.close()


def _check_redirect(host: str, port: int | None) -> Iterator[Finding]:
    answer = _ask(http.client.HTTPConnection(host, port, timeout=_SECONDS))
    if answer.getheader("Location", "").startswith("https://"):
        yield good("visit", "HTTP redirects to HTTPS.")
        return
    yield attention(
        "visit",
        "The site answers without encryption.",
        "Put a proxy with HTTPS in front of it and set DIPLOMACCLOUD_HTTPS=1.",
    )
    yield from _check_headers(answer)


def _check_certificate(sock: ssl.SSLSocket) -> Finding:
    certificate = sock.getpeercert() or {}
    ends_at = dt.datetime.fromtimestamp(
        ssl.cert_time_to_seconds(str(certificate["notAfter"])), dt.UTC
    )
    days = (ends_at - dt.datetime.now(dt.UTC)).days
    if days < _MIN_DAYS:
        fix = "Renew it, and find out why it was not renewed automatically."
        return attention("certificate", f"It expires in {days} days.", fix)
    return good("certificate", f"It is valid for {days} days.")


def _check_answer(answer: http.client.HTTPResponse) -> Iterator[Finding]:
    if answer.status != 200:
        yield wrong(
            "visit",
            f"The log-in page returned status {answer.status}.",
            "Is the name in DIPLOMACCLOUD_ALLOWED_HOSTS, and does the proxy pass on Host and "
            "X-Forwarded-Proto?",
        )
        return
    if not answer.getheader("Strict-Transport-Security"):
        fix = "Set DIPLOMACCLOUD_HTTPS=1, and let the proxy pass on the header."
        yield attention("visit", "Browsers may return without encryption.", fix)
    cookies = answer.headers.get_all("Set-Cookie") or []
    if any("secure" not in cookie.lower() for cookie in cookies):
        fix = "Set DIPLOMACCLOUD_HTTPS=1."
        yield wrong("visit", "Cookies may be sent without encryption.", fix)
    yield from _check_headers(answer)


def _check_headers(answer: http.client.HTTPResponse) -> Iterator[Finding]:
    missing = [fix for name, fix in _HEADERS.items() if not answer.getheader(name)]
    for fix in missing:
        yield attention("visit", "A header that protects visitors is missing.", fix)
    if not missing:
        yield good("visit", "All headers that protect visitors are present.")
