"""The app `pages`."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.pages"
    label = "pages"
    default_auto_field = "django.db.models.BigAutoField"
