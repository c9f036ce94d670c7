"""DumbBot, David Norman's bot of 2002: the usual yardstick for Diplomacy bots.

This is our own implementation of his algorithm; the judge's kernel runs it for all powers at once.
It differs from the greedy bot in three ways: it may disband any unit, most often the weakest; an
enemy inside a center does not add to the danger to that center; and a unit in the way of another
is ordered just before it.
"""

import random
from array import array
from collections.abc import Sequence

from diplomaccloud.bots.batched_games import name_phase
from diplomaccloud.bots.policy import choose_orders, read_orders, sample_orders
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import PHASE, YEAR, pack_state, width
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet


class DumbBot:
    """Sends each unit to the place that attracts it most, or sometimes to the next best."""

    name = "dumbbot"

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,  # noqa: ARG002 required by the protocol
        rng: random.Random,
    ) -> Sequence[Order]:
        """Return the orders of `power`; the same for the same state of `rng`."""
        table, state = table_of(board), pack_state(board, position)
        row = sample_orders(board, state, table.power_of[power], _draw_seeds([rng]))
        return read_orders(board, position, state, power, row)


def draw_dumbbot_orders(board: Board, rows: "array[int]", seeds: Sequence[str]) -> "array[int]":
    """Return DumbBot's order rows for all powers; each state has a row and a seed.

    They are the same orders as from one bot for each power.
    """
    table = table_of(board)
    drawn = array("Q")
    for seed, at in zip(seeds, range(0, len(rows), width(table)), strict=True):
        phase = name_phase(rows[at + PHASE], rows[at + YEAR])
        drawn += _draw_seeds([random.Random(f"{seed}/{phase}/{power}") for power in table.powers])
    return choose_orders(board, rows, drawn)


def _draw_seeds(rngs: Sequence[random.Random]) -> "array[int]":
    return array("Q", [rng.getrandbits(64) for rng in rngs])
