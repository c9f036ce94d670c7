"""One id for everything that a request does: in its log lines, its response and its tasks."""

import re
import uuid
from collections.abc import Callable
from typing import Final

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

HEADER: Final = "X-Request-ID"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestIds:
    """Gives each request the id that the proxy chose, or one of our own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response with the id, which is also in all log lines of the request."""
        given = request.headers.get(HEADER, "")
        # Without a proxy that sets the id, visitors could choose it.
        is_ours = bool(settings.ALLAUTH_TRUSTED_PROXY_COUNT) and bool(_ID.fullmatch(given))
        request_id = given if is_ours else uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self._get_response(request)
        response.headers[HEADER] = request_id
        return response
