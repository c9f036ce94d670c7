"""The caller's own seat: reading it, legal orders, and saving orders."""

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query

from diplomaccloud.api.auth import PLAY, READ
from diplomaccloud.api.calls.acting import (
    act_in,
    is_still_ready,
    read_own_seat,
    read_seat,
    require_an_order,
)
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.prose import write_prose
from diplomaccloud.api.facts.seats import (
    describe_draft,
    describe_saved,
    list_legal,
)
from diplomaccloud.api.operations import Area
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.seats import LegalOrders, OrdersGiven, OwnSeat, SavedOrders
from diplomaccloud.games.orders import actions as orders_actions
from diplomaccloud.games.orders.actions import unset_ready

area = Area("seat", READ)
orders_area = Area("seat", READ)


@area.reads("/games/{game}/seat", OwnSeat)
def get_seat(
    request: HttpRequest,
    game: GameId,
    form: Annotated[Literal["json", "text"], Query(alias="format")] = "json",
) -> HttpResponse:
    """Return your private view of your seat: missing orders, drafts, votes and receipt.

    `?format=text` returns a page of prose about the game from your seat's point of view.
    """
    if form == "text":
        text = write_prose(read_seat(request, game))
        return HttpResponse(text, content_type="text/plain; charset=utf-8")
    return reply(read_own_seat(request, game))


@orders_area.reads("/games/{game}/seat/legal", LegalOrders)
def list_legal_orders(
    request: HttpRequest,
    game: GameId,
    unit: Annotated[str, Query(max_length=20)] = "",
    form: Annotated[Literal["texts", "rows"], Query(alias="format")] = "texts",
) -> HttpResponse:
    """List the legal orders of your units in the open phase, or of one unit with `?unit=A PAR`.

    `?format=rows` adds the orders as numbers, as in the judge's batches.
    """
    reader, name = read_seat(request, game), " ".join(unit.upper().split())
    return reply(list_legal(reader, name, with_rows=form == "rows"))


@orders_area.writes("PUT /games/{game}/seat/orders", SavedOrders, guard=PLAY)
def save_orders(request: HttpRequest, game: GameId, given: OrdersGiven) -> Effect:
    """Save orders, and set or clear the ready mark. Legal orders are saved even if others aren't.

    The answer shows how each order was read, or why it was refused. Units you don't name keep their
    orders, and without `orders`, all saved orders stay. In winter, the builds and waives you send
    replace all saved ones of that power; saved disbands stay while there is room. Returns 409 once
    the phase is over; an order never carries over to the next phase.
    """
    action = act_in(request, game, given.phase)
    if given.ready is False:
        unset_ready(**action)
        if not (given.orders or given.draft or given.version):
            reader = read_seat(request, game)
            return Effect(reply(describe_draft(reader.live_draft, given.phase)))
    saved = orders_actions.save_orders(
        **action,
        # Each by itself: as one text, the heading of a bad one would count for those below it.
        choices=given.orders or (),
        sheet="",
        draft=given.draft,
        version=given.version,
        ready=bool(given.ready),
        confirmed=given.confirmed,
        keep=True,
    )
    ready = saved.ready or is_still_ready(request, game, given.phase)
    answer = describe_saved(saved, given.phase, ready=ready)
    require_an_order(answer)
    return Effect(reply(answer), saved.due_game_id)
