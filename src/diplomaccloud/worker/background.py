"""Background work that nobody waits for: press, Django's default queue of tasks, and cleanup."""

import datetime as dt
import time
from typing import Final

from django.contrib.sessions.models import Session
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from diplomaccloud.accounts.data_exports import EXPORTS_AT_ONCE, prune_exports
from diplomaccloud.accounts.login_marks import MARKS_AT_ONCE, prune_login_marks
from diplomaccloud.accounts.login_sessions import forget_sessions
from diplomaccloud.accounts.mail_queue import prune_mail
from diplomaccloud.api.repeats import KEEP_FOR, REMEMBER_FOR
from diplomaccloud.api.tokens import prune_api
from diplomaccloud.games.guests.actions import GUESTS_AT_ONCE, purge_guests
from diplomaccloud.maps.previews import prune_previews
from diplomaccloud.notices.delivery import prune_notices
from diplomaccloud.press.actions import (
    close_ledgers,
    judge_deals,
    publish_gray,
)
from diplomaccloud.press.actions.reports.assignment import assign_waiting_cases
from diplomaccloud.shared.database_cache import ENTRIES_AT_ONCE, prune_cache
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.worker.checkpoints import checkpoint_database
from diplomaccloud.worker.loop import RoundThread
from diplomaccloud.worker.record_samples import check_random_game
from diplomaccloud.worker.task_rows import revive_tasks, run_waiting_tasks

KEEP_TASKS_FOR: Final = dt.timedelta(days=1)
"""How long the row of a task is kept after it was last run, even if its process died."""
_REVIVE_SECONDS: Final = 60.0
_PRUNE_SECONDS: Final = 3600.0
_SESSIONS_AT_ONCE: Final = 500
"""How many expired sessions are deleted in one round, to keep transactions short."""
_SESSION_PRUNE_SECONDS: Final = 24 * 3600.0
_RECORD_SECONDS: Final = 3600.0
"""A game an hour, so that no round takes long."""


class BackgroundThread(RoundThread):
    """Does the background work of one worker process until stopped."""

    def __init__(self, *, pause: float = 1.0) -> None:
        super().__init__("background", pause=pause)
        self._prune_at = self._prune_sessions_at = self._purge_at = self._revive_at = 0.0
        self._prune_cache_at = self._prune_exports_at = self._prune_marks_at = 0.0
        self._record_at = time.monotonic() + _RECORD_SECONDS

    def run_once(self) -> int:
        """Run waiting tasks, and delete old rows; return how many tasks were run.

        SQLite's log is copied to the database first, if it is long.

        The record of a game drawn at random is verified once an hour.

        Cases are assigned once a minute. Most rows are pruned once an hour. Expired sessions and
        marks of log-ins are pruned once a day, and cache entries, exports, and absent guests with
        their games once an hour, a limited number in each round.
        """
        checkpoint_database()
        count = run_waiting_tasks("default")
        publish_gray(now=site_clock.now)
        judge_deals(now=site_clock.now)
        if time.monotonic() >= self._revive_at:
            self._revive_at = time.monotonic() + _REVIVE_SECONDS
            revive_tasks(now=site_clock.now())
            assign_waiting_cases(now=site_clock.now())
        if time.monotonic() >= self._prune_at:
            self._prune_at = time.monotonic() + _PRUNE_SECONDS
            prune(now=site_clock.now())
        is_time = time.monotonic() >= self._prune_sessions_at
        if is_time and prune_sessions(now=site_clock.now()) < _SESSIONS_AT_ONCE:
            self._prune_sessions_at = time.monotonic() + _SESSION_PRUNE_SECONDS
        is_time = time.monotonic() >= self._prune_cache_at
        if is_time and prune_cache(now=site_clock.now()) < ENTRIES_AT_ONCE:
            self._prune_cache_at = time.monotonic() + _PRUNE_SECONDS
        is_time = time.monotonic() >= self._prune_exports_at
        if is_time and prune_exports(now=site_clock.now()) < EXPORTS_AT_ONCE:
            self._prune_exports_at = time.monotonic() + _PRUNE_SECONDS
        is_time = time.monotonic() >= self._prune_marks_at
        if is_time and prune_login_marks(now=site_clock.now()) < MARKS_AT_ONCE:
            self._prune_marks_at = time.monotonic() + _SESSION_PRUNE_SECONDS
        is_time = time.monotonic() >= self._purge_at
        if is_time and purge_guests(now=site_clock.now()) < GUESTS_AT_ONCE:
            self._purge_at = time.monotonic() + _PRUNE_SECONDS
        if time.monotonic() >= self._record_at:
            self._record_at = time.monotonic() + _RECORD_SECONDS
            check_random_game()
        return count


def prune(*, now: dt.datetime) -> None:
    """Delete old mail, notices, map previews, stored responses, and task rows."""
    prune_mail(now=now)
    prune_notices(now=now)
    prune_previews(now=now)
    prune_api(now=now, keep_for=KEEP_FOR, remember_for=REMEMBER_FOR)
    close_ledgers(now=now)
    prune_tasks(now=now)


def prune_tasks(*, now: dt.datetime) -> None:
    """Delete the rows of tasks that last ran long ago, and keep those that will be run."""
    old = now - KEEP_TASKS_FOR
    rows = DBTaskResult.objects.filter(enqueued_at__lt=old)
    rows = rows.exclude(started_at__gte=old).exclude(finished_at__gte=old)
    rows.exclude(status=TaskResultStatus.READY).delete()


def prune_sessions(*, now: dt.datetime) -> int:
    """Delete up to `_SESSIONS_AT_ONCE` expired sessions, and return how many were deleted."""
    expired = Session.objects.filter(expire_date__lt=now).order_by("expire_date")
    keys = list(expired.values_list("pk", flat=True)[:_SESSIONS_AT_ONCE])
    count = Session.objects.filter(pk__in=keys, expire_date__lt=now).delete()[0]
    forget_sessions(keys)
    return count
