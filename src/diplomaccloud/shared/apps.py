"""The app `shared`."""

from django.apps import AppConfig


class SharedConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.shared"
    label = "shared"
    default_auto_field = "django.db.models.BigAutoField"
