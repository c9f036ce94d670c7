"""References to messages and maps."""

from typing import Annotated

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import Given

Members = Annotated[str, Field(alias="with", min_length=1, max_length=400)]
MessageNumber = Annotated[StrictInt, Field(ge=1, le=10**9)]


class Place(Given):
    """A message, identified by its conversation and its number there."""

    members: Members
    number: MessageNumber


class MapPlaceGiven(Given):
    """Your own map with this number or, if `with` is sent, the map in that message."""

    members: Annotated[str, Field(alias="with", max_length=400)] = ""
    number: MessageNumber
