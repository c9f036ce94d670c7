"""`/health`, for monitors and load balancers."""

import structlog
from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.worker.health import check_health

_log = structlog.get_logger(__name__)


@never_cache
@require_safe
def health_page(_request: HttpRequest) -> JsonResponse:
    """Return the figures as JSON: status 200 if all is well, 503 if something is wrong."""
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
