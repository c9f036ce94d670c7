"""The app `slack`."""

from diplomaccloud.project.environment import TEXT, Kind, Setting
from diplomaccloud.project.extras import Extra


def parse_token(text: str) -> str:
    """Return a token of Slack; raise `ValueError` if it cannot be one of a bot."""
    if text and not text.startswith("xoxb-"):
        raise ValueError("must be a bot's token, which begins with xoxb-")
    return text


class SlackConfig(Extra):
    """Configuration of the app."""

    name = "diplomaccloud.slack"
    label = "slack"
    address = "slack/"
    account_parts = ("diplomaccloud.slack.links.PART",)
    free_models = ("SlackCode", "SlackLink", "SlackRequest")

    settings = (
        Setting(
            "SLACK_SIGNING_SECRET",
            TEXT,
            "Basic information, Signing secret: what Slack signs its requests with.",
            example="SIGNING-SECRET",
            is_secret=True,
        ),
        Setting(
            "SLACK_TOKEN",
            Kind("token", parse_token),
            "OAuth & permissions, Bot user token: only for direct messages.",
            example="xoxb-TOKEN",
            is_secret=True,
        ),
    )

    def ready(self) -> None:
        """Make logging out end the link to Slack."""
        from django.contrib.auth.signals import user_logged_out  # noqa: PLC0415

        from diplomaccloud.slack.links import forget_person  # noqa: PLC0415

        user_logged_out.connect(forget_person, dispatch_uid="slack.links")
