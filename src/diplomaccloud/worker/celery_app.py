"""Celery, for sites on several machines: `celery -A diplomaccloud.worker.celery_app worker`.

It needs the extra `scale` and `DIPLOMACCLOUD_BROKER_URL`. Messages only trigger work: "do a round"
(from beat, once a second) and "run the task of this row" (from pages). The work itself is in the
database, where each process claims its part.

Messages don't expire, because Celery compares their expiry with the worker's clock: a beat whose
clock is behind would stop the site. Instead, beat stops requesting rounds of a queue in which
several messages wait.
"""

import os
import sys
import time
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")

import structlog
from celery import Celery, signals
from celery.beat import ScheduleEntry, Scheduler
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections
from kombu import Queue

from diplomaccloud.shared.round_threads import log_failed_round

MAX_WAITING = 4
"""Beat requests a round only if at most this many messages are waiting in the queue."""
OVERLOADED_SECONDS = 10.0
"""How often it requests one anyway, because a flood of other messages must not stop rounds."""

_log = structlog.get_logger(__name__)
try:
    _broker = settings.BROKER_URL or "memory://"
except ImproperlyConfigured as error:
    sys.stderr.write(f"{error}\n")
    sys.exit(2)
app = Celery("diplomaccloud", broker=_broker)
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
        # Take from the first queue that has messages: see `put_clock_first`.
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
    """Keep Celery from changing the logging that the site's settings configure."""


@signals.worker_process_init.connect
def prepare_process(**_: Any) -> None:
    """Publish the metrics of each process that does work, and keep it small.

    Celery's main process does no work.
    """
    from diplomaccloud.maps.picture_worker import PICTURE_WORKER  # noqa: PLC0415
    from diplomaccloud.worker.figures import publish_figures  # noqa: PLC0415 needs the apps

    publish_figures()
    PICTURE_WORKER.is_used = True


@signals.celeryd_after_setup.connect
def put_clock_first(instance: Any, **_: Any) -> None:
    """Make a worker take messages from its queues in the order of the settings: deadlines first.

    A process that is busy with other work finishes it first, so deadlines need some workers of
    their own.
    """
    queues = instance.app.amqp.queues
    queues.select([name for name in settings.QUEUES if name in queues.consume_from])


@app.task(name="diplomaccloud.run_task")
def run_task(key: str) -> None:
    """Run the task of a row if it is still waiting."""
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
    except Exception as error:  # any error must not prevent the next round
        log_failed_round(error, round=name)


class RoundScheduler(Scheduler):
    """Requests rounds. It keeps no files, and any number of beats may run."""

    def setup_schedule(self) -> None:
        """Schedule a message for each kind of round."""
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
        """Request a round, unless enough messages are already waiting in its queue."""
        now = time.monotonic()
        asked_at = self._asked_at.get(entry.name)
        overdue = asked_at is None or now - asked_at >= OVERLOADED_SECONDS
        try:
            if not overdue and _count_waiting(entry.options["queue"]) >= MAX_WAITING:
                return self.reserve(entry) if advance else None
            self._asked_at[entry.name] = now
            return super().apply_async(entry, producer=producer, advance=advance, **options)
        except Exception as error:  # it tries again in a second
            _log.warning("broker away", reason=type(error).__name__)
            return None


def _count_waiting(queue: str) -> int:
    with app.connection_or_acquire() as connection:
        try:
            state = connection.default_channel.queue_declare(queue, passive=True)
        except connection.channel_errors:  # Redis raises this for an empty queue
            return 0
        return int(state.message_count)
