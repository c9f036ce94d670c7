"""The Django app `ladder`."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    """The app's configuration for Django."""

    name = "diplomaccloud.ladder"
    label = "ladder"
    default_auto_field = "django.db.models.BigAutoField"
