"""Events."""

import datetime as dt
from collections.abc import Mapping

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer


class EventState(Answer):
    """Something that happened in a game, as far as you may know it."""

    id: str = Field(description="Send the newest one as `after`, and you miss and repeat nothing.")
    type: str = Field(description="For example `phase.resolved` or `message.received`.")
    at: dt.datetime
    data: Mapping[str, object] = Field(
        description="Facts such as `phase`, `sequence`, `due_at`, `power`, `with` and `number`; "
        "never a text that someone wrote."
    )


class EventPage(Answer):
    """Events, the oldest first."""

    events: list[EventState]
    next: str = Field(description="What to send as `after` next.")
    more: bool = Field(description="Whether there are more now.")
