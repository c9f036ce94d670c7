"""The threads of a worker process: background work, pictures, maps, mail, and bots that think.

Nobody waits for background work: press, Django's default queue of tasks, and cleanup. Mail has a
thread, so that a slow mail server does not delay other work. Bots think with at most one processor.
They search for orders in a separate process, so that a runaway search can be killed alone; the
thread evaluates deals itself. Once a second, it queries small tables for bots that have something
to think about; they contain only games in which something has changed.
"""

import datetime as dt
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from django.contrib.sessions.models import Session
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from diplomaccloud.accounts.data_exports import EXPORTS_AT_ONCE, prune_exports
from diplomaccloud.accounts.known_browsers import MARKS_AT_ONCE, prune_login_marks
from diplomaccloud.accounts.mail_queue import prune_mail, send_due_mail
from diplomaccloud.accounts.people import FILLED_AT_ONCE, fill_keys
from diplomaccloud.accounts.sessions import forget_sessions
from diplomaccloud.api.oauth import prune_apps
from diplomaccloud.api.tokens import prune_api
from diplomaccloud.games.featured.actions import tend_featured_game
from diplomaccloud.games.guests.actions import GUESTS_AT_ONCE, purge_guests
from diplomaccloud.games.hall.actions import draw_next_picture
from diplomaccloud.games.turn.thinking import think_for_bots
from diplomaccloud.maps.gallery_file import SHIPPED_MAPS
from diplomaccloud.maps.mapmaker import MapMaker, NotNowError
from diplomaccloud.maps.mapmaker_process import MapMakerProcess
from diplomaccloud.maps.previews import prune_previews
from diplomaccloud.notices.delivery import prune_notices
from diplomaccloud.press.bots.actions import answer_for_bots, talk_for_bots
from diplomaccloud.press.conversations.actions import publish_gray
from diplomaccloud.press.ledger.actions import close_ledgers, judge_deals
from diplomaccloud.press.moderation.actions import assign_waiting_cases
from diplomaccloud.shared.database_cache import ENTRIES_AT_ONCE, prune_cache
from diplomaccloud.shared.round_threads import RoundThread
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.worker.bot_process import BotProcess
from diplomaccloud.worker.checkpoints import checkpoint_database
from diplomaccloud.worker.record_samples import check_random_game
from diplomaccloud.worker.task_rows import revive_tasks, run_waiting_tasks

KEEP_TASKS_FOR: Final = dt.timedelta(days=1)
"""How long the row of a task is kept after it was last run, even if its process died."""
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 24 * 3600.0
_SESSIONS_AT_ONCE: Final = 500
"""How many expired sessions are deleted in one round, to keep transactions short."""


class _Chore:
    """Work that is done again after some time.

    Work that did as much as it may in one round, `most`, goes on in the next.
    """

    def __init__(
        self, work: Callable[..., object], seconds: float, *, most: int = 0, waits: bool = False
    ) -> None:
        self._work, self._seconds, self._most = work, seconds, most
        self._next_at = time.monotonic() + seconds if waits else 0.0

    def do(self) -> None:
        """Do it if it is time."""
        if time.monotonic() < self._next_at:
            return
        if not self._most:
            self._next_at = time.monotonic() + self._seconds
        count = self._work(now=site_clock.now())
        if isinstance(count, int) and count < self._most:
            self._next_at = time.monotonic() + self._seconds


class BackgroundThread(RoundThread):
    """Does the background work of one worker process until stopped."""

    def __init__(self, *, pause: float = 1.0) -> None:
        super().__init__("background", pause=pause)
        self._chores = (
            _Chore(revive_tasks, _MINUTE),
            _Chore(assign_waiting_cases, _MINUTE),
            _Chore(fill_keys, _MINUTE, most=FILLED_AT_ONCE),
            _Chore(prune, _HOUR),
            _Chore(prune_sessions, _DAY, most=_SESSIONS_AT_ONCE),
            _Chore(prune_cache, _HOUR, most=ENTRIES_AT_ONCE),
            _Chore(prune_exports, _HOUR, most=EXPORTS_AT_ONCE),
            _Chore(prune_login_marks, _DAY, most=MARKS_AT_ONCE),
            _Chore(purge_guests, _HOUR, most=GUESTS_AT_ONCE),
            # A game an hour, so that no round takes long.
            _Chore(lambda now: check_random_game(), _HOUR, waits=True),  # noqa: ARG005
        )

    def run_once(self) -> int:
        """Run waiting tasks, and do what else is due; return how many tasks were run.

        SQLite's log is copied to the database first, if it is long.
        """
        checkpoint_database()
        count = run_waiting_tasks("default")
        publish_gray(now=site_clock.now)
        judge_deals(now=site_clock.now)
        for chore in self._chores:
            chore.do()
        return count


def prune(*, now: dt.datetime) -> None:
    """Delete old mail, notices, map previews, stored responses, and task rows."""
    prune_mail(now=now)
    prune_notices(now=now)
    prune_previews(now=now)
    prune_api(now=now)
    prune_apps(now=now)
    close_ledgers(now=now)
    # Of tasks, those that last ran long ago, and not those that will be run.
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


class PictureThread(RoundThread):
    """Draws the pictures of new positions in one worker process until stopped."""

    def __init__(self, *, pause: float = 1.0) -> None:
        super().__init__("pictures", pause=pause)
        self._featuring = _Chore(tend_featured_game, _MINUTE)

    def run_once(self) -> int:
        """Draw the pictures of one game if any are missing; return how many games.

        Once a minute, the featured game is chosen or its last turn drawn, if that is due.
        """
        self._featuring.do()
        return draw_next_picture()


class MapThread(RoundThread):
    """Lets the mapmaker work for one worker process until stopped."""

    def __init__(self, *, pause: float = 15.0) -> None:
        super().__init__("maps", pause=pause)
        self._process = MapMakerProcess()
        self._maker = MapMaker(shipped=SHIPPED_MAPS, do=self._process.do)

    def stop(self) -> None:
        """Stop at once: an interrupted job loses nothing."""
        self._stop.set()
        self._process.close()
        super().stop()

    def run_once(self) -> int:
        """Run waiting tasks and do one job, if any; return how much was done."""
        count = run_waiting_tasks("maps")
        with suppress(NotNowError):
            count += self._maker.work()
        return count

    def close(self) -> None:
        """End the process of the mapmaker."""
        self._process.close()


class MailThread(RoundThread):
    """Sends mail in one worker process until stopped."""

    def __init__(self, *, pause: float = 1.0) -> None:
        super().__init__("mail", pause=pause)

    def run_once(self) -> int:
        """Send new mail, then retry failed and lost mail; return how many were sent."""
        return run_waiting_tasks("notices") + send_due_mail(now=site_clock.now)


class ThinkingThread(RoundThread):
    """Lets bots think in one worker process until stopped.

    It uses the site's clock, since it may also process phases.
    """

    def __init__(
        self, *, now: Callable[[], dt.datetime] = site_clock.now, pause: float = 1.0
    ) -> None:
        super().__init__("bots", pause=pause)
        self._now = now
        self._owner = f"bots {uuid.uuid4().hex[:12]}"
        self._process = BotProcess()

    def start(self) -> None:
        """Start the thread, and start the process before the first bot needs it."""
        self.warm_up()
        super().start()

    def warm_up(self) -> None:
        """Start the process of the bots."""
        self._process.warm_up()

    def run_once(self) -> int:
        """Let bots think, talk and answer; return how many did.

        At most one talks and one answers, so that phases do not wait while bots weigh many deals.
        """
        count = run_waiting_tasks("bots")
        count += think_for_bots(owner=self._owner, now=self._now, ask=self._process.order)
        return count + talk_for_bots(now=self._now, most=1) + answer_for_bots(now=self._now, most=1)

    def close(self) -> None:
        """End the process of the bots."""
        self._process.close()
