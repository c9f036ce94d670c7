"""Boards, rules and positions from the API's answers."""

from collections.abc import Mapping
from typing import Any

from diplomaccloud.atlas.board_loader import board_from_data
from diplomaccloud.client.values import GameState
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec.values import VERSION, position_from_json
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet


def read_board(map_: Mapping[str, Any]) -> Board:
    """Return the board of a map; raise `ValueError` if this version cannot read it."""
    return board_from_data(map_)


def read_rules(game: GameState) -> RuleSet:
    """Return the rules of a game, or the default rules if their name is unknown.

    The bot uses them only to choose good orders. The site decides which orders are legal.
    """
    return EDITIONS.get(game.rules, DEFAULT)


def read_position(game: GameState) -> Position:
    """Return the position of a game; raise `ValueError` if it has not started."""
    if game.phase is None:
        raise ValueError(f"the game {game.id} has not started")
    board = game.board
    return position_from_json(
        {
            "v": VERSION,
            "phase": game.phase.name,
            "units": [_read_unit(unit.unit, unit.power) for unit in board.units],
            "centers": dict(board.centers),
            "dislodged": [
                {
                    "unit": _read_unit(entry.unit, entry.power),
                    "by": entry.attacked_from,
                    "retreats": list(entry.retreats),
                }
                for entry in board.dislodged
            ],
        }
    )


def _read_unit(text: str, power: str) -> list[str]:
    kind, _, location = text.partition(" ")
    return [kind, location, power]
