"""The health of the clock: its workers' heartbeats, and an alarm when phases are overdue."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

import structlog

from diplomaccloud.games.viewpoint.health import Backlog, backlog
from diplomaccloud.worker.models import Heartbeat

OVERDUE: Final = dt.timedelta(minutes=5)
"""A phase so late is no matter of a busy minute."""
BEAT: Final = dt.timedelta(seconds=10)
SILENT: Final = dt.timedelta(minutes=1)
"""A worker not heard of for so long is not at work."""
ALARM: Final = dt.timedelta(minutes=1)
OUTAGE: Final = dt.timedelta(minutes=2)
"""If nothing was heard of for so long, nothing ran; the caps of each game say what counts."""
_FORGOTTEN: Final = dt.timedelta(days=1)
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Health:
    """What `/health` tells; `worker_seen_at` is NULL where no worker ever was."""

    backlog: Backlog
    worker_seen_at: dt.datetime | None
    well: bool


def health(*, now: dt.datetime) -> Health:
    """Return how the clock fares: not well if no worker is at work or a phase is overdue."""
    late = backlog(before=now - OVERDUE)
    newest = _newest()
    at_work = newest is not None and newest > now - SILENT
    return Health(late, newest, well=at_work and not late.overdue)


class Pulse:
    """Beats for one worker, and raises the alarm; each at most every so often."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._beaten_at: dt.datetime | None = None
        self._alarmed_at: dt.datetime | None = None

    def silent_since(self, *, now: dt.datetime) -> dt.datetime | None:
        """Return when anything was last at work, None if that was of late or nothing ever was.

        Asked before a beat, which ends the silence: whoever is killed in between leaves it to
        the next. Of a machine that was asleep it is the time when it fell asleep.
        """
        if not _elapsed(self._beaten_at, now, BEAT):
            return None
        newest = _newest()
        return newest if newest and newest < now - OUTAGE else None

    def beat(self, *, now: dt.datetime) -> None:
        """Tell that the worker is going its rounds, and log an error if phases are overdue."""
        if not _elapsed(self._beaten_at, now, BEAT):
            return
        self._beaten_at = now
        Heartbeat.objects.update_or_create(owner=self._owner, defaults={"seen_at": now})
        Heartbeat.objects.filter(seen_at__lt=now - _FORGOTTEN).delete()
        late = backlog(before=now - OVERDUE)
        if late.overdue and _elapsed(self._alarmed_at, now, ALARM):
            self._alarmed_at = now
            oldest = late.oldest_at and late.oldest_at.isoformat()
            _log.error("phases overdue", count=late.overdue, oldest=oldest, aside=late.aside)


def _newest() -> dt.datetime | None:
    return Heartbeat.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()


def _elapsed(since: dt.datetime | None, now: dt.datetime, least: dt.timedelta) -> bool:
    # A clock that was set back has not stopped time.
    return since is None or abs(now - since) >= least
