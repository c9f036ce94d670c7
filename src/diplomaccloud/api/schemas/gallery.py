"""The maps of the site."""

from typing import Annotated, Any, Final

from pydantic import Field, StrictInt, WithJsonSchema

from diplomaccloud.api.schemas.base import Answer, Given


def _list_of(kind: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": kind}}


_PROVINCE: Final = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "name": {"type": "string"},
        "terrain": {"type": "string", "enum": ["inland", "coastal", "sea"]},
        "coasts": _list_of("string"),
        "center": {"type": "boolean", "description": "Whether it is a supply center."},
        "home": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "description": "The power that may build there; null for a neutral center.",
        },
        "aliases": _list_of("string"),
    },
}
_BOARD: Final = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "powers": {"type": "array", "items": _list_of("string")},
        "provinces": {"type": "array", "items": _PROVINCE},
        "army_borders": {"type": "array", "items": _list_of("string")},
        "fleet_borders": {"type": "array", "items": _list_of("string")},
        "starts": {"type": "array", "items": _list_of("string")},
        "victory_centers": {"type": "integer"},
        "first_year": {"type": "integer"},
        "impassable": {"type": "array", "items": _list_of("string")},
    },
}
MAP: Final = {
    "type": "object",
    "description": "A map, in the format of `docs/map-format.md`. `board` has the provinces with "
    "all supply centers, also neutral ones, and the borders; the rest is for drawing.",
    "properties": {
        "v": {"type": "integer"},
        "world": {"type": "string"},
        "board": _BOARD,
        "size": _list_of("number"),
        "arcs": _list_of("object"),
        "shapes": _list_of("object"),
        "palette": {"type": "object", "additionalProperties": {"type": "string"}},
        "scenery": {"type": "array"},
        "passages": {"type": "array"},
        "relief": {"anyOf": [{"type": "object"}, {"type": "null"}]},
        "seed": {"type": "string"},
        "maker": {"type": "string"},
        "fairness": {"type": "object"},
    },
    "required": ["v", "world", "board", "size", "arcs", "shapes", "palette"],
}
MapFile = Annotated[dict[str, Any], WithJsonSchema(MAP)]


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
    map: MapFile
