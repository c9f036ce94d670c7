"""The time by the database server's clock, which all machines of a site share."""

import datetime as dt
from typing import Final

import structlog
from django.db import connection
from django.utils import timezone

MIN_SKEW: Final = dt.timedelta(seconds=2)
"""A smaller difference may be the time of the query."""
_ZERO: Final = dt.timedelta(0)
_QUERIES: Final = {"postgresql": "SELECT clock_timestamp()", "mysql": "SELECT UTC_TIMESTAMP(6)"}
_log = structlog.get_logger(__name__)


class SiteClock:
    """The clock of this machine, corrected by its difference from the database server's clock.

    A worker whose clock is fast would close orders before the deadline that players see.
    SQLite runs on this machine and has no other clock.
    """

    def __init__(self) -> None:
        self._ahead = _ZERO

    def now(self) -> dt.datetime:
        """Return the corrected time."""
        return timezone.now() - self._ahead

    def compare(self) -> None:
        """Measure the difference; log a warning when this machine starts to differ."""
        ahead = measure_skew()
        if ahead and not self._ahead:
            _log.warning(
                "clock differs from the database server", ahead_seconds=ahead.total_seconds()
            )
        self._ahead = ahead


def measure_skew() -> dt.timedelta:
    """Return how far this machine is ahead of the database server, 0 if hardly at all."""
    query = _QUERIES.get(connection.vendor)
    if query is None:
        return _ZERO
    with connection.cursor() as cursor:
        asked = timezone.now()
        cursor.execute(query)
        (server,) = cursor.fetchone()
        answered = timezone.now()
    server = server if server.tzinfo else server.replace(tzinfo=dt.UTC)
    ahead = asked + (answered - asked) / 2 - server
    # The time between the query and its answer looks the same as a difference.
    return ahead if abs(ahead) > MIN_SKEW + (answered - asked) / 2 else _ZERO
