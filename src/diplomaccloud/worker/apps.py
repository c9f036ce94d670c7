"""The app `worker`."""

from django.apps import AppConfig


class WorkerConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.worker"
    label = "worker"
    default_auto_field = "django.db.models.BigAutoField"
