"""Celery, for sites on several machines: `celery -A diplomaccloud.worker.celery_app worker`.

It needs the extra `scale` and `DIPLOMACCLOUD_BROKER_URL`. Messages only say where to look: "do a
round" (from beat, each second) and "run the task of this row" (from pages). What there is to do is
in the database, where each process claims what it does.
"""

import os
import time
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")

import structlog
from celery import Celery, signals
from celery.beat import ScheduleEntry, Scheduler
from django.conf import settings
from django.db import close_old_connections
from kombu import Queue

MAX_WAITING = 4
"""How many messages may wait in a queue when beat asks for one more round."""
OVERLOADED_SECONDS = 10.0
"""How often it asks for one all the same: a flood of other messages must not stop rounds."""

_log = structlog.get_logger(__name__)
app = Celery("diplomaccloud", broker=settings.BROKER_URL or "memory://")
app.conf.update(
    beat_scheduler="diplomaccloud.worker.celery_app:RoundScheduler",
    beat_max_loop_interval=0.5,
    broker_connection_retry_on_startup=True,
    broker_connection_timeout=1,
    broker_transport_options={
        "socket_connect_timeout": 1,
        "socket_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
        # Of several queues the first one that has messages: see `put_clock_first`.
        "queue_order_strategy": "priority",
    },
    broker_connection_max_retries=None,
    enable_utc=True,
    task_create_missing_queues=False,
    task_default_queue="default",
    task_ignore_result=True,
    task_queues=[Queue(name) for name in settings.QUEUES],
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_hijack_root_logger=False,
    worker_prefetch_multiplier=1,
    worker_send_task_events=False,
)


@signals.setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Leave the log as the settings of the site configure it."""


@signals.celeryd_after_setup.connect
def put_clock_first(instance: Any, **_: Any) -> None:
    """Take messages from the queues of a worker in the sequence of the settings: deadlines first.

    A process that has begun with something else ends it first, so the clock needs some of its own.
    """
    queues = instance.app.amqp.queues
    queues.select([name for name in settings.QUEUES if name in queues.consume_from])


@app.task(name="diplomaccloud.run_task")
def run_task(key: str) -> None:
    """Run the task of a row, if it still waits."""
    from diplomaccloud.worker.task_rows import run_task_of_row  # noqa: PLC0415 needs the apps

    close_old_connections()
    run_task_of_row(key)


@app.task(name="diplomaccloud.do_round")
def do_round(name: str) -> None:
    """Do a round."""
    from diplomaccloud.worker.rounds import ROUNDS  # noqa: PLC0415 needs the apps

    close_old_connections()
    try:
        ROUNDS[name].task.call()
    except Exception:  # whatever it is, the next round must come
        _log.exception("round failed", round=name)


class RoundScheduler(Scheduler):
    """Asks for rounds. It keeps nothing in files, and any number of beats may run."""

    def setup_schedule(self) -> None:
        """Plan a message for each kind of round."""
        from diplomaccloud.worker.rounds import ROUNDS  # noqa: PLC0415 needs the apps

        self._asked_at: dict[str, float] = {}
        self.merge_inplace(
            {
                name: {
                    "task": do_round.name,
                    "schedule": kind.seconds,
                    "args": (name,),
                    "options": {"queue": kind.task.queue_name, "retry": False},
                }
                for name, kind in ROUNDS.items()
            }
        )

    def apply_async(
        self, entry: ScheduleEntry, producer: Any = None, advance: bool = True, **options: Any
    ) -> Any:
        """Ask for a round, unless enough messages wait in its queue."""
        now = time.monotonic()
        asked_at = self._asked_at.get(entry.name)
        overdue = asked_at is None or now - asked_at >= OVERLOADED_SECONDS
        try:
            if not overdue and _count_waiting(entry.options["queue"]) >= MAX_WAITING:
                return self.reserve(entry) if advance else None
            self._asked_at[entry.name] = now
            return super().apply_async(entry, producer=producer, advance=advance, **options)
        except Exception as error:  # whatever it is, it asks again in a second
            _log.warning("broker away", reason=type(error).__name__)
            return None


def _count_waiting(queue: str) -> int:
    """Return how many messages wait in a queue."""
    with app.connection_or_acquire() as connection:
        try:
            found = connection.default_channel.queue_declare(queue, passive=True)
        except connection.channel_errors:  # so Redis says that the queue is empty
            return 0
        return int(found.message_count)
