"""`/status/` for people; `/health`, `/health/live` and `/health/ready` for monitors.

Monitors and load balancers reach a process directly and without HTTPS.
"""

import threading
from typing import Final

import structlog
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.deadlines.read import find_stopped_clock
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.shared.upgrades import has_all_migrations
from diplomaccloud.worker.health import check_health

_seen_ready = threading.Event()
"""Whether this process has found all migrations applied, and has rendered pages for itself."""
_log = structlog.get_logger(__name__)


@never_cache
@require_safe
def status_page(request: HttpRequest) -> HttpResponse:
    """Show everyone whether the clock runs and turns are on time."""
    context = {"health": check_health(now=site_clock.now()), "stopped": find_stopped_clock()}
    return render(request, "worker/status.html", context)


@never_cache
@require_safe
def health_page(_request: HttpRequest) -> JsonResponse:
    """Return the health facts as JSON, with status 200 if all is well or 503 if not."""
    try:
        health = check_health(now=timezone.now())
    except Error:
        _log.exception("database unavailable")
        return JsonResponse({"well": False, "database": "away"}, status=503)
    figures = {
        "well": health.well,
        "database": "ok",
        "worker_seen_at": health.worker_seen_at,
        "overdue": health.backlog.overdue,
        "oldest_overdue_at": health.backlog.oldest_at,
        "suspended": health.backlog.suspended,
    }
    return JsonResponse(figures, status=200 if health.well else 503)


@never_cache
@require_safe
def live_page(_request: HttpRequest) -> JsonResponse:
    """Confirm that this process answers; if it does not, it should be restarted."""
    return JsonResponse({"live": True})


@never_cache
@require_safe
def ready_page(_request: HttpRequest) -> JsonResponse:
    """Report whether this process can serve pages; if not, visitors should go to another."""
    try:
        is_ready = _is_ready()
        state = "ok" if is_ready else "not migrated"
    except Error:
        _log.exception("database unavailable")
        is_ready, state = False, "away"
    return JsonResponse({"ready": is_ready, "database": state}, status=200 if is_ready else 503)


def _is_ready() -> bool:
    """Return whether the database answers and has the tables of this release."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if not _seen_ready.is_set():
        if not has_all_migrations(MigrationRecorder(connection).applied_migrations()):
            return False
        import_string(settings.WARM_UP)()
        _seen_ready.set()
    return True


_PAGES: Final = {"/health": health_page, "/health/live": live_page, "/health/ready": ready_page}


class Probes(MiddlewareMixin):
    """Middleware that answers probes before any host check, HTTPS redirect or session."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return the response to a probe, or None."""
        page = _PAGES.get(request.path_info)
        return page(request) if page else None
