"""Probes by monitors and load balancers, which reach a process directly and without HTTPS."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from diplomaccloud.worker.views import health_page, live_page, ready_page

_PAGES: Final = {
    "/health": health_page,
    "/health/live": live_page,
    "/health/ready": ready_page,
}


class Probes(MiddlewareMixin):
    """Middleware that answers probes before any host check, HTTPS redirect or session."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return the response to a probe, or None."""
        page = _PAGES.get(request.path_info)
        return page(request) if page else None
