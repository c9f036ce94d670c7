"""The app `games`."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """How Django knows the app."""

    name = "diplomaccloud.games"
    label = "games"
    default_auto_field = "django.db.models.BigAutoField"
