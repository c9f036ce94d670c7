"""The maps of the site."""

from typing import Annotated, Any

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import Answer, Given


class MapCardState(Answer):
    """A map in the gallery; `spread` is null until its fairness has been measured."""

    hash: str
    name: str
    players: int
    provinces: int
    centers: int
    centers_to_win: int
    games: int
    spread: float | None
    verdict: str | None


class GalleryState(Answer):
    """A page of maps. If there are more, send the last hash as `after` for the next page."""

    maps: list[MapCardState]
    total: int
    has_more: bool


class NewMapGiven(Given):
    """A map to make from a seed."""

    seed: Annotated[str, Field(min_length=1, max_length=60)]
    players: Annotated[StrictInt, Field(ge=2, le=10)] = 7
    provinces: Annotated[StrictInt, Field(ge=10, le=500)] | None = None
    sea: Annotated[StrictInt, Field(ge=0, le=100)] | None = Field(
        None, description="The share of sea, in percent."
    )


class KeptMapGiven(NewMapGiven):
    """A map that was made earlier, and its name in the gallery."""

    name: Annotated[str, Field(min_length=1, max_length=60)]


class NewMapState(Answer):
    """A map that has not been saved. It is deleted after two days."""

    provinces: int
    centers: int
    powers: list[str]
    map: dict[str, Any] = Field(description="The map, in the format of `docs/map-format.md`.")
