"""What every request passes: one log line, the security policy, the size limit, refusals."""

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
from diplomaccloud.pages.errors import error_page

GetResponse = Callable[[HttpRequest], HttpResponseBase]
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; manifest-src 'self'"
)
_log = structlog.get_logger("diplomaccloud.request")


class RequestLog:
    """Writes one line for every request but static files, with the reason of a refusal."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, then write the line."""
        began = time.perf_counter()
        response = self._get_response(request)
        facts: dict[str, object] = {
            "method": request.method,
            "path": request.path[:200],
            "status": response.status_code,
            "ms": round((time.perf_counter() - began) * 1000),
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
    """Sets the strict policy on every response that has none of its own."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with the header set."""
        response = self._get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class BodyLimit:
    """Refuses a request whose body says it is longer than we read."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, or refuse: 413 for too much, 411 for a body that does not say how much."""
        length = request.headers.get("Content-Length", "")
        if not length and "Transfer-Encoding" in request.headers:
            return error_page(request, 411, "A request must say how long it is.")
        limit = settings.UPLOAD_LIMITS.get(request.path, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if length.isdecimal() and len(length) < 16 and limit and int(length) > limit:
            return error_page(request, 413, f"The limit is {limit // 1024} kilobytes of text.")
        return self._get_response(request)


class WholePageLogin:
    """Sends a person who must log in to the whole page, also when htmx asked for a part."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; htmx would put the login page where the part goes."""
        response = self._get_response(request)
        target = response.headers.get("Location", "")
        htmx, login = HtmxDetails(request), resolve_url(settings.LOGIN_URL)
        if htmx and target.startswith(login):
            back = urlencode({"next": urlsplit(htmx.current_url or "/").path})
            return HttpResponseClientRedirect(f"{login}?{back}")
        return response


class Refusals:
    """Makes a page of every refused action and method: the one place of a refusal's status."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; a method that an address does not take gets a page too, not an empty one."""
        response = self._get_response(request)
        if isinstance(response, HttpResponseNotAllowed):
            allowed = response.headers["Allow"]
            response = error_page(request, 405, f"This address takes {allowed} only.")
            response.headers["Allow"] = allowed
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page of a refusal; leave every other exception to Django."""
        if isinstance(exception, Refused):
            return error_page(request, exception.status, str(exception))
        return None
