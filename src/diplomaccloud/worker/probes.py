"""Probes by monitors and load balancers, which reach a process directly and without HTTPS."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from diplomaccloud.worker.views import health_page, live_page, ready_page

_PAGES: Final = {
    "/health": health_page,
    "/health/live": live_page,
    "/health/ready": ready_page,
}


class Probes:
    """Middleware that answers probes before any host check, HTTPS redirect or session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response to a probe, or the site's response."""
        page = _PAGES.get(request.path_info)
        return page(request) if page else self._get_response(request)
