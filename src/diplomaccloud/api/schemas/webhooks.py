"""Webhooks."""

import datetime as dt

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import Answer, Given


class WebhookGiven(Given):
    """The URL of the server to call."""

    address: str = Field(max_length=1000, description="A URL that starts with https://")
    messages: StrictBool = Field(
        default=False,
        description="Whether to announce events in conversations, too. This can't be switched off.",
    )


class WebhookState(Answer):
    """A webhook; nothing is sent while it is `off`."""

    id: str
    address: str
    made_at: dt.datetime
    messages: bool = Field(description="Whether events in conversations are announced, too.")
    failing_since: dt.datetime | None = Field(description="When calls started to fail.")
    off: bool = Field(description="Whether it was switched off because calls failed for a day.")


class WebhookMade(WebhookState):
    """A new webhook, or one with a new secret."""

    secret: str = Field(description="The key that signs calls: `whsec_` followed by base64.")


class WebhookList(Answer):
    """All webhooks, oldest first."""

    webhooks: list[WebhookState]


class WebhookGone(Answer):
    """Whether the webhook was deleted."""

    deleted: bool


class WebhookTested(Answer):
    """Whether a test call was queued."""

    sent: bool
