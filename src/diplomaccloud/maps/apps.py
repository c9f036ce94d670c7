"""The Django app `maps`."""

from django.apps import AppConfig


class MapsConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.maps"
    label = "maps"
    default_auto_field = "django.db.models.BigAutoField"
