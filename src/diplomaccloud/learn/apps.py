"""The Django app `learn`."""

from django.apps import AppConfig


class LearnConfig(AppConfig):
    """How Django knows the app."""

    name = "diplomaccloud.learn"
    label = "learn"
    default_auto_field = "django.db.models.BigAutoField"
