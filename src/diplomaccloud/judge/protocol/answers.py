"""Answers one request: what became of every order, why, and what comes next."""

import math
from collections.abc import Iterator

from diplomaccloud.judge.adjudicate import adjudicate
from diplomaccloud.judge.codec.reader import Json
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.request import (
    Boards,
    Request,
    only_standard,
    position_to_request,
    read_request,
)
from diplomaccloud.judge.protocol.request_text import LONGEST_ECHO, Orders
from diplomaccloud.judge.protocol.words import trees_of, words_of
from diplomaccloud.judge.results import Resolution


def answer(request: object, boards: Boards = only_standard, *, explain: bool = False) -> Json:
    """Return the answer to `request`, a JSON value; `{"id", "error"}` if it is no request.

    Never raises for any value. `boards` finds the board that `map` stands for and may raise
    `ValueError`. `explain` adds `trees` even if the request does not ask for them.
    """
    name = id_of(request)
    try:
        asked = read_request(request, boards)
    except ValueError as error:
        return {"id": name, "error": str(error)}
    sheet = Orders(asked)
    resolution = adjudicate(asked.board, asked.position, sheet.orders, asked.rules, seed=asked.seed)
    told = {"id": name} | _told(asked, sheet, resolution)
    if explain or asked.explain:
        told["trees"] = trees_of(asked, resolution, sheet)
    return told


def id_of(request: object) -> object:
    """Return the `id` of a request if it is a short text or a number, else None."""
    value = request.get("id") if isinstance(request, dict) else None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and value.bit_length() > LONGEST_ECHO:
        return None
    short = isinstance(value, str | int | float) and len(str(value)) <= LONGEST_ECHO
    return value if short else None


def _told(asked: Request, sheet: Orders, resolution: Resolution) -> Json:
    told: Json = {
        "results": {},
        "dislodged": dict(_driven(asked.position, resolution)),
        "next": position_to_request(resolution.next),
        "why": {},
        "errors": sheet.errors,
    }
    told["results"], told["why"] = words_of(asked, resolution, sheet)
    if resolution.ending is not None:
        ending = resolution.ending
        told["ending"] = {"winners": list(ending.winners), "reason": ending.reason}
    return told


def _driven(position: Position, resolution: Resolution) -> Iterator[tuple[str, Json]]:
    for one in resolution.dislodged:
        attacker = position.unit_in(one.by)
        yield (
            str(one.unit),
            {
                "power": one.unit.power,
                "by": None if attacker is None else str(attacker),
                "retreats": list(one.retreats),
            },
        )
