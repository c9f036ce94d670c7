"""Django's tasks with Celery: each task is still a row, and a message names the row.

The row is written in the caller's transaction, and the message is sent after it commits. Messages
may be lost, late or duplicated: the first process to get one claims the row, and every round of the
queue also runs waiting tasks (`rounds`).
"""

import time
from functools import partial
from typing import Any, Final

import structlog
from django.db import transaction
from django_tasks_db.backend import DatabaseBackend

_QUIET_SECONDS: Final = 5.0
"""How long to send no messages after one has failed, so that pages do not wait for the broker."""
_log = structlog.get_logger(__name__)
_quiet_until = 0.0


class BrokerBackend(DatabaseBackend):
    """Writes the row of a task, and sends a message once the transaction has committed."""

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        """Enqueue a `Task`, and return its result."""
        result: Any = super().enqueue(task, args, kwargs)
        transaction.on_commit(partial(announce, str(result.id), task.queue_name), robust=True)
        return result


def announce(key: str, queue: str) -> bool:
    """Send a message about the row of a task; return whether it was sent, and never raise."""
    global _quiet_until  # noqa: PLW0603 applies to the whole process
    from diplomaccloud.worker.celery_app import run_task  # noqa: PLC0415 only with a broker

    if time.monotonic() < _quiet_until:
        return False
    try:
        run_task.apply_async((key,), queue=queue, retry=False)
    except Exception as error:  # a round will find the row anyway
        _quiet_until = time.monotonic() + _QUIET_SECONDS
        _log.warning("broker away", reason=type(error).__name__)
        return False
    return True
