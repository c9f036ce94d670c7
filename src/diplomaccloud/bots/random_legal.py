"""The random bot: it may give any legal order, so it exercises every corner of the rules."""

import random
from array import array
from collections.abc import Sequence
from hashlib import blake2b
from itertools import groupby

from diplomaccloud.bots.batched_games import name_phase
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.batch import random_orders
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENTS,
    HEAD,
    PHASE,
    RETREAT_PHASES,
    YEAR,
    pack_state,
    read_order,
    width,
)
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Build, Disband, Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet


class RandomBot:
    """Chooses one of each unit's legal orders at random, with equal probability."""

    name = "random"

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,  # noqa: ARG002 required by the protocol
        rng: random.Random,
    ) -> Sequence[Order]:
        """Return one random legal order per unit, or as many adjustments as are owed."""
        legal = legal_orders(board, position, power)
        if position.phase.stage is Stage.ADJUSTMENTS:
            return _choose_adjustments(legal, adjustments_owed(board, position, power), power, rng)
        by_unit = groupby(
            (order for order in legal if not isinstance(order, Waive)), key=lambda o: o.unit
        )
        return [rng.choice(list(choices)) for _, choices in by_unit]


def _choose_adjustments(
    legal: Sequence[Order], owed: int, power: Power, rng: random.Random
) -> Sequence[Order]:
    if owed < 0:
        return rng.sample([order for order in legal if isinstance(order, Disband)], -owed)
    builds = [order for order in legal if isinstance(order, Build)]
    rng.shuffle(builds)
    one_per_province = {order.unit.province: order for order in builds}
    chosen = list(one_per_province.values())[:owed]
    return [*chosen, *[Waive(power)] * (owed - len(chosen))]


def draw_random_orders(board: Board, rows: "array[int]", seeds: Sequence[str]) -> "array[int]":
    """Return random order rows for all powers; each state has a row and a seed."""
    size = width(table_of(board))
    drawn = array(
        "Q",
        [
            _hash_seed(seed, rows[at + PHASE], rows[at + YEAR])
            for seed, at in zip(seeds, range(0, len(rows), size), strict=True)
        ],
    )
    return random_orders(board, rows, drawn)


def draw_orders(board: Board, position: Position, seed: str) -> list[Order]:
    """Return random legal orders for all powers, as drawn in a game with this seed."""
    table, state = table_of(board), pack_state(board, position)
    row = draw_random_orders(board, state, [seed])
    size = table.provinces
    block = HEAD + (size if state[PHASE] in RETREAT_PHASES else 0)
    return [
        read_order(table, state, row[here], row[size + here], row[2 * size + here], here)
        for here in range(size)
        if row[here] or (state[PHASE] != ADJUSTMENTS and state[block + here] >= 0)
    ]


def _hash_seed(seed: str, phase: int, year: int) -> int:
    """Return the kernel's seed for one phase of a game."""
    text = f"{seed}/{name_phase(phase, year)}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
