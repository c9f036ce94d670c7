"""Maps: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Sequence
from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import (
    GalleryState,
    MapAdopted,
    MapCardState,
    MapList,
    MapPlaceGiven,
    MapSaved,
    MapText,
    MarkDrawn,
    NewMapState,
    WhatIf,
)


class Maps:
    """The operations of `maps`."""

    @operation
    def what_if(
        self,
        game: str,
        *,
        board: str | None = None,
        base: int | None = None,
        own: bool | None = None,
        position: str | None = None,
        orders: Sequence[str] | None = None,
        marks: Sequence[MarkDrawn] | None = None,
        adjudicate: bool | None = None,
    ) -> Call[WhatIf]:
        """Judge a hypothetical board; nobody learns of it, and nothing is stored.

        The answer has `board`: send it again to go on from there, or keep it as a map. At most six
        phases can be adjudicated one after the other.
        """
        return Call(
            "POST",
            fill("/games/{}/seat/what-if", game),
            WhatIf,
            body={
                "board": board,
                "base": base,
                "own": own,
                "position": position,
                "orders": orders,
                "marks": marks,
                "adjudicate": adjudicate,
            },
        )

    @operation
    def list_maps(self, game: str) -> Call[MapList]:
        """List your own maps of a game, the newest first; nobody else sees those that you keep."""
        return Call("GET", fill("/games/{}/seat/maps", game), MapList)

    @operation
    def save_map(
        self,
        game: str,
        *,
        board: str,
        if_match: str | None = None,
        changes: MapPlaceGiven | None = None,
        key: str = "",
    ) -> Call[MapSaved]:
        """Keep a board as a map, which a message can carry. To edit a map, keep one that changes it."""
        return Call(
            "POST",
            fill("/games/{}/seat/maps", game),
            MapSaved,
            body={"board": board, "changes": changes},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def get_conference_map(
        self, game: str, *, number: int, with_: str | None = None
    ) -> Call[MapText]:
        """Return a map with its orders: your own with a number, or that of a message with `?with=`."""
        return Call(
            "GET",
            fill("/games/{}/seat/map", game),
            MapText,
            query={"number": number, "with": with_},
        )

    @operation
    def draw_conference_map(
        self, game: str, *, number: int, with_: str | None = None, night: bool | None = None
    ) -> Call[bytes]:
        """Return the small picture of a map as SVG."""
        return Call(
            "GET",
            fill("/games/{}/seat/map/picture", game),
            bytes,
            query={"number": number, "with": with_, "night": night},
        )

    @operation
    def adopt_map(
        self,
        game: str,
        *,
        number: int,
        if_match: str | None = None,
        with_: str | None = None,
        key: str = "",
    ) -> Call[MapAdopted]:
        """Copy your own orders on a map, as far as they are legal, to a new draft; nobody learns it."""
        return Call(
            "POST",
            fill("/games/{}/seat/maps/adopt", game),
            MapAdopted,
            body={"with": with_, "number": number},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def list_gallery(
        self,
        *,
        after: str | None = None,
        players: int | None = None,
        certified: bool | None = None,
        order: Literal["newest", "fairest", "largest", "smallest"] | None = None,
    ) -> Call[GalleryState]:
        """List the maps of the site; the next page begins `?after=` the last hash."""
        return Call(
            "GET",
            "/maps",
            GalleryState,
            query={"after": after, "players": players, "certified": certified, "order": order},
        )

    @operation
    def keep_map(
        self,
        *,
        seed: str,
        name: str,
        players: int | None = None,
        provinces: int | None = None,
        sea: int | None = None,
        key: str = "",
    ) -> Call[MapCardState]:
        """Keep a map in the gallery that was made with the same seed and numbers before."""
        return Call(
            "POST",
            "/maps",
            MapCardState,
            body={
                "seed": seed,
                "players": players,
                "provinces": provinces,
                "sea": sea,
                "name": name,
            },
            key=key,
        )

    @operation
    def get_map_card(self, map_hash: str) -> Call[MapCardState]:
        """Return what the gallery says of a map."""
        return Call("GET", fill("/maps/{}/card", map_hash), MapCardState)

    @operation
    def get_map_picture(self, map_hash: str, theme: Literal["light", "dark"]) -> Call[bytes]:
        """Return the picture of a map as SVG, without names and units. It never changes."""
        return Call("GET", fill("/maps/{}/picture/{}", map_hash, theme), bytes)

    @operation
    def get_map_start(self, map_hash: str) -> Call[bytes]:
        """Return the picture of a map with its starting position."""
        return Call("GET", fill("/maps/{}/start", map_hash), bytes)

    @operation
    def make_map(
        self,
        *,
        seed: str,
        players: int | None = None,
        provinces: int | None = None,
        sea: int | None = None,
    ) -> Call[NewMapState]:
        """Make a map from a seed, which takes seconds; `POST /maps` keeps it."""
        return Call(
            "POST",
            "/map-previews",
            NewMapState,
            body={"seed": seed, "players": players, "provinces": provinces, "sea": sea},
        )
