"""The app `press`."""

from django.apps import AppConfig


class PressConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.press"
    label = "press"
    default_auto_field = "django.db.models.BigAutoField"
