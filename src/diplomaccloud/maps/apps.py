"""The app `maps`."""

from django.apps import AppConfig


class MapsConfig(AppConfig):
    """How Django knows the app."""

    name = "diplomaccloud.maps"
    label = "maps"
    default_auto_field = "django.db.models.BigAutoField"
