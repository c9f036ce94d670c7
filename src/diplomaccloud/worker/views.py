"""`/health`, for monitors and load balancers."""

import structlog
from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.worker.health import health

_log = structlog.get_logger(__name__)


@never_cache
@require_safe
def health_page(_request: HttpRequest) -> JsonResponse:
    """Return the figures as JSON: status 200 if all is well, 503 if somebody should look."""
    try:
        found = health(now=timezone.now())
    except Error:
        _log.exception("the database is away")
        return JsonResponse({"well": False, "database": "away"}, status=503)
    figures = {
        "well": found.well,
        "database": "ok",
        "worker_seen_at": found.worker_seen_at,
        "overdue": found.backlog.overdue,
        "oldest_overdue_at": found.backlog.oldest_at,
        "put_aside": found.backlog.aside,
    }
    return JsonResponse(figures, status=200 if found.well else 503)
