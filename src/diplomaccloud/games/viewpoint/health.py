"""Whether games are processed in time: counts for the administrator, without secrets."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Min, QuerySet

from diplomaccloud.games.models import Game, Phase, Status


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of overdue phases, the time of the oldest, and the number of suspended games."""

    overdue: int
    oldest_at: dt.datetime | None
    suspended: int


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
    suspended = Game.objects.filter(status=Status.RUNNING).exclude(suspended_reason="").count()
    return Backlog(overdue.count() if oldest else 0, oldest, suspended)
