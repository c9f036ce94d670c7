"""Decides whether bots with a level agree to a draw."""

from array import array

from diplomaccloud.bots.policy import measure_states
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import pack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.position import Position

STALE_YEARS = 3
"""If no center has changed hands for this many years, bots agree to any draw."""


def accepts_draw(
    board: Board, position: Position, power: Power, *, sharing: int, is_stale: bool
) -> bool:
    """Return whether a bot agrees to a draw among `sharing` players.

    It does if the game is stale, or if its share is worth more than its position.
    """
    if is_stale or sharing < 1:
        return True
    values: array[float] = measure_states(board, pack_state(board, position))
    return 1 / sharing > values[table_of(board).power_of[power]]
