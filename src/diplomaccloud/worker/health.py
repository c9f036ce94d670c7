"""Heartbeats of the workers and queues of work, what pages say without a clock, overdue phases.

Queues are read from indexes of the database.
"""

import datetime as dt
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import structlog
from django.db.models import F, QuerySet
from django_tasks_db.models import DBTaskResult

from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.games.deadlines.read import Backlog, StoppedClock, backlog, select_due
from diplomaccloud.notices.models import Delivery
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.worker.models import Heartbeat

MAX_DELAY: Final = dt.timedelta(minutes=5)
"""How late a phase may be when the site is busy; a later phase is overdue."""
BEAT_INTERVAL: Final = dt.timedelta(seconds=10)
MAX_SILENCE: Final = dt.timedelta(minutes=1)
"""A worker without a heartbeat for longer than this counts as stopped."""
ALARM_INTERVAL: Final = dt.timedelta(minutes=1)
MIN_OUTAGE: Final = dt.timedelta(minutes=2)
"""A shorter time without workers is not an outage; each game has its own limit too."""
START_SECONDS: Final = 60.0
"""How long a new process waits for a worker, which starts with it, before it misses one."""
KEEP_SECONDS: Final = 5.0
"""How long a process relies on the heartbeat that it has read."""
_KEEP_FOR: Final = dt.timedelta(days=1)
_log = structlog.get_logger(__name__)
MAX_COUNTED: Final = 10_000
"""Counting stops at this length, so that it never takes long."""


@dataclass(frozen=True, slots=True)
class Health:
    """The facts shown at `/health`; `worker_seen_at` is None if no worker ever ran."""

    backlog: Backlog
    worker_seen_at: dt.datetime | None
    well: bool


def check_health(*, now: dt.datetime) -> Health:
    """Return the site's health, which is bad if no worker is running or a phase is overdue."""
    late = backlog(before=now - MAX_DELAY)
    newest = find_newest()
    is_running = newest is not None and newest > now - MAX_SILENCE
    return Health(late, newest, well=is_running and not late.overdue)


class ClockWatch:
    """Tells the pages of one process whether the clock has stopped, with few queries."""

    def __init__(self) -> None:
        self._started_at = time.monotonic()
        self._read_at: float | None = None
        self._stop: StoppedClock | None = None

    def find_stop(self) -> StoppedClock | None:
        """Return since when no worker has been seen; None if one was seen in the last minutes."""
        now = time.monotonic()
        if now - self._started_at < START_SECONDS:
            return None
        if self._read_at is None or now - self._read_at >= KEEP_SECONDS:
            newest = find_newest()
            is_running = newest is not None and newest >= site_clock.now() - MIN_OUTAGE
            self._stop = None if is_running else StoppedClock(newest)
            self._read_at = now
        return self._stop


def find_newest() -> dt.datetime | None:
    """Return when a worker last said that it runs."""
    return Heartbeat.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()


find_stop: Final = ClockWatch().find_stop
"""Whether the clock has stopped, for the pages of this process."""


class Pulse:
    """Writes one worker's heartbeat and logs overdue phases, both at minimum intervals."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._beaten_at: dt.datetime | None = None
        self._alarmed_at: dt.datetime | None = None

    def silent_since(self, *, now: dt.datetime) -> dt.datetime | None:
        """Return when a worker last ran, or None if that is recent or none ever ran.

        Call this before `beat`, which ends the silence: if a worker is killed in between, the next
        worker finds it again. If the machine was asleep, this is the time when it fell asleep.
        """
        if not _has_elapsed(self._beaten_at, now, BEAT_INTERVAL):
            return None
        newest = find_newest()
        return newest if newest and newest < now - MIN_OUTAGE else None

    def beat(self, *, now: dt.datetime) -> None:
        """Record that the worker is running, and log an error if phases are overdue."""
        if not _has_elapsed(self._beaten_at, now, BEAT_INTERVAL):
            return
        self._beaten_at = now
        Heartbeat.objects.update_or_create(owner=self._owner, defaults={"seen_at": now})
        Heartbeat.objects.filter(seen_at__lt=now - _KEEP_FOR).delete()
        late = backlog(before=now - MAX_DELAY)
        if late.overdue and _has_elapsed(self._alarmed_at, now, ALARM_INTERVAL):
            self._alarmed_at = now
            oldest = late.oldest_at and late.oldest_at.isoformat()
            facts = {"count": late.overdue, "oldest": oldest, "suspended": late.suspended}
            _log.error("phases overdue", **facts)


def _has_elapsed(since: dt.datetime | None, now: dt.datetime, interval: dt.timedelta) -> bool:
    # If the clock was set back, assume that enough time has passed.
    return since is None or abs(now - since) >= interval


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
