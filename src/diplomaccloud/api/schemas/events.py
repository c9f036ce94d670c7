"""Events."""

import datetime as dt
from collections.abc import Mapping

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer


class EventState(Answer):
    """Something that happened in a game, as far as you may know it."""

    id: str = Field(description="Send the newest ID as `after` to get every event exactly once.")
    type: str = Field(description="For example `phase.resolved` or `message.received`.")
    at: dt.datetime
    data: Mapping[str, object] = Field(
        description="Values such as `phase`, `sequence`, `due_at`, `power`, `with` and `number`; "
        "never text that a person wrote."
    )


class EventPage(Answer):
    """Events, oldest first."""

    events: list[EventState]
    next: str = Field(description="The `after` for the next request.")
    more: bool = Field(description="Whether more events are available now.")
