"""The Django app `learn`."""

from django.apps import AppConfig


class LearnConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.learn"
    label = "learn"
    default_auto_field = "django.db.models.BigAutoField"
