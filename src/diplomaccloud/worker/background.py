"""Background work beside the deadlines: Django tasks, mail, press, and their clean-up.

It runs in a thread of its own, so that a mail server that hangs delays no deadline.
"""

import datetime as dt
import threading
import time
import uuid
from typing import Final

import structlog
from django.contrib.sessions.models import Session
from django.db import close_old_connections, connections
from django.utils import timezone
from django_tasks_db.management.commands.db_worker import Worker as TaskWorker
from django_tasks_db.models import DBTaskResult

from diplomaccloud.accounts.mail_queue import prune_mail, send_due_mail
from diplomaccloud.api.repeats import KEEP_FOR, REMEMBER_FOR
from diplomaccloud.api.tokens import prune_api
from diplomaccloud.games.actions import purge_guests
from diplomaccloud.games.actions.guests.purge import GUESTS_AT_ONCE
from diplomaccloud.maps.previews import prune_previews
from diplomaccloud.notices.delivery import prune_notices
from diplomaccloud.press.actions import (
    close_ledgers,
    judge_deals,
    publish_gray,
)
from diplomaccloud.shared.database_cache import prune_cache

KEEP_TASKS_FOR: Final = dt.timedelta(days=1)
"""How long the record of a task is kept, also of a task that was lost with its process."""
STOP_SECONDS: Final = 2.0
"""How long a stop waits for the task at hand; mail that is not sent by then is due again."""
_PRUNE_SECONDS: Final = 3600.0
_SESSIONS_AT_ONCE: Final = 500
"""How many expired sessions are deleted in one round, so that no transaction is long."""
_SESSION_PRUNE_SECONDS: Final = 24 * 3600.0
_log = structlog.get_logger(__name__)


class BackgroundThread:
    """Does the background work of one worker process until stopped."""

    def __init__(self, *, pause: float = 1.0) -> None:
        self._pause = pause
        self._stop = threading.Event()
        self._prune_at = self._prune_sessions_at = self._purge_at = 0.0
        self._tasks = TaskWorker(
            queue_names=["*"],
            excluded_queue_names=[],
            interval=pause,
            batch=True,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=uuid.uuid4().hex,
        )
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the task at hand, or without it if it takes too long."""
        self._stop.set()
        self._tasks.running = False
        self._thread.join(STOP_SECONDS)

    def run_once(self) -> None:
        """Run the tasks that are ready, send the mail that is due, and delete what is old.

        Mail and tasks are pruned once an hour; sessions once a day, and guests who stayed away
        once an hour with their games, a number of them each round.
        """
        # Asked first: on SQLite the task worker locks the database to look for tasks.
        if DBTaskResult.objects.ready().exists():
            self._tasks.run()
        send_due_mail(now=timezone.now)
        publish_gray(now=timezone.now)
        judge_deals(now=timezone.now)
        if time.monotonic() >= self._prune_at:
            self._prune_at = time.monotonic() + _PRUNE_SECONDS
            prune(now=timezone.now())
        is_time = time.monotonic() >= self._prune_sessions_at
        if is_time and prune_sessions(now=timezone.now()) < _SESSIONS_AT_ONCE:
            self._prune_sessions_at = time.monotonic() + _SESSION_PRUNE_SECONDS
        is_time = time.monotonic() >= self._purge_at
        if is_time and purge_guests(now=timezone.now()) < GUESTS_AT_ONCE:
            self._purge_at = time.monotonic() + _PRUNE_SECONDS

    def _run(self) -> None:
        while not self._stop.is_set():
            close_old_connections()
            try:
                self.run_once()
            except Exception:  # whatever it is, the next round must come
                _log.exception("background work failed")
            self._stop.wait(self._pause)
        connections.close_all()


def prune(*, now: dt.datetime) -> None:
    """Delete old mail, notices, previews of maps, kept answers, and records of tasks."""
    prune_mail(now=now)
    prune_notices(now=now)
    prune_previews(now=now)
    prune_cache(now=now)
    prune_api(now=now, keep_for=KEEP_FOR, remember_for=REMEMBER_FOR)
    close_ledgers(now=now)
    DBTaskResult.objects.filter(enqueued_at__lt=now - KEEP_TASKS_FOR).delete()


def prune_sessions(*, now: dt.datetime) -> int:
    """Return how many expired sessions were deleted, at most `_SESSIONS_AT_ONCE`."""
    expired = Session.objects.filter(expire_date__lt=now).order_by("expire_date")
    keys = list(expired.values_list("pk", flat=True)[:_SESSIONS_AT_ONCE])
    return Session.objects.filter(pk__in=keys, expire_date__lt=now).delete()[0]
