"""The app `slack`."""

from diplomaccloud.project import environment
from diplomaccloud.project.extras import Extra


class SlackConfig(Extra):
    """Configuration of the app."""

    name = "diplomaccloud.slack"
    label = "slack"
    address = "slack/"
    account_parts = ("diplomaccloud.slack.links.PART",)
    free_models = ("SlackCode", "SlackLink", "SlackRequest")

    @classmethod
    def read_settings(cls) -> dict[str, object]:
        """Return the secret with which Slack signs, and the token for replying to messages."""
        return {
            "SLACK_SIGNING_SECRET": environment.read_text("SLACK_SIGNING_SECRET"),
            "SLACK_TOKEN": environment.read_text("SLACK_TOKEN"),
        }

    def ready(self) -> None:
        """Make logging out end the link to Slack."""
        from django.contrib.auth.signals import user_logged_out  # noqa: PLC0415

        from diplomaccloud.slack.links import forget_person  # noqa: PLC0415

        user_logged_out.connect(forget_person, dispatch_uid="slack.links")
