"""The time by the database server's clock, which all machines of a site share."""

import datetime as dt
import time
from typing import Final

import structlog
from django.db import connection
from django.utils import timezone

MIN_SKEW: Final = dt.timedelta(seconds=2)
"""A smaller difference may be the time of the query."""
_FRESH_SECONDS: Final = 1.0
_ZERO: Final = dt.timedelta(0)
_QUERIES: Final = {"postgresql": "SELECT clock_timestamp()", "mysql": "SELECT UTC_TIMESTAMP(6)"}
_log = structlog.get_logger(__name__)


class SiteClock:
    """The clock of this machine, corrected by its difference from the database server's clock.

    A worker whose clock is fast would close orders before the deadline that players see, and claim
    work until long after its lease. It is compared when it is read, at most once a second; from
    then on only seconds count, so that a jump of the machine's clock changes nothing.
    SQLite runs on this machine and has no other clock.
    """

    def __init__(self) -> None:
        self._ahead = _ZERO
        self._compared: tuple[dt.datetime, float] | None = None
        """The time at the last comparison, and what the monotonic clock said then."""

    def now(self) -> dt.datetime:
        """Return the time; on a server it may take a query."""
        if connection.vendor not in _QUERIES:
            return timezone.now()
        since = self._compared
        if since is None or time.monotonic() - since[1] >= _FRESH_SECONDS:
            since = self._compare()
        return since[0] + dt.timedelta(seconds=time.monotonic() - since[1])

    def _compare(self) -> tuple[dt.datetime, float]:
        """Measure the difference; log a warning when this machine starts to differ."""
        ahead = measure_skew()
        if ahead and not self._ahead:
            _log.warning(
                "clock differs from the database server", ahead_seconds=ahead.total_seconds()
            )
        self._ahead = ahead
        self._compared = timezone.now() - ahead, time.monotonic()
        return self._compared


site_clock: Final = SiteClock()
"""That of this process."""


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
