"""Conference maps and what-if: hypothetical boards, the orders on them, and what they lead to."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import Answer, Given, PhaseNumber
from diplomaccloud.api.schemas.boards import BoardState, ResultState, UnitState
from diplomaccloud.api.schemas.places import MapPlaceGiven
from diplomaccloud.api.schemas.seats import OrderAnswer, OrderTexts

BoardText = Annotated[str, Field(max_length=6_000)]


class MarkState(Answer):
    """Something drawn on a map; `to` is where an arrow leads, `text` that of a pin."""

    kind: str
    ink: str
    place: str
    to: str
    text: str


class MapState(Answer):
    """A conference map; `number` is that of your own map, and null for one of another person."""

    number: int | None
    title: str
    at: dt.datetime
    board: str = Field(description="The map as a text, for `what-if` and for another map.")
    sequence: int | None = Field(description="The phase of the game with which it begins.")
    powers: list[str] = Field(description="Whose orders it has.")
    order_count: int
    mark_count: int
    steps: int = Field(description="How many of its phases are adjudicated.")
    may_adopt: bool
    changes: str = Field(description="The board of the map that it changes; blank if none.")


class MapText(MapState):
    """A conference map with everything that is on it; `phase` is the one that it shows."""

    phase: str
    position: BoardState
    orders: list[str]
    results: list[ResultState] = Field(description="Of its last adjudicated phase.")
    marks: list[MarkState]


class MapList(Answer):
    """Your own maps in a game, the newest first."""

    maps: list[MapState]


class MapSaved(Answer):
    """The number of your map."""

    number: int


class MapAdopted(Answer):
    """The draft with your own orders on a map; it does not count until you make it live."""

    draft: str
    sequence: int
    orders: list[str]
    refused: list[OrderAnswer]
    others: int = Field(description="How many orders of other powers were left out.")


class WhatIf(Answer):
    """A hypothetical board after what was asked."""

    board: str = Field(description="The board as a text, for the next question or for a map.")
    phase: str
    title: str
    position: BoardState
    orders: list[str]
    refused: list[OrderAnswer]
    marks: list[MarkState]
    results: list[ResultState] = Field(description="Of the phase that was adjudicated now.")
    destroyed: list[UnitState]
    standoffs: list[str]


class MarkDrawn(Given):
    """Something to draw on a province; an arrow needs `to`, and a pin `text`."""

    kind: Literal["wash", "hatch", "arrow", "pin"]
    ink: Literal["red", "blue", "green", "gold"] = "red"
    place: Annotated[str, Field(min_length=1, max_length=10)]
    to: Annotated[str, Field(max_length=10)] = ""
    text: Annotated[str, Field(max_length=200)] = ""


class WhatIfGiven(Given):
    """A hypothetical board: orders and marks on the open phase, or on another board.

    It begins with `board`, with the processed phase `base`, or with the open phase, to which `own`
    adds the orders of your live draft. `position` puts other units and centers there.
    """

    board: BoardText = ""
    base: PhaseNumber | None = None
    own: StrictBool = False
    position: Annotated[str, Field(max_length=20_000)] = ""
    orders: OrderTexts = []
    marks: Annotated[list[MarkDrawn], Field(max_length=60)] = []
    adjudicate: StrictBool = True


class BoardGiven(Given):
    """A map to keep: the `board` of an answer, and the map that it `changes`, if any."""

    board: BoardText
    changes: MapPlaceGiven | None = None
