"""Conference maps and what-if: hypothetical boards, the orders on them, and the results."""

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import Field, StrictBool

from diplomaccloud.api.addresses import GameId, MapPlaceGiven, Number, read_address
from diplomaccloud.api.answers import SVG, ApiAnswer, Given, OrderAnswer, PhaseNumber, Text
from diplomaccloud.api.auth import PLAY, PRESS, READ
from diplomaccloud.api.games import BoardState, ResultState, Units
from diplomaccloud.api.operations import Area, act_on, read_game, read_press, read_seat
from diplomaccloud.api.orders import OrderTexts
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.entry.orders import OrderTextTooLong, Reading, read_orders
from diplomaccloud.games.results.read import read_processed
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Board, ProvinceCode, province_of
from diplomaccloud.judge.drawing.chart import Mark, MarkKind
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT
from diplomaccloud.press.maps import actions as maps_actions
from diplomaccloud.press.maps.content import MAX_STEPS, load_content
from diplomaccloud.press.maps.page import draw_small
from diplomaccloud.press.maps.read import MapFacts, list_own_maps, read_map
from diplomaccloud.press.table.addresses import MapPlace
from diplomaccloud.sandbox import engine
from diplomaccloud.sandbox.address import decode_state, encode_state
from diplomaccloud.sandbox.engine import SandboxError, SandboxState, replay

BoardText = Annotated[str, Field(max_length=6_000)]


class MarkState(ApiAnswer):
    """A mark on a map; `to` is the target of an arrow, and `text` the text of a pin."""

    kind: str
    ink: str
    place: str = Field(validation_alias="province")
    to: str
    text: str


class MapState(ApiAnswer):
    """A conference map; `number` is null if the map is someone else's."""

    number: int | None
    title: str
    at: dt.datetime
    board: str = Field(description="The map as text, to use in `what-if` or save as another map.")
    sequence: int | None = Field(
        description="The number of the phase that the map starts from; null if it starts from none."
    )
    powers: list[str] = Field(description="The powers whose orders are on the map.")
    order_count: int
    mark_count: int
    steps: int = Field(description="The number of phases adjudicated on the map.")
    may_adopt: bool
    changes: str = Field(description="The board of the map that this map edits; blank if none.")


class MapText(MapState):
    """A conference map with its orders and marks; `phase` is the phase shown."""

    phase: Text
    position: BoardState
    orders: list[Text]
    results: list[ResultState] = Field(description="The results of the last adjudicated phase.")
    marks: list[MarkState]


class MapList(ApiAnswer):
    """Your own maps in a game, newest first."""

    maps: list[MapState]


class MapSaved(ApiAnswer):
    """The number of your map."""

    number: int


class MapAdopted(ApiAnswer):
    """The draft made from your own orders on a map. It doesn't count until you make it live."""

    draft: str
    sequence: int
    orders: list[Text]
    refused: list[OrderAnswer]
    others: int = Field(description="The number of other powers' orders that were left out.")


class WhatIf(ApiAnswer):
    """A hypothetical board after the requested changes."""

    board: str = Field(description="The board as text, for the next request or to save as a map.")
    phase: Text
    title: str
    position: BoardState
    orders: list[Text]
    refused: list[OrderAnswer]
    marks: list[MarkState]
    results: list[ResultState] = Field(
        description="The results of the phase that was just adjudicated."
    )
    destroyed: Units
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


_With = Annotated[str, Query(alias="with", max_length=400)]
area = Area("maps", PRESS)


@area.asks("/games/{game}/seat/what-if", WhatIf, guard=READ)
def what_if(request: HttpRequest, game: GameId, given: WhatIfGiven) -> object:
    """Adjudicate a hypothetical board. The request is private, and nothing is stored.

    Send the `board` of the answer to continue from there, or save it as a map. At most six
    phases can be adjudicated in a row.
    """
    reader = read_seat(request, game) if given.own else read_game(request, game)
    board = reader.chart.board
    with _refusing("board"):
        state = _start(reader, given)
        if given.position:
            state = _place_units(board, state, given.position)
        reading = _read_orders(board, state, given.orders)
        state = engine.merge_orders(board, state, reading.orders)
        for number, mark in enumerate(given.marks):
            state = _draw(board, state, mark, number)
        if given.adjudicate:
            if len(state.past) >= MAX_STEPS:
                raise refuse_field(
                    "adjudicate", f"A board can be adjudicated for {MAX_STEPS} phases."
                )
            state = engine.step(board, state)
        text = encode_state(state, board, reader.game.map_hash)
    timeline = replay(board, state)
    resolution = timeline.phases[-1].resolution if given.adjudicate else None
    return WhatIf.of(
        board=text,
        phase=timeline.position.phase,
        title=timeline.position.phase.title,
        position=timeline.position,
        orders=state.orders,
        refused=reading.problems,
        marks=state.marks,
        results=resolution.results if resolution else (),
        destroyed=resolution.destroyed if resolution else (),
        standoffs=resolution.standoffs if resolution else (),
    )


@area.reads("/games/{game}/seat/maps", MapList)
def list_maps(request: HttpRequest, game: GameId) -> object:
    """List your own maps of a game, newest first. Only you can see your saved maps."""
    return MapList(maps=list(map(describe_map, list_own_maps(read_press(request, game)))))


@area.writes("POST /games/{game}/seat/maps", MapSaved, status=201)
def save_map(request: HttpRequest, game: GameId, given: BoardGiven) -> object:
    """Save a board as a map to attach to messages. To edit a map, save one that `changes` it."""
    number = maps_actions.make_map(
        **act_on(request, game),
        content=given.board,
        parent=_find_place(given.changes.number, given.changes.members) if given.changes else None,
        now=timezone.now(),
    )
    return MapSaved(number=number)


@area.reads("/games/{game}/seat/map", MapText)
def get_conference_map(
    request: HttpRequest, game: GameId, number: Number, members: _With = ""
) -> object:
    """Return a map with its orders: your own by number, or with `?with=` the map in a message."""
    press = read_press(request, game)
    facts, board = read_map(press, _find_place(number, members)), press.game.chart.board
    state = load_content(facts.content, press.game.game.map_hash)
    timeline = replay(board, state)
    return MapText.of(
        **describe_map(facts).model_dump(),
        phase=timeline.position.phase,
        position=timeline.position,
        orders=state.orders,
        results=timeline.phases[-1].resolution.results if timeline.phases else (),
        marks=state.marks,
    )


@area.reads("/games/{game}/seat/map/picture", SVG)
def draw_conference_map(
    request: HttpRequest, game: GameId, number: Number, members: _With = "", *, night: bool = False
) -> HttpResponse:
    """Return a small picture of a map as SVG."""
    press = read_press(request, game)
    facts = read_map(press, _find_place(number, members))
    drawn = draw_small(facts.content, press.game.game.map_hash, NIGHT if night else LIGHT)
    return HttpResponse(drawn, content_type=SVG.media_type)


@area.writes("POST /games/{game}/seat/maps/adopt", MapAdopted, guard=PLAY)
def adopt_map(request: HttpRequest, game: GameId, given: MapPlaceGiven) -> object:
    """Copy the legal orders for your own units from a map to a new draft. Nobody is notified."""
    place = _find_place(given.number, given.members)
    return maps_actions.adopt_map(**act_on(request, game), place=place, now=timezone.now())


@contextmanager
def _refusing(field: str) -> Iterator[None]:
    """Name the field for which the sandbox refuses a board."""
    try:
        yield
    except (SandboxError, OrderTextTooLong) as error:
        raise refuse_field(field, str(error)) from error


def _start(reader: Reader, given: WhatIfGiven) -> SandboxState:
    board, edition = reader.chart.board, reader.game.rules.name
    if given.board:
        return decode_state(given.board, board, reader.game.map_hash)
    if given.base is not None:
        position = read_processed(reader, given.base).position
        return engine.open_position(board, position, (), edition)
    orders = reader.live_draft.orders if given.own else ()
    return engine.open_position(board, reader.position, orders, edition)


def _place_units(board: Board, state: SandboxState, text: str) -> SandboxState:
    with _refusing("position"):
        reading = engine.read_position(board, engine.replay(board, state).position, text)
        if reading.problems:
            raise refuse_field("position", reading.problems[0])
        return engine.set_position(board, state, reading.position)


def _read_orders(board: Board, state: SandboxState, texts: Sequence[str]) -> Reading:
    position, powers = engine.replay(board, state).position, list(board.power_info)
    with _refusing("orders"):
        return read_orders(board, position, powers, choices=texts, text="", rules=state.rules)


def _draw(board: Board, state: SandboxState, drawn: MarkDrawn, number: int) -> SandboxState:
    place, to = (province_of(ProvinceCode(text.upper())) for text in (drawn.place, drawn.to))
    mark = Mark(MarkKind(drawn.kind), drawn.ink, place, to=to, text=drawn.text)
    with _refusing(f"marks[{number}]"):
        return engine.add_mark(board, state, mark)


def _find_place(number: int, members: str) -> MapPlace:
    return MapPlace(number, read_address(members) if members else None)


def describe_map(facts: MapFacts) -> MapState:
    """Return a map as shown in a message."""
    return MapState.of(
        number=facts.number or None,
        title=facts.title,
        at=facts.at,
        board=facts.content,
        sequence=facts.sequence,
        powers=facts.powers,
        order_count=facts.orders,
        mark_count=facts.marks,
        steps=facts.steps,
        may_adopt=facts.is_open and facts.has_own,
        changes=facts.before,
    )
