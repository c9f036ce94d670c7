"""Hypothetical boards: what-if requests, and the maps that players draw and send."""

from collections.abc import Sequence
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query

from diplomaccloud.api.auth import PLAY, PRESS, READ, caller_of
from diplomaccloud.api.calls.acting import act_on, read_game, read_seat
from diplomaccloud.api.calls.addresses import Number, read_address
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.conference_maps import (
    describe_adopted,
    describe_map,
    describe_what_if,
    describe_whole_map,
)
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.replies import SVG, reply
from diplomaccloud.api.schemas.maps import (
    BoardGiven,
    MapAdopted,
    MapList,
    MapSaved,
    MapText,
    MarkDrawn,
    WhatIf,
    WhatIfGiven,
)
from diplomaccloud.api.schemas.places import MapPlaceGiven
from diplomaccloud.atlas.chart import Mark, MarkKind
from diplomaccloud.games.results.read import read_processed
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import ProvinceCode, province_of
from diplomaccloud.judge.legality.order_entry import OrderTextTooLong, Reading, read_orders
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.maps import actions as maps_actions
from diplomaccloud.press.maps.actions import make_map
from diplomaccloud.press.maps.content import MAX_STEPS
from diplomaccloud.press.maps.page import draw_small
from diplomaccloud.press.maps.read import MapFacts, list_own_maps, read_map
from diplomaccloud.press.table.addresses import MapPlace
from diplomaccloud.sandbox import engine
from diplomaccloud.sandbox.engine import SandboxError, SandboxState

_With = Annotated[str, Query(alias="with", max_length=400)]
area = Area("maps", PRESS)


@area.asks("/games/{game}/seat/what-if", WhatIf, guard=READ)
def what_if(request: HttpRequest, game: GameId, given: WhatIfGiven) -> HttpResponse:
    """Adjudicate a hypothetical board. The request is private, and nothing is stored.

    Send the `board` of the answer to continue from there, or save it as a map. At most six
    phases can be adjudicated in a row.
    """
    reader = read_seat(request, game) if given.own else read_game(request, game)
    board = reader.chart.board
    try:
        state = _start(reader, given)
        if given.position:
            state = _place_units(reader, state, given.position)
        found = _read_orders(reader, state, given.orders)
        state = engine.merge_orders(board, state, found.orders)
        for number, mark in enumerate(given.marks):
            state = _draw(reader, state, mark, number)
        if given.adjudicate:
            if len(state.past) >= MAX_STEPS:
                raise refuse_field(
                    "adjudicate", f"A board can be adjudicated for {MAX_STEPS} phases."
                )
            state = engine.step(board, state)
        text = engine.encode_state(state, board, reader.for_board.map_hash)
    except SandboxError as error:
        raise refuse_field("board", str(error)) from error
    return reply(describe_what_if(state, text, board, found.problems, is_stepped=given.adjudicate))


@area.reads("/games/{game}/seat/maps", MapList)
def list_maps(request: HttpRequest, game: GameId) -> HttpResponse:
    """List your own maps of a game, newest first. Only you can see your saved maps."""
    maps = list_own_maps(_read_press(request, game))
    return reply(MapList(maps=list(map(describe_map, maps))))


@area.writes("POST /games/{game}/seat/maps", MapSaved, status=201)
def save_map(request: HttpRequest, game: GameId, given: BoardGiven) -> Effect:
    """Save a board as a map to attach to messages. To edit a map, save one that `changes` it."""
    number = make_map(
        **act_on(request, game),
        content=given.board,
        parent=_find_place(given.changes) if given.changes else None,
        now=timezone.now(),
    )
    return Effect(reply(MapSaved(number=number), status=201))


@area.reads("/games/{game}/seat/map", MapText)
def get_conference_map(
    request: HttpRequest, game: GameId, number: Number, members: _With = ""
) -> HttpResponse:
    """Return a map with its orders: your own by number, or with `?with=` the map in a message."""
    facts, reader = _find_map(request, game, number, members)
    return reply(describe_whole_map(facts, reader.chart.board, reader.for_board.map_hash))


@area.reads("/games/{game}/seat/map/picture", SVG)
def draw_conference_map(
    request: HttpRequest, game: GameId, number: Number, members: _With = "", *, night: bool = False
) -> HttpResponse:
    """Return a small picture of a map as SVG."""
    facts, reader = _find_map(request, game, number, members)
    drawn = draw_small(facts.content, reader.for_board.map_hash, night=night)
    return HttpResponse(drawn, content_type=SVG.media_type)


@area.writes("POST /games/{game}/seat/maps/adopt", MapAdopted, guard=PLAY)
def adopt_map(request: HttpRequest, game: GameId, given: MapPlaceGiven) -> Effect:
    """Copy the legal orders for your own units from a map to a new draft. Nobody is notified."""
    adopted = maps_actions.adopt_map(
        **act_on(request, game), place=_find_place(given), now=timezone.now()
    )
    return Effect(reply(describe_adopted(adopted)))


def _start(reader: Reader, given: WhatIfGiven) -> SandboxState:
    board, edition = reader.chart.board, reader.for_board.edition
    if given.board:
        return engine.decode_state(given.board, board, reader.for_board.map_hash)
    if given.base is not None:
        position = read_processed(reader, given.base).position
        return engine.open_position(board, position, (), edition)
    orders = reader.live_draft.orders if given.own else ()
    return engine.open_position(board, reader.position, orders, edition)


def _place_units(reader: Reader, state: SandboxState, text: str) -> SandboxState:
    board = reader.chart.board
    try:
        reading = engine.read_position(board, engine.replay(board, state).position, text)
        if not reading.problems:
            return engine.set_position(board, state, reading.position)
    except SandboxError as error:
        raise refuse_field("position", str(error)) from error
    raise refuse_field("position", reading.problems[0])


def _read_orders(reader: Reader, state: SandboxState, texts: Sequence[str]) -> Reading:
    board = reader.chart.board
    position = engine.replay(board, state).position
    powers = [info.power for info in board.powers]
    try:
        return read_orders(board, position, powers, choices=texts, text="", rules=state.rules)
    except OrderTextTooLong as error:
        raise refuse_field("orders", str(error)) from error


def _draw(reader: Reader, state: SandboxState, drawn: MarkDrawn, number: int) -> SandboxState:
    mark = Mark(
        MarkKind(drawn.kind),
        drawn.ink,
        province_of(ProvinceCode(drawn.place.upper())),
        to=province_of(ProvinceCode(drawn.to.upper())),
        text=drawn.text,
    )
    try:
        return engine.add_mark(reader.chart.board, state, mark)
    except SandboxError as error:
        raise refuse_field(f"marks[{number}]", str(error)) from error


def _find_place(given: MapPlaceGiven) -> MapPlace:
    return MapPlace(given.number, read_address(given.members) if given.members else None)


def _find_map(
    request: HttpRequest, game: str, number: int, members: str
) -> tuple[MapFacts, Reader]:
    press = _read_press(request, game)
    place = MapPlace(number, read_address(members) if members else None)
    return read_map(press, place), press.game


def _read_press(request: HttpRequest, game: str) -> PressReader:
    return PressReader(game, caller_of(request).viewer, with_since=False)
