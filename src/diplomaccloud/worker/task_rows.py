"""Running the rows of Django's tasks, and finding tasks that were lost.

Rows decide what is still to be done; messages only announce them. A task may run twice if its
process dies or is slow, so each task checks in the database what is left to do.
"""

import datetime as dt
import uuid
from typing import Final

import structlog
from django.db.models import Q
from django_tasks.base import TaskResultStatus
from django_tasks_db.management.commands.db_worker import Worker as TaskWorker
from django_tasks_db.models import DBTaskResult
from django_tasks_db.utils import exclusive_transaction

from diplomaccloud.shared.round_threads import MAX_TASK_ATTEMPTS

TASKS_AT_ONCE: Final = 50
"""How many tasks a round runs before it turns to other work."""
LEASE: Final = dt.timedelta(minutes=10)
"""How long a task may run before it counts as lost with its process."""
RETRY_AFTER: Final = dt.timedelta(minutes=1)
_ROWS_AT_ONCE: Final = 500
_log = structlog.get_logger(__name__)


def run_waiting_tasks(queue: str) -> int:
    """Run up to `TASKS_AT_ONCE` waiting tasks of a queue, and return how many were run."""
    # Check first, because on SQLite the task worker locks the database to look for tasks.
    if not DBTaskResult.objects.ready().filter(queue_name=queue).exists():
        return 0
    worker = _make_worker(queue)
    worker.run()
    return worker._run_tasks


def run_task_of_row(key: str) -> bool:
    """Run the task if it is still waiting; return whether it was run."""
    waiting = DBTaskResult.objects.ready().filter(pk=key)
    worker = _make_worker("default")
    with exclusive_transaction(waiting.db):
        row = waiting.get_locked()
        if row is None:
            return False
        row.claim(worker.worker_id)
    worker.run_task(row)
    return True


def revive_tasks(*, now: dt.datetime) -> int:
    """Enqueue lost or failed tasks again, each a few times at most; return how many."""
    lost = Q(status=TaskResultStatus.RUNNING, started_at__lt=now - LEASE)
    failed = Q(status=TaskResultStatus.FAILED, finished_at__lt=now - RETRY_AFTER)
    count = 0
    for row in DBTaskResult.objects.filter(lost | failed).order_by("enqueued_at")[:_ROWS_AT_ONCE]:
        if len(row.worker_ids) >= MAX_TASK_ATTEMPTS:
            continue
        same = DBTaskResult.objects.filter(pk=row.pk, status=row.status, worker_ids=row.worker_ids)
        count += same.update(status=TaskResultStatus.READY)
        _log.warning("task tried again", task=row.task_path, tries=len(row.worker_ids))
    return count


def _make_worker(queue: str) -> TaskWorker:
    return TaskWorker(
        queue_names=[queue],
        excluded_queue_names=[],
        interval=0.0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=TASKS_AT_ONCE,
        worker_id=uuid.uuid4().hex,
    )
