"""Rows to judge values and back."""

import datetime as dt
from collections.abc import Iterable

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games.deadlines import Lengths
from diplomaccloud.games.models import Game, OrderRow, Phase
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec import (
    order_from_json,
    position_from_json,
    resolution_from_json,
    rules_from_json,
)
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.maps.library import find_chart


def chart_of(game: Game) -> Chart:
    """Return the map the game is played on."""
    return find_chart(game.chart.content_hash)


def board_of(game: Game) -> Board:
    """Return the board the game is played on."""
    return chart_of(game).board


def rules_of(game: Game) -> RuleSet:
    """Return the game's rule set."""
    return rules_from_json(game.rules)


def lengths_of(game: Game) -> Lengths:
    """Return how long each stage may take."""
    return Lengths(
        movement=dt.timedelta(seconds=game.movement_seconds),
        retreats=dt.timedelta(seconds=game.retreat_seconds),
        adjustments=dt.timedelta(seconds=game.build_seconds),
    )


def position_of(phase: Phase) -> Position:
    """Return the position that the phase begins with."""
    return position_from_json(phase.position)


def resolution_of(phase: Phase) -> Resolution:
    """Return what came of a processed phase."""
    return resolution_from_json(phase.results)


def orders_of(rows: Iterable[OrderRow]) -> tuple[Order, ...]:
    """Return the orders of `rows`, in the same sequence."""
    return tuple(order_from_json(row.canonical) for row in rows)


def unit_keys(orders: Iterable[Order]) -> dict[str, Order]:
    """Return each order under what it is for: its unit, or `WAIVE 1` and so on."""
    found: dict[str, Order] = {}
    waived = 0
    for order in orders:
        if isinstance(order, Waive):
            waived += 1
            found[f"WAIVE {waived}"] = order
        else:
            found[str(order.unit)] = order
    return found


def ending_to_json(ending: Ending) -> dict[str, object]:
    """Return the ending as stored with the game."""
    return {"v": 1, "winners": list(ending.winners), "reason": ending.reason}
