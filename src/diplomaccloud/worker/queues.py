"""How much work is waiting, and since when, read from indexes of the database."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, QuerySet
from django_tasks_db.models import DBTaskResult

from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.games.deadlines.read import select_due
from diplomaccloud.notices.models import Delivery

MAX_COUNTED: Final = 10_000
"""Counting stops at this length, so that it never takes long."""


@dataclass(frozen=True, slots=True)
class Queue:
    """Work waiting for workers; `age` is the age of the oldest in seconds, 0 if there is none."""

    name: str
    depth: int
    age: float


def read_queues(*, now: dt.datetime) -> Iterator[Queue]:
    """Yield the site's queues with the work that is due at `now` and has not been done."""
    yield _measure("phases", select_due(now), "adjudicate_at", now)
    tasks = DBTaskResult.objects.ready().annotate(since=F("enqueued_at")).order_by()
    yield _measure("tasks", tasks, "since", now)
    mail = OutgoingMail.objects.filter(due_at__lte=now)
    yield _measure("mail", mail, "due_at", now)
    notices = Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lte=now)
    yield _measure("notices", notices, "due_at", now)


def _measure(name: str, rows: "QuerySet[Any]", since: str, now: dt.datetime) -> Queue:
    oldest = rows.order_by(since).values_list(since, flat=True).first()
    if oldest is None:
        return Queue(name, 0, 0.0)
    depth = rows.order_by()[:MAX_COUNTED].count()
    return Queue(name, depth, max(0.0, (now - oldest).total_seconds()))
