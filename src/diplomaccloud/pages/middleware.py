"""Middleware: request ids and log, security policy, limits, compression, errors."""

import gzip
import re
import secrets
import time
import uuid
from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode, urlsplit

import brotli
import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import resolve_url
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.table.errors import Refused
from diplomaccloud.maps.pictures import BROTLI, accepts_brotli
from diplomaccloud.pages import errors, wrong_settings
from diplomaccloud.shared.responses import RefusedResponse

GetResponse = Callable[[HttpRequest], HttpResponseBase]
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; manifest-src 'self'"
)
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
_JSON_NUL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""A NUL character in JSON, after an even number of backslashes."""
_log = structlog.get_logger("diplomaccloud.request")
REQUEST_ID: Final = "X-Request-ID"
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_QUALITY: Final = 4
"""Of Brotli and gzip alike: 7% larger than at the usual levels, in half of the time or less."""
_ACCEPTS_GZIP: Final = re.compile(r"\bgzip\b")
_SMALLEST: Final = 200
"""The size in bytes below which compression saves nothing."""
_PADDING: Final = 100


class RequestLog:
    """Writes one log line per request, except for static files, with the reason for an error.

    The reason is left out on pages where people write to each other, whose path is cut, too.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response after logging it."""
        started = time.perf_counter()
        response = self._get_response(request)
        facts: dict[str, object] = {
            "method": request.method,
            "path": errors.cut_path(request.path),
            "status": response.status_code,
            "ms": round((time.perf_counter() - started) * 1000),
        }
        # Only if the user was read already: the database may be down.
        if user_id := getattr(getattr(request, "_cached_user", None), "pk", None):
            facts["user"] = user_id
        # The reason can quote the message.
        if isinstance(response, RefusedResponse) and not errors.is_private(request.path):
            facts["refused"] = response.refused[:300]
        if response.status_code >= 400:
            _log.warning("request", **facts)
        elif not request.path.startswith("/static/"):
            _log.info("request", **facts)
        return response


class WrongSettings(MiddlewareMixin):
    """Notes settings that do not fit the proxy, and answers where they would redirect forever."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return a page in place of an endless redirect, otherwise None."""
        if fault := wrong_settings.find_redirect_fault(request):
            wrong_settings.note_fault(fault)
            if request.path.startswith(settings.STATIC_URL):
                # What the page needs to look right: its browser did use HTTPS.
                request.META["HTTP_X_FORWARDED_PROTO"] = "https"
                return None
            return errors.error_page(request, 503, fault.message)
        if fault := wrong_settings.find_proxy_fault(request):
            wrong_settings.note_fault(fault)
        return None


class SecurityHeaders(MiddlewareMixin):
    """Adds the strict content policy, and isolates private pages from windows of other sites.

    An isolated page needs a new browser process, so visitors, whose pages are public, don't wait
    for one.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response with the headers that it does not set itself.

        A response whose form leads to another site names it in its attribute `form_target`.
        """
        own = "form-action 'self'"
        target = getattr(response, "form_target", "")
        policy = POLICY.replace(own, f"{own} {target}") if target else POLICY
        response.headers.setdefault("Content-Security-Policy", policy)
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        return response


class BodyLimit(MiddlewareMixin):
    """Rejects a request whose declared length is above the limit."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return 413 for a body that is too long, 411 if its length is missing, or None."""
        length = request.headers.get("Content-Length", "")
        if not length and "Transfer-Encoding" in request.headers:
            return errors.error_page(request, 411, "Content-Length is required.")
        limit = settings.UPLOAD_LIMITS.get(request.path, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if length.isdecimal() and len(length) < 16 and limit and int(length) > limit:
            return errors.error_page(
                request, 413, f"The text is too long. The limit is {limit // 1024} kilobytes."
            )
        return None


class WholePageLogin(MiddlewareMixin):
    """Sends a user who must log in to the full login page, even if htmx requested a partial."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response; htmx would put the login page in place of the partial."""
        target = response.headers.get("Location", "")
        htmx, login = HtmxDetails(request), resolve_url(settings.LOGIN_URL)
        if htmx and target.startswith(login):
            back = urlencode({"next": urlsplit(htmx.current_url or "/").path})
            return HttpResponseClientRedirect(f"{login}?{back}")
        return response


class ErrorPages(MiddlewareMixin):
    """Turns every refused action and method into an error page with its status."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, with a page for a method that is not allowed."""
        if isinstance(response, HttpResponseNotAllowed):
            allowed = response.headers["Allow"]
            response = errors.error_page(request, 405, f"Method not allowed: use {allowed}.")
            response.headers["Allow"] = allowed
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page for a refused action, a lost database or a damaged game."""
        if isinstance(exception, Refused):
            return errors.error_page(request, exception.status, str(exception))
        if errors.is_outage(exception):
            _log.error(
                "database unavailable", path=errors.cut_path(request.path), exc_info=exception
            )
            return errors.unavailable_page(request)
        return errors.damaged_game_page(request, exception)


class NulRefusal(MiddlewareMixin):
    """Refuses a request that contains a NUL character: PostgreSQL cannot store or compare one.

    The body is checked once the CSRF check has passed, so that the answer can show what was sent.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return a page with status 400, or None."""
        if errors.NUL in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return _refuse_nul(request)
        # A quoted cookie may have one as an octal number.
        if any(errors.NUL in name + value for name, value in request.COOKIES.items()):
            return _refuse_nul(request)
        return None

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: object
    ) -> HttpResponse | None:
        """Return a page with status 400 if a field, a name or JSON has a NUL character.

        JSON may have it in any notation. The content of files is left to the code that reads them.
        """
        if request.method not in ("POST", "PUT", "PATCH", "DELETE"):
            return None
        if request.content_type in _FORMS:
            sent = [name + "".join(values) for name, values in request.POST.lists()]
            sent += [name + str(getattr(file, "name", "")) for name, file in request.FILES.items()]
            has_nul = any(errors.NUL in text for text in sent)
        else:
            text = request.body.decode("utf-8", "replace")
            has_nul = errors.NUL in text or _JSON_NUL.search(text) is not None
        return _refuse_nul(request) if has_nul else None


def _refuse_nul(request: HttpRequest) -> HttpResponse:
    return errors.resend_page(
        request,
        400,
        "Not accepted",
        "The request has a NUL character: it is invisible and cannot be stored. Nothing was saved.",
        advice="What you sent is below, without it. Check it and send it again.",
    )


class RequestIds:
    """Gives each request the id that the proxy chose, or one of our own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response with the id, which is also in all log lines of the request."""
        given = request.headers.get(REQUEST_ID, "")
        # Without a proxy that sets the id, visitors could choose it.
        is_ours = bool(settings.ALLAUTH_TRUSTED_PROXY_COUNT) and bool(_REQUEST_ID.fullmatch(given))
        request_id = given if is_ours else uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self._get_response(request)
        response.headers[REQUEST_ID] = request_id
        return response


class Compression(GZipMiddleware):
    """Compresses pages with Brotli, or with gzip for other browsers.

    A header of random length hides how well a page is compressed: see Django on BREACH, which does
    the same in the header of a gzip file. Streams are left to Django.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, compressed if that makes it smaller."""
        if not isinstance(response, HttpResponse):
            return super().process_response(request, response)
        if "Content-Encoding" in response.headers or len(response.content) < _SMALLEST:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if accepts_brotli(request):
            encoding, compressed = BROTLI, brotli.compress(response.content, quality=_QUALITY)
        elif _ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
            encoding = "gzip"
            compressed = gzip.compress(response.content, compresslevel=_QUALITY, mtime=0)
        else:
            return response
        if len(compressed) >= len(response.content):
            return response
        response.content = compressed
        response.headers["Content-Length"] = str(len(compressed))
        response.headers["Content-Encoding"] = encoding
        response.headers["Padding"] = secrets.token_hex(_PADDING)[: 1 + secrets.randbelow(_PADDING)]
        if (tag := response.headers.get("ETag")) and tag.startswith('"'):
            response.headers["ETag"] = f"W/{tag}"
        return response
