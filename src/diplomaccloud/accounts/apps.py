"""The app `accounts`."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
