"""The app `clock`."""

from django.apps import AppConfig


class ClockConfig(AppConfig):
    """How Django knows the app."""

    name = "diplomaccloud.clock"
    label = "clock"
    default_auto_field = "django.db.models.BigAutoField"
