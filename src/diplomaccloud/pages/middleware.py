"""Middleware: the request log, the security policy, the size limit, and error pages."""

import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode, urlsplit

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.errors import Refused
from diplomaccloud.games.views.responses import RefusedResponse
from diplomaccloud.pages.errors import damaged_game_page, error_page

GetResponse = Callable[[HttpRequest], HttpResponseBase]
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; manifest-src 'self'"
)
_log = structlog.get_logger("diplomaccloud.request")


class RequestLog:
    """Writes one log line per request, except for static files, with the reason for an error."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response after logging it."""
        started = time.perf_counter()
        response = self._get_response(request)
        facts: dict[str, object] = {
            "method": request.method,
            "path": request.path[:200],
            "status": response.status_code,
            "ms": round((time.perf_counter() - started) * 1000),
        }
        if user_id := getattr(getattr(request, "user", None), "pk", None):
            facts["user"] = user_id
        if isinstance(response, RefusedResponse):
            facts["refused"] = response.refused[:300]
        if response.status_code >= 400:
            _log.warning("request", **facts)
        elif not request.path.startswith("/static/"):
            _log.info("request", **facts)
        return response


class ContentSecurityPolicy:
    """Adds the strict policy to every response that does not set one."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response with the header."""
        response = self._get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class BodyLimit:
    """Rejects a request whose declared length is above the limit."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, 413 for a body that is too long, or 411 if its length is missing."""
        length = request.headers.get("Content-Length", "")
        if not length and "Transfer-Encoding" in request.headers:
            return error_page(request, 411, "Content-Length is required.")
        limit = settings.UPLOAD_LIMITS.get(request.path, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if length.isdecimal() and len(length) < 16 and limit and int(length) > limit:
            return error_page(
                request, 413, f"The text is too long. The limit is {limit // 1024} kilobytes."
            )
        return self._get_response(request)


class WholePageLogin:
    """Sends a user who must log in to the full login page, even if htmx asked for a partial."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response; htmx would put the login page in place of the partial."""
        response = self._get_response(request)
        target = response.headers.get("Location", "")
        htmx, login = HtmxDetails(request), resolve_url(settings.LOGIN_URL)
        if htmx and target.startswith(login):
            back = urlencode({"next": urlsplit(htmx.current_url or "/").path})
            return HttpResponseClientRedirect(f"{login}?{back}")
        return response


class ErrorPages:
    """Turns every refused action and method into an error page with its status."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, with a page for a method that is not allowed."""
        response = self._get_response(request)
        if isinstance(response, HttpResponseNotAllowed):
            allowed = response.headers["Allow"]
            response = error_page(request, 405, f"Method not allowed: use {allowed}.")
            response.headers["Allow"] = allowed
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page for a refused action or a damaged game; leave the rest to Django."""
        if isinstance(exception, Refused):
            return error_page(request, exception.status, str(exception))
        return damaged_game_page(request, exception)
