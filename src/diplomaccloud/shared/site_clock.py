"""The time according to the database server's clock, which all machines of a site share."""

import datetime as dt
import time
from typing import Final

import structlog
from django.db import connection
from django.utils import timezone

MIN_SKEW: Final = dt.timedelta(seconds=2)
"""A smaller difference may just be the duration of the query."""
_FRESH_SECONDS: Final = 1.0
_ZERO: Final = dt.timedelta(0)
_QUERIES: Final = {"postgresql": "SELECT clock_timestamp()", "mysql": "SELECT UTC_TIMESTAMP(6)"}
_log = structlog.get_logger(__name__)


class SiteClock:
    """The clock of this machine, corrected by its difference from the database server's clock.

    A worker with a fast clock would close orders before the deadline that players see, and hold
    claims too long. The clocks are compared when the time is read, at most once a second; in
    between, the monotonic clock is used, so that jumps of the machine's clock have no effect.
    SQLite runs on this machine and uses the same clock.
    """

    def __init__(self) -> None:
        self._ahead = _ZERO
        self._compared: tuple[dt.datetime, float] | None = None
        """The time at the last comparison, and the value of the monotonic clock then."""

    def now(self) -> dt.datetime:
        """Return the time; with a database server, this may take a query."""
        if connection.vendor not in _QUERIES:
            return timezone.now()
        since = self._compared
        if since is None or time.monotonic() - since[1] >= _FRESH_SECONDS:
            since = self._compare()
        return since[0] + dt.timedelta(seconds=time.monotonic() - since[1])

    def _compare(self) -> tuple[dt.datetime, float]:
        """Measure the difference; log a warning if this machine's clock starts to differ."""
        ahead = measure_skew()
        if ahead and not self._ahead:
            _log.warning(
                "clock differs from the database server", ahead_seconds=ahead.total_seconds()
            )
        self._ahead = ahead
        self._compared = timezone.now() - ahead, time.monotonic()
        return self._compared


site_clock: Final = SiteClock()
"""This process's clock."""


def measure_skew() -> dt.timedelta:
    """Return how far this machine's clock is ahead of the database server's, or 0 if negligible."""
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
    # The duration of the query is indistinguishable from a difference between the clocks.
    return ahead if abs(ahead) > MIN_SKEW + (answered - asked) / 2 else _ZERO
