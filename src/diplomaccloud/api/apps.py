"""The app `api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.api"
    label = "api"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Revoke a person's tokens, also those of apps, whenever the password changes."""
        from allauth.account.signals import (  # noqa: PLC0415
            password_changed,
            password_reset,
            password_set,
        )

        from diplomaccloud.api.oauth import end_after_password  # noqa: PLC0415
        from diplomaccloud.api.tokens import end_tokens  # noqa: PLC0415

        for signal in (password_changed, password_reset, password_set):
            signal.connect(end_tokens, dispatch_uid="api.tokens")
            signal.connect(end_after_password, dispatch_uid="api.oauth")
