"""The app `api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.api"
    label = "api"
    default_auto_field = "django.db.models.BigAutoField"
