"""Reads saved games of the Python package `diplomacy`, on the standard map.

A saved game is a JSON object on one line with `id`, `map`, `rules`, and `phases`, each of which has
a state, orders and results.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import Json, Node
from diplomaccloud.judge.exchange.steps import ExchangeError, give_orders
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.orders import Disband
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.requests import (
    Request,
    only_standard,
    position_to_request,
    read_request,
)
from diplomaccloud.judge.rules import EDITIONS

EDITION = "diplomacy package"
"""The edition with the package's rules."""
COMPLETED = "COMPLETED"
_PARTS = ("phase", "units", "centers", "dislodged")


def read_saved_game(value: object, place: str) -> tuple[str, Game]:
    """Return the name and the game of a saved game; raise `ExchangeError` for the part at fault.

    Every phase is adjudicated with the package's edition, and must lead to the next state.
    """
    where = f"{place}: " if place else ""
    try:
        return _read_game(Node(value))
    except ValueError as error:
        raise ExchangeError(f"{where}{error}") from error


def _read_game(node: Node) -> tuple[str, Game]:
    if node["map"].value != "standard":
        raise node["map"].error("only games on the standard map can be read")
    phases = node["phases"].items()
    if not phases:
        raise node["phases"].error("there are no phases")
    game: Game | None = None
    for number, (phase, following) in enumerate(zip(phases, [*phases[1:], None], strict=True)):
        path = f"phases[{number}]"
        name = phase["state"]["name"].text()
        if name == COMPLETED:
            if game is None or following is not None:
                raise ExchangeError(f"{path}: a game can only be completed after its last phase")
            request = _read_state(phase["state"], game.phase, f"{path}.state")
            _require_same(game, request.position, f"{path}.state", ("units", "centers"))
            break
        position = _read_state(phase["state"], name, f"{path}.state").position
        orders = _read_orders(phase["orders"])
        if game is None:
            game = Game(rules=EDITIONS[EDITION], position=position)
        elif name.endswith("R"):
            position = _leave_stranded(game, position, orders, f"{path}.orders")
            if not position.dislodged:
                continue
        _require_same(game, position, f"{path}.state", _PARTS)
        give_orders(game, orders, f"{path}.orders")
        if following is not None:
            _add_removals(game, following["state"])
            game.adjudicate()
    if game is None:
        raise node["phases"].error("there is no phase before the end")
    return node["id"].text(), game


def _leave_stranded(
    game: Game, position: Position, orders: dict[str, list[str]], path: str
) -> Position:
    """Return a position from the package with the retreats that our game has.

    In the package, a unit dislodged by a convoyed army may try to retreat to every adjacent place,
    even if it is closed. Removes the disbands of units without a retreat in our game from
    `orders`, and raises `ExchangeError` if such a unit retreats.
    """
    ours = {entry.unit: entry for entry in game.position.dislodged}
    theirs = [entry.unit for entry in position.dislodged]
    for unit in theirs:
        texts = orders.get(unit.power, [])
        if unit not in ours:
            for text in [text for text in texts if text.startswith(f"{unit} ")]:
                if text != str(Disband(unit)):
                    raise ExchangeError(f"{path}: {unit.power}: {text[:80]!r}: it had no retreat")
                texts.remove(text)
    return replace(position, dislodged=tuple(ours[unit] for unit in theirs if unit in ours))


def _add_removals(game: Game, after: Node) -> None:
    """Order the removals that the package chose on its own, as the next state shows them."""
    if game.position.phase.stage is not Stage.ADJUSTMENTS:
        return
    left = {
        (power.word(), text.value)
        for power, texts in after["units"].entries()
        for text in texts.items()
    }
    for power in game.powers_to_order:
        if adjustments_owed(game.board, game.position, Power(power)) < 0:
            gone = [
                str(Disband(unit))
                for unit in game.position.units_of(Power(power))
                if (power, str(unit)) not in left
            ]
            game.order(power, [text for text in gone if text not in game.orders.get(power, ())])


def _read_state(node: Node, phase: str, path: str) -> Request:
    """Return the position in a state as a request."""
    units: dict[str, list[object]] = {}
    for power, texts in node["units"].entries():
        units[power.word()] = [
            text.value for text in texts.items() if not str(text.value).startswith("*")
        ]
    parts: Json = {"phase": phase, "units": units, "centers": node["centers"].value}
    if phase.endswith("R"):
        parts["dislodged"] = {
            power.word(): dict(places.value)
            for power, places in node["retreats"].entries()
            if isinstance(places.value, Mapping) and places.value
        }
    try:
        return read_request(parts, only_standard)
    except ValueError as error:
        raise ExchangeError(f"{path}.{error}") from error


def _read_orders(node: Node) -> dict[str, list[str]]:
    """Return the orders by power; a power without orders may have null."""
    orders: dict[str, list[str]] = {}
    for power, texts in node.entries():
        if not texts.is_null():
            orders[power.word()] = [text.text() for text in texts.items() if text.text()]
    return orders


def _require_same(game: Game, position: Position, path: str, parts: Iterable[str]) -> None:
    """Raise `ExchangeError` unless the game has reached `position`."""
    now, then = position_to_request(game.position), position_to_request(position)
    for part in parts:
        if now[part] != then[part]:
            raise ExchangeError(
                f"{path}.{part}: the orders before it lead to another position: "
                f"{json.dumps(now[part])[:200]}"
            )
