"""The Django app `ladder`."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    """How Django knows the app."""

    name = "diplomaccloud.ladder"
    label = "ladder"
    default_auto_field = "django.db.models.BigAutoField"
