"""Django's tasks with Celery: rows as without it, and a message for each that names its row.

The row is written in the transaction of the caller, and the message goes out after it. A message
that is lost, late or doubled changes nothing: the first process that comes claims the row, and each
round of its queue runs what waits (`rounds`).
"""

import time
from functools import partial
from typing import Any, Final

import structlog
from django.db import transaction
from django_tasks_db.backend import DatabaseBackend

_QUIET_SECONDS: Final = 5.0
"""How long no message is sent after one could not be, so that pages do not wait for a broker."""
_log = structlog.get_logger(__name__)
_quiet_until = 0.0


class BrokerBackend(DatabaseBackend):
    """Writes the row of a task, and sends the news of it when the transaction has ended."""

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        """Return the result of a `Task`, which waits."""
        result: Any = super().enqueue(task, args, kwargs)
        transaction.on_commit(partial(announce, str(result.id), task.queue_name), robust=True)
        return result


def announce(key: str, queue: str) -> bool:
    """Return whether a message about the row of a task was sent; never raise an error."""
    global _quiet_until  # noqa: PLW0603 it concerns the whole process
    from diplomaccloud.worker.celery_app import run_task  # noqa: PLC0415 only with a broker

    if time.monotonic() < _quiet_until:
        return False
    try:
        run_task.apply_async((key,), queue=queue, retry=False)
    except Exception as error:  # whatever it is, the row is there
        _quiet_until = time.monotonic() + _QUIET_SECONDS
        _log.warning("broker away", reason=type(error).__name__)
        return False
    return True
