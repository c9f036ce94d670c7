"""The app `games`."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """The Django configuration of the app."""

    name = "diplomaccloud.games"
    label = "games"
    default_auto_field = "django.db.models.BigAutoField"
