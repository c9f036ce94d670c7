"""The maps of the site."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, Literal

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import Field, StrictInt, WithJsonSchema

from diplomaccloud.api.addresses import MapHash
from diplomaccloud.api.answers import FOREVER, JSON, PNG, SVG, ApiAnswer, Given
from diplomaccloud.api.auth import CREATE, OPEN, bearer_of
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import Problem, no_such_map, refuse_field
from diplomaccloud.atlas.chartfile import dump_chart
from diplomaccloud.atlas.landforms import Landform
from diplomaccloud.judge.position import starting_position
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.forms import (
    MAX_PLAYERS,
    MAX_PROVINCES,
    MIN_PLAYERS,
    MIN_PROVINCES,
    SaveMapForm,
    SeedForm,
)
from diplomaccloud.maps.gallery import GalleryFilter, SortOrder, build_gallery_page, build_map_card
from diplomaccloud.maps.large_maps import NotReadyError
from diplomaccloud.maps.library import (
    UnknownMapError,
    find_text,
    save_map,
)
from diplomaccloud.maps.map_worker import BusyError, MapRequest, TooSlowError
from diplomaccloud.maps.pictures import find_drawn_chart, load_plain, load_position_picture
from diplomaccloud.maps.previews import find_preview, make_preview


def _list_of(kind: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": kind}}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_LISTS: Final = {"type": "array", "items": _list_of("string")}
_PROVINCE: Final = _object(
    code=_TEXT,
    name=_TEXT,
    terrain={**_TEXT, "enum": ["inland", "coastal", "sea"]},
    coasts=_list_of("string"),
    center={"type": "boolean", "description": "Whether it is a supply center."},
    home={
        "anyOf": [_TEXT, {"type": "null"}],
        "description": "The power that may build there; null for a neutral center.",
    },
    aliases=_list_of("string"),
)
_BOARD: Final = _object(
    name=_TEXT,
    powers=_LISTS,
    provinces={"type": "array", "items": _PROVINCE},
    army_borders=_LISTS,
    fleet_borders=_LISTS,
    starts=_LISTS,
    victory_centers=_NUMBER,
    first_year=_NUMBER,
    impassable=_LISTS,
)
MAP: Final = {
    "type": "object",
    "description": "A map, in the format of `docs/map-format.md`. `board` has the provinces with "
    "all supply centers, also neutral ones, and the borders; the rest is for drawing.",
    "properties": {
        "v": _NUMBER,
        "world": _TEXT,
        "board": _BOARD,
        "size": _list_of("number"),
        "arcs": _list_of("object"),
        "shapes": _list_of("object"),
        "palette": {"type": "object", "additionalProperties": _TEXT},
        "scenery": {"type": "array"},
        "passages": {"type": "array"},
        "relief": {"anyOf": [{"type": "object"}, {"type": "null"}]},
        "seed": _TEXT,
        "maker": _TEXT,
        "fairness": {"type": "object"},
    },
    "required": ["v", "world", "board", "size", "arcs", "shapes", "palette"],
}
MapFile = Annotated[dict[str, Any], WithJsonSchema(MAP)]


class MapCardState(ApiAnswer):
    """A map in the gallery.

    `spread` is how much the powers' shares of the centers differ when `bot` plays all of them, the
    strongest bot that has measured the map; 0 if all do equally well. `verdict` compares with the
    standard map once all bots have played. All three are null before. `title` may be empty. A map
    that is not `listed` is kept for games and is not in the gallery.
    """

    hash: str
    name: str
    title: str
    landform: Landform | None
    listed: bool
    players: int
    provinces: int
    centers: int
    centers_to_win: int = Field(validation_alias="victory_centers")
    games: int
    spread: float | None
    bot: str | None
    verdict: str | None


class GalleryState(ApiAnswer):
    """A page of maps. If there are more, send the last hash as `after` for the next page."""

    maps: list[MapCardState]
    total: int
    has_more: bool


class NewMapGiven(Given):
    """A map to make from a seed."""

    seed: Annotated[str, Field(min_length=1, max_length=60)]
    players: Annotated[StrictInt, Field(ge=MIN_PLAYERS, le=MAX_PLAYERS)] = 7
    provinces: Annotated[StrictInt, Field(ge=MIN_PROVINCES, le=MAX_PROVINCES)] | None = Field(
        None, description="10 to 20 for each player; by default in proportion to the players."
    )
    sea: Annotated[StrictInt, Field(ge=0, le=100)] | None = Field(
        None, description="The share of sea, in percent."
    )
    landform: Landform | None = Field(
        None, description="The shape of the world; by default the seed draws one."
    )
    homes: Literal["varied", "equal"] = Field(
        "varied", description="The home centers of each power: two to four, or three."
    )


class KeptMapGiven(NewMapGiven):
    """A map that was made earlier, and its name in the gallery."""

    name: Annotated[str, Field(min_length=1, max_length=60)]


class NewMapState(ApiAnswer):
    """A map that has not been saved. It is deleted after two days."""

    provinces: int
    centers: int
    powers: list[str]
    map: MapFile


_PUBLIC = {"Cache-Control": f"public, {FOREVER}"}
_ASK_AGAIN: Final = "3"
area = Area("maps", OPEN)


@area.reads("/maps", GalleryState)
def list_gallery(
    request: HttpRequest,  # noqa: ARG001
    *,
    after: Annotated[str, Query(pattern="^([0-9a-f]{64})?$")] = "",
    players: Annotated[int, Query(ge=0, le=MAX_PLAYERS)] = 0,
    certified: bool = False,
    order: Literal["newest", "most-even", "largest", "smallest"] = "newest",
    landform: Landform | None = None,
) -> object:
    """List the maps of the site. For the next page, send the last hash as `?after=`."""
    chosen = GalleryFilter(
        players=players,
        certified=certified,
        order=SortOrder(order),
        landform=landform or "",
        flat=True,
    )
    page = build_gallery_page(chosen, after=after)
    return {"maps": page.cards, "total": page.total, "has_more": bool(page.next_url)}


@contextmanager
def _finding_map() -> Iterator[None]:
    """Answer that there is no such map, or that a heavy one is simplified later.

    Outside of the gallery, that a map is missing is a fault of the site.
    """
    try:
        yield
    except UnknownMapError as error:
        raise no_such_map() from error
    except BusyError as error:
        headers = {"Retry-After": _ASK_AGAIN}
        raise Problem(503, "unavailable", str(error), headers=headers) from error


@area.reads("/maps/{map_hash}/card", MapCardState)
def get_map_card(request: HttpRequest, map_hash: MapHash) -> object:  # noqa: ARG001
    """Return a map's entry in the gallery."""
    with _finding_map():
        return build_map_card(map_hash)


@area.reads("/maps/{map_hash}/picture/{theme}", SVG)
def get_map_picture(
    request: HttpRequest,  # noqa: ARG001
    map_hash: MapHash,
    theme: Literal["light", "dark"],
) -> object:
    """Return the picture of a map as SVG, without names and units. It never changes."""
    with _finding_map():
        body = load_plain(map_hash, f"{theme}.svg")
    return HttpResponse(body, content_type=SVG.media_type, headers=_PUBLIC)


@area.reads("/maps/{map_hash}/start", PNG)
def get_map_start(request: HttpRequest, map_hash: MapHash) -> object:  # noqa: ARG001
    """Return the picture of a map with its starting position."""
    with _finding_map():
        chart = find_drawn_chart(map_hash)
    body = load_position_picture(map_hash, chart, starting_position(chart.board))
    return HttpResponse(body, content_type=PNG.media_type, headers=_PUBLIC)


# No transaction is open while a map is made, which takes seconds.
@area.asks("/map-previews", NewMapState, guard=CREATE)
def make_map(request: HttpRequest, given: NewMapGiven) -> object:
    """Make a map from a seed. This takes several seconds; `POST /maps` saves the map.

    A map of more than 110 provinces may take minutes. Until it is finished, the answer is 503 with
    `Retry-After`: send the same request again.
    """
    asked = _read_form(SeedForm, given)
    user_id, address = bearer_of(request).user_id, get_adapter().get_client_ip(request)
    try:
        preview = make_preview(asked, user_id=user_id, address=address, now=timezone.now())
    except (BusyError, TooSlowError) as error:
        raise Problem(503, "unavailable", str(error)) from error
    except NotReadyError as error:
        again = {"Retry-After": _ASK_AGAIN}
        raise Problem(
            503, "unavailable", f"{error} Send the request again.", headers=again
        ) from error
    except NoMapError as error:
        raise refuse_field(error.option or "seed", str(error)) from error
    board = preview.chart.board
    return NewMapState.of(
        provinces=len(board.provinces),
        centers=len(board.centers),
        powers=list(board.power_info),
        map=json.loads(dump_chart(preview.chart)),
    )


@area.writes("POST /maps", MapCardState, status=201, guard=CREATE)
def keep_map(request: HttpRequest, given: KeptMapGiven) -> object:
    """Save a map to the gallery. Make it first, with the same seed and settings."""
    preview = find_preview(_read_form(SaveMapForm, given))
    if preview is None:
        raise Problem(409, "wrong-moment", "Make the map first: `POST /map-previews`.")
    user_id, name = bearer_of(request).user_id, " ".join(given.name.split())
    return build_map_card(save_map(preview.chart, name, user_id=user_id, now=timezone.now()))


def _read_form(kind: type[SeedForm], given: NewMapGiven) -> MapRequest:
    """Return the requested map; raise `Problem` naming the invalid field."""
    form = kind(given.model_dump(exclude_none=True))
    if not form.is_valid():
        name, faults = next(iter(form.errors.items()))
        raise refuse_field(name, str(faults[0]))
    return form.read_request()


map_files_area = Area("reading", OPEN)


@map_files_area.reads("/maps/{map_hash}", MapFile)
def get_map(request: HttpRequest, map_hash: MapHash) -> object:  # noqa: ARG001
    """Return a map, in the format of `docs/map-format.md`. A map never changes."""
    with _finding_map():
        return HttpResponse(find_text(map_hash), content_type=JSON, headers=_PUBLIC)
