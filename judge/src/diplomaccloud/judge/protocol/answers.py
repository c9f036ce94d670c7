"""Answers one request with the result of every order, the reasons, and the next position."""

import math
from collections.abc import Iterator

from diplomaccloud.judge.codec.reader import Json
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.request import (
    Boards,
    Request,
    only_standard,
    position_to_request,
    read_request,
)
from diplomaccloud.judge.protocol.request_text import MAX_ECHO, RequestOrders
from diplomaccloud.judge.protocol.words import trees_of, words_of
from diplomaccloud.judge.results import Resolution


def answer(request: object, boards: Boards = only_standard, *, explain: bool = False) -> Json:
    """Return the answer to `request`, a JSON value, or `{"id", "error"}` if it is invalid.

    No value ever raises an error. `boards` finds the board for the value of `map` and may raise
    `ValueError`. `explain` adds `trees` even if the request does not ask for them.
    """
    name = id_of(request)
    try:
        asked = read_request(request, boards)
    except ValueError as error:
        return {"id": name, "error": str(error)}
    orders = RequestOrders(asked)
    resolution = orders.resolve()
    answered = {"id": name} | _describe(asked, orders, resolution)
    if explain or asked.explain:
        answered["trees"] = trees_of(asked, resolution, orders)
    return answered


def id_of(request: object) -> object:
    """Return the `id` of a request if it is a number or short text, otherwise None."""
    value = request.get("id") if isinstance(request, dict) else None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and value.bit_length() > MAX_ECHO:
        return None
    short = isinstance(value, str | int | float) and len(str(value)) <= MAX_ECHO
    return value if short else None


def _describe(asked: Request, orders: RequestOrders, resolution: Resolution) -> Json:
    answered: Json = {
        "results": {},
        "dislodged": dict(_describe_dislodged(asked.position, resolution)),
        "next": position_to_request(resolution.next),
        "why": {},
        "errors": orders.errors,
    }
    answered["results"], answered["why"] = words_of(asked, resolution, orders)
    if resolution.ending is not None:
        ending = resolution.ending
        answered["ending"] = {"winners": list(ending.winners), "reason": ending.reason}
    return answered


def _describe_dislodged(position: Position, resolution: Resolution) -> Iterator[tuple[str, Json]]:
    for entry in resolution.dislodged:
        attacker = position.unit_in(entry.by)
        yield (
            str(entry.unit),
            {
                "power": entry.unit.power,
                "by": None if attacker is None else str(attacker),
                "retreats": list(entry.retreats),
            },
        )
