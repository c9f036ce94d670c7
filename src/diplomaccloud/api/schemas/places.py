"""Where a message or a map stands."""

from typing import Annotated

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import Given

Members = Annotated[str, Field(alias="with", min_length=1, max_length=400)]
MessageNumber = Annotated[StrictInt, Field(ge=1, le=10**9)]


class Place(Given):
    """A message, by its conversation and its number there."""

    members: Members
    number: MessageNumber


class MapPlaceGiven(Given):
    """A map: your own one with this number, or `with` a conversation, that of a message."""

    members: Annotated[str, Field(alias="with", max_length=400)] = ""
    number: MessageNumber
