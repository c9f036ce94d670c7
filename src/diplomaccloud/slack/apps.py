"""The app `slack`."""

from django.apps import AppConfig


class SlackConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.slack"
    label = "slack"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make logging out end the link to Slack."""
        from django.contrib.auth.signals import user_logged_out  # noqa: PLC0415

        from diplomaccloud.slack.links import forget_person  # noqa: PLC0415

        user_logged_out.connect(forget_person, dispatch_uid="slack.links")
