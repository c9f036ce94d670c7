"""Arguments for operations on a game: who acts, in which game, and in which phase."""

from typing import TypedDict

from django.http import HttpRequest

from diplomaccloud.api.auth import bearer_of, caller_of
from diplomaccloud.api.facts.seats import describe_own_seat, require_own_seat
from diplomaccloud.api.problems import Problem
from diplomaccloud.api.repeats import Effect, find_arrival
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.seats import OwnSeat, SavedOrders
from diplomaccloud.games.orders.read import is_seat_ready
from diplomaccloud.games.table.forms import PhaseAction
from diplomaccloud.games.table.read import Reader
from diplomaccloud.press.inbox.read import count_unread


class GameAction(TypedDict):
    """The arguments of an action that works in any phase of a game."""

    slug: str
    user_id: int


def act_on(request: HttpRequest, game: str) -> GameAction:
    """Return the arguments of an action that the caller takes in a game."""
    return {"slug": game, "user_id": bearer_of(request).user_id}


def act_in(request: HttpRequest, game: str, sequence: int) -> PhaseAction:
    """Return the arguments of an action that the caller takes in a phase."""
    return {**act_on(request, game), "sequence": sequence, "now": find_arrival(request)}


def require_an_order(answer: SavedOrders) -> None:
    """Raise `Problem` if all orders were refused, so that the transaction changes nothing."""
    if answer.refused and not answer.accepted:
        refused = [order.model_dump() for order in answer.refused]
        detail = "None of the orders is a legal order. Nothing was saved."
        raise Problem(422, "orders", detail, more={"orders": refused})


def is_still_ready(request: HttpRequest, game: str, sequence: int) -> bool:
    """Return whether the caller's seat is ready in a phase, now or since an earlier request."""
    return is_seat_ready(game, bearer_of(request).user_id, sequence)


def read_game(request: HttpRequest, game: str) -> Reader:
    """Return what the caller may know of a game; raise `NoSuchGame`."""
    return Reader(game, caller_of(request).viewer)


def read_seat(request: HttpRequest, game: str) -> Reader:
    """Return what the caller may know as a player; raise `NoSuchGame` if the caller has no seat."""
    return require_own_seat(read_game(request, game))


def read_own_seat(request: HttpRequest, game: str) -> OwnSeat:
    """Return the caller's seat; raise `NoSuchGame` if the caller has none."""
    reader, caller = read_seat(request, game), caller_of(request)
    unread = count_unread(caller.viewer, game) if caller.reads_press else None
    return describe_own_seat(reader, unread)


def show_seat(request: HttpRequest, game: str, due_game_id: int | None = None) -> Effect:
    """Return the caller's seat as it is now; a game that is due is processed afterward."""
    return Effect(reply(read_own_seat(request, game)), due_game_id)
