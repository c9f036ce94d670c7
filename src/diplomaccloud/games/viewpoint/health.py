"""Whether games are processed in time: counts for the administrator, without secrets."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Min, QuerySet
from django.utils.module_loading import import_string

from diplomaccloud.games.models import FROZEN, Game, Phase, Status


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of overdue phases, the time of the oldest, and the number of suspended games."""

    overdue: int
    oldest_at: dt.datetime | None
    suspended: int


@dataclass(frozen=True, slots=True)
class StoppedClock:
    """That no worker processes deadlines; `since` is None if none ever has."""

    since: dt.datetime | None


def find_stopped_clock() -> StoppedClock | None:
    """Return since when the site's clock has stopped, or None if it runs.

    The setting `CLOCK_WATCH` names the function that knows; without one, the clock runs.
    """
    if not settings.CLOCK_WATCH:
        return None
    find: Callable[[], StoppedClock | None] = import_string(settings.CLOCK_WATCH)
    return find()


def select_due(before: dt.datetime) -> QuerySet[Phase]:
    """Return the phases that were due before an instant, in no particular order."""
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    return Phase.objects.filter(
        open__in=[True],
        processed_at=None,
        superseded_at=None,
        adjudicate_at__lt=before,
        game__status=Status.RUNNING,
        game__suspended_reason="",
    ).order_by()


def backlog(*, before: dt.datetime) -> Backlog:
    """Count the phases that should have been processed before an instant but were not."""
    overdue = select_due(before)
    oldest = overdue.aggregate(at=Min("adjudicate_at"))["at"]
    # What a moderator stopped has no error.
    failed = Game.objects.filter(status=Status.RUNNING).exclude(suspended_reason__in=["", FROZEN])
    suspended = failed.count()
    return Backlog(overdue.count() if oldest else 0, oldest, suspended)
