"""Conference maps and what-if: hypothetical boards, the orders on them, and the results."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import Answer, Given, OrderAnswer, PhaseNumber
from diplomaccloud.api.schemas.boards import BoardState, ResultState, UnitState
from diplomaccloud.api.schemas.places import MapPlaceGiven
from diplomaccloud.api.schemas.seats import OrderTexts

BoardText = Annotated[str, Field(max_length=6_000)]


class MarkState(Answer):
    """A mark on a map; `to` is the target of an arrow, and `text` the text of a pin."""

    kind: str
    ink: str
    place: str
    to: str
    text: str


class MapState(Answer):
    """A conference map; `number` is null if the map is someone else's."""

    number: int | None
    title: str
    at: dt.datetime
    board: str = Field(description="The map as text, to use in `what-if` or save as another map.")
    sequence: int | None = Field(description="The phase of the game that the map starts from.")
    powers: list[str] = Field(description="The powers whose orders are on the map.")
    order_count: int
    mark_count: int
    steps: int = Field(description="The number of phases adjudicated on the map.")
    may_adopt: bool
    changes: str = Field(description="The board of the map that this map edits; blank if none.")


class MapText(MapState):
    """A conference map with its orders and marks; `phase` is the phase shown."""

    phase: str
    position: BoardState
    orders: list[str]
    results: list[ResultState] = Field(description="The results of the last adjudicated phase.")
    marks: list[MarkState]


class MapList(Answer):
    """Your own maps in a game, newest first."""

    maps: list[MapState]


class MapSaved(Answer):
    """The number of your map."""

    number: int


class MapAdopted(Answer):
    """The draft made from your own orders on a map. It doesn't count until you make it live."""

    draft: str
    sequence: int
    orders: list[str]
    refused: list[OrderAnswer]
    others: int = Field(description="The number of other powers' orders that were left out.")


class WhatIf(Answer):
    """A hypothetical board after the requested changes."""

    board: str = Field(description="The board as text, for the next request or to save as a map.")
    phase: str
    title: str
    position: BoardState
    orders: list[str]
    refused: list[OrderAnswer]
    marks: list[MarkState]
    results: list[ResultState] = Field(
        description="The results of the phase that was just adjudicated."
    )
    destroyed: list[UnitState]
    standoffs: list[str]


class MarkDrawn(Given):
    """A mark to draw on a province; an arrow needs `to`, and a pin needs `text`."""

    kind: Literal["wash", "hatch", "arrow", "pin"]
    ink: Literal["red", "blue", "green", "gold"] = "red"
    place: Annotated[str, Field(min_length=1, max_length=10)]
    to: Annotated[str, Field(max_length=10)] = ""
    text: Annotated[str, Field(max_length=200)] = ""


class WhatIfGiven(Given):
    """A hypothetical board: orders and marks on the open phase, or on another board.

    It starts from `board`, from the processed phase `base`, or from the open phase. `own` adds the
    orders of your live draft to the open phase. `position` replaces units and centers.
    """

    board: BoardText = ""
    base: PhaseNumber | None = None
    own: StrictBool = False
    position: Annotated[str, Field(max_length=20_000)] = ""
    orders: OrderTexts = []
    marks: Annotated[list[MarkDrawn], Field(max_length=60)] = []
    adjudicate: StrictBool = True


class BoardGiven(Given):
    """A map to save: the `board` of an answer, and the map that it `changes`, if any."""

    board: BoardText
    changes: MapPlaceGiven | None = None
