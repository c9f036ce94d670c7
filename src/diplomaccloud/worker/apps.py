"""The app `worker`."""

from typing import Any

import structlog
from django.apps import AppConfig
from django_tasks.signals import task_enqueued, task_finished, task_started

_log = structlog.get_logger(__name__)


class WorkerConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.worker"

    def ready(self) -> None:
        """Log each task with its id when it is enqueued; add the id to all lines while it runs."""
        task_enqueued.connect(_note_enqueued, dispatch_uid="task_lines")
        task_started.connect(_note_started, dispatch_uid="task_lines")
        task_finished.connect(_note_finished, dispatch_uid="task_lines")


def _note_enqueued(task_result: Any, **_: object) -> None:
    # This line also has the id of the request, so it connects the two ids.
    _log.info("task wanted", task=str(task_result.id), name=task_result.task.name)


def _note_started(task_result: Any, **_: object) -> None:
    structlog.contextvars.bind_contextvars(task=str(task_result.id))


def _note_finished(task_result: Any, **_: object) -> None:
    status = str(task_result.status).lower()
    _log.info("task finished", name=task_result.task.name, status=status)
    structlog.contextvars.unbind_contextvars("task")
