"""Rules for all API answers: no cookies, no HTML error pages, no shared caching.

Pages of other origins can read all answers: Django's have the headers for it from
`django-cors-headers`, and `let_pages_read` adds them to others.
"""

import io
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from allauth.account.adapter import get_adapter
from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import patch_vary_headers

from diplomaccloud.api.bodies import find_nul
from diplomaccloud.api.limits import list_headers
from diplomaccloud.api.problems import CONTENT_TYPE, Problem, answer_problem, find_kind

PREFIX: Final = "/api/v1/"
Send = Callable[[Any], Awaitable[None]]
_DETAILS: Final = {
    400: "The server could not understand the request.",
    404: "There is nothing at this address.",
    411: "Send Content-Length.",
    500: "Something went wrong. The error has been logged.",
    503: "The site cannot answer now. Nothing is lost. Try again in a moment.",
}
_KEPT_HEADERS: Final = ("Allow", "Retry-After")


class ApiAnswers:
    """Removes cookies from API requests, and turns error pages into problem documents."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer to a request."""
        if not request.path.startswith(PREFIX):
            return self._get_response(request)
        # Drop cookies before anything reads them, so that other sites cannot act for the user.
        request.META.pop("HTTP_COOKIE", None)
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        answer = self._get_response(request)
        if answer.status_code >= 400 and answer.headers.get("Content-Type") != CONTENT_TYPE:
            answer = _make_problem(request, answer)
        answer.cookies.clear()
        answer.headers.setdefault("Cache-Control", "no-store")
        for name, value in list_headers(request, get_adapter().get_client_ip(request)).items():
            answer.headers[name] = value
        patch_vary_headers(answer, ["Authorization"])
        if is_head:
            request.method = "HEAD"
            # The headers stay as those of a GET.
            if isinstance(answer, HttpResponse):
                answer.headers.setdefault("Content-Length", str(len(answer.content)))
                answer.content = b""
            elif isinstance(answer, StreamingHttpResponse):
                answer.streaming_content = ()
        return answer


def _make_problem(request: HttpRequest, page: HttpResponseBase) -> HttpResponse:
    status = page.status_code
    more: dict[str, object] = {}
    detail = _DETAILS.get(status, "The request was refused.")
    kept = {name: page.headers[name] for name in _KEPT_HEADERS if name in page.headers}
    if status == 405:
        detail = f"Use {kept.get('Allow', 'another method')}."
    elif status == 413:
        detail = f"A body can have at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024} KB."
    elif status == 400 and (fields := find_nul(request)):
        detail = "The text has a NUL character, which cannot be stored."
        more = {"errors": [{"field": field, "message": detail} for field in fields]}
    return answer_problem(Problem(status, find_kind(status), detail, headers=kept, more=more))


_ALLOWED: Final = b"access-control-allow-origin"
_cors = CorsMiddleware(lambda _: HttpResponse())


def let_pages_read(scope: Any, send: Send) -> Send:
    """Return `send` so that pages of other origins can read answers that Django does not make."""
    if not re.match(settings.CORS_URLS_REGEX, scope["path"]):
        return send

    async def sent(message: Any) -> None:
        headers = message.get("headers", ())
        if message["type"] == "http.response.start" and all(row[0] != _ALLOWED for row in headers):
            made = HttpResponse()
            del made.headers["Content-Type"]
            _cors.add_response_headers(ASGIRequest(scope, io.BytesIO()), made)
            rows = ((name.encode(), value.encode()) for name, value in made.headers.items())
            message = {**message, "headers": [*headers, *((n.lower(), v) for n, v in rows)]}
        await send(message)

    return sent
