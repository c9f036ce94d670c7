"""Events."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer

EVENT_TYPES: Final = (
    "game.created",
    "game.started",
    "game.over",
    "game.canceled",
    "game.suspended",
    "game.resumed",
    "game.changed",
    "phase.opened",
    "phase.closed",
    "phase.resolved",
    "seat.ready",
    "seat.changed",
    "vote.changed",
    "log.written",
    "message.received",
    "proposal.answered",
)


class EventState(Answer):
    """Something that happened in a game, as far as you may know it."""

    id: str = Field(description="Send the newest ID as `after` to get every event exactly once.")
    type: Annotated[str, Field(json_schema_extra={"enum": list(EVENT_TYPES)})] = Field(
        description="What happened. There may be more types later: ignore those you don't know."
    )
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
