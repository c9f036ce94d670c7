"""The site's work outside of requests: rounds, each of which is a task in a queue.

A round finds work that is due in the database, claims it there, does it, and runs the tasks whose
rows are waiting in its queue. Any number of processes may do rounds at the same time. Without a
broker, the threads of `manage worker` do them one after another; with a broker, Celery's beat
requests one each second, and any Celery worker does it (`celery_app`).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from django_tasks import task
from django_tasks.base import Task

from diplomaccloud.notices.sending import NoticesThread
from diplomaccloud.worker.task_rows import run_waiting_tasks
from diplomaccloud.worker.threads import (
    BackgroundThread,
    MailThread,
    MapThread,
    PictureThread,
    ThinkingThread,
)
from diplomaccloud.worker.worker import Worker

ROUND_SECONDS: Final = 20.0
"""How long a process repeats a round that finds work before other rounds get their turn."""
_SHORT_PAUSE: Final = 0.02


@dataclass(frozen=True, slots=True)
class Round:
    """A kind of round, and the number of seconds between two of them."""

    task: Task[[], int]
    seconds: float = 1.0


@task(queue_name="clock")
def keep_time() -> int:
    """Process due phases, and handle other deadlines; return how many phases were processed."""
    return _repeat(lambda: _find_worker().run_round() + run_waiting_tasks("clock"))


@task(queue_name="bots")
def let_bots_think() -> int:
    """Let bots think, talk and answer; return how many did."""
    return _repeat(_find_bots().run_once)


@task(queue_name="notices")
def write_notices() -> int:
    """Turn events into notices and send the notices that are due; return how many."""
    thread = _find_notices()
    return _repeat(thread.run_once, is_idle=thread.is_idle)


@task(queue_name="notices")
def send_mail() -> int:
    """Send mail that is due; return how many."""
    return _repeat(_find_mail().run_once)


@task(queue_name="maps")
def make_maps() -> int:
    """Draw, certify or make maps; return how many."""
    return _repeat(_find_maps().run_once)


@task(queue_name="maps")
def draw_pictures() -> int:
    """Draw the pictures of new positions; return of how many games."""
    return _repeat(_find_pictures().run_once)


@task(queue_name="default")
def tidy() -> int:
    """Handle press that is due, run tasks and delete old rows; return how many tasks ran."""
    return _repeat(_find_background().run_once)


ROUNDS: Final[Mapping[str, Round]] = {
    "clock": Round(keep_time),
    "bots": Round(let_bots_think),
    "notices": Round(write_notices),
    "mail": Round(send_mail),
    "maps": Round(make_maps, seconds=15.0),
    "pictures": Round(draw_pictures),
    "default": Round(tidy),
}


def _repeat(run_once: Callable[[], int], is_idle: Callable[[], bool] = lambda: True) -> int:
    """Repeat a round as long as it finds work, and return how much was done."""
    total, end = 0, time.monotonic() + ROUND_SECONDS
    while time.monotonic() < end:
        count = run_once()
        total += count
        if not count:
            if is_idle():
                break
            time.sleep(_SHORT_PAUSE)
    return total


# Objects that a process keeps between rounds, created after it was forked.
_find_worker = cache(Worker)
_find_notices = cache(NoticesThread)
_find_mail = cache(MailThread)
_find_pictures = cache(PictureThread)
_find_background = cache(BackgroundThread)
_find_maps = cache(MapThread)


@cache
def _find_bots() -> ThinkingThread:
    """Return the object that runs bots; start its process before the first bot needs it."""
    thread = ThinkingThread()
    thread.warm_up()
    return thread
