"""The time by the database server's clock: the one that all machines of a site share."""

import datetime as dt
from typing import Final

import structlog
from django.db import connection
from django.utils import timezone

LEAST: Final = dt.timedelta(seconds=2)
"""A smaller difference may be the way to the server and back."""
_NONE: Final = dt.timedelta(0)
_QUESTIONS: Final = {"postgresql": "SELECT clock_timestamp()", "mysql": "SELECT UTC_TIMESTAMP(6)"}
_log = structlog.get_logger(__name__)


class SiteClock:
    """The clock of this machine, corrected by how far it was off when last compared.

    A worker whose clock is ahead would close orders before the deadline that players were
    told. SQLite has no clock of its own, and needs none.
    """

    def __init__(self) -> None:
        self._ahead = _NONE

    def now(self) -> dt.datetime:
        """Return the time."""
        return timezone.now() - self._ahead

    def compare(self) -> None:
        """Ask the server what time it is; log a warning when this machine begins to differ."""
        ahead = _measured()
        if ahead and not self._ahead:
            _log.warning("this clock is off", ahead_seconds=ahead.total_seconds())
        self._ahead = ahead


def _measured() -> dt.timedelta:
    """Return how far this machine is ahead of the database server, no time if hardly at all."""
    question = _QUESTIONS.get(connection.vendor)
    if question is None:
        return _NONE
    with connection.cursor() as cursor:
        asked = timezone.now()
        cursor.execute(question)
        (told,) = cursor.fetchone()
        answered = timezone.now()
    server = told if told.tzinfo else told.replace(tzinfo=dt.UTC)
    ahead = asked + (answered - asked) / 2 - server
    # What lies between question and answer cannot be told from a difference.
    return ahead if abs(ahead) > LEAST + (answered - asked) / 2 else _NONE
