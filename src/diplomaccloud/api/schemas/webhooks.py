"""Webhooks."""

import datetime as dt

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import Answer, Given


class WebhookGiven(Given):
    """The address of a server to be called."""

    address: str = Field(max_length=1000, description="It begins with https://")
    messages: StrictBool = Field(
        default=False,
        description="Whether what happens in conversations is announced, too. It stays so.",
    )


class WebhookState(Answer):
    """A webhook; nothing is sent while it is `off`."""

    id: str
    address: str
    made_at: dt.datetime
    messages: bool = Field(description="Whether what happens in conversations is announced, too.")
    failing_since: dt.datetime | None = Field(description="Since when no call has arrived.")
    off: bool = Field(description="Whether it was switched off, since none arrived for a day.")


class WebhookMade(WebhookState):
    """A new webhook, or one with a new secret."""

    secret: str = Field(description="What signs the calls: `whsec_` and base64.")


class WebhookList(Answer):
    """All webhooks, the oldest first."""

    webhooks: list[WebhookState]


class WebhookGone(Answer):
    """What was deleted."""

    deleted: bool


class WebhookTested(Answer):
    """A test is on its way."""

    sent: bool
