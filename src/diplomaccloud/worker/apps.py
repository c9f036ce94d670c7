"""The app `worker`."""

from django.apps import AppConfig

from diplomaccloud.worker import task_lines


class WorkerConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.worker"
    label = "worker"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the log lines of tasks with the requests that enqueued them."""
        task_lines.connect()
