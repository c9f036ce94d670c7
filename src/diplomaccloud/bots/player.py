"""The `Bot` protocol, and the simplest bots: one that holds, one at random, and DumbBot.

DumbBot, David Norman's bot of 2002, is the usual yardstick for Diplomacy bots. This is our own
implementation of his algorithm; the judge's kernel runs it for all powers at once. It differs from
the greedy bot in three ways: it may disband any unit, most often the weakest; an enemy inside a
center does not add to the danger to that center; and a unit in the way of another is ordered just
before it.
"""

import random
from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Protocol

from diplomaccloud.bots.policy import choose_orders, read_orders, sample_orders
from diplomaccloud.judge import batch
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.core.codes import HEAD, PHASE, YEAR
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENT_PHASES,
    RETREAT_PHASES,
    pack_state,
    read_order,
    width,
)
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Build, Disband, Hold, Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet


class Bot(Protocol):
    """A program that plays. It is a pure function, so a game can be replayed from its seed.

    A bot sees only the public position, never another power's orders.
    """

    name: str

    def orders(
        self, board: Board, position: Position, power: Power, rules: RuleSet, rng: random.Random
    ) -> Sequence[Order]:
        """Return legal orders for every unit of `power` that needs one in this phase."""
        ...


class HoldBot:
    """Holds, disbands dislodged units, builds nothing, and disbands its last units if it must.

    It is a baseline for other bots, and a stand-in for an absent player.
    """

    name = "hold"

    def orders(
        self, board: Board, position: Position, power: Power, rules: RuleSet, rng: random.Random
    ) -> Sequence[Order]:
        """Return the orders that change as little as possible."""
        match position.phase.stage:
            case Stage.MOVEMENT:
                return [Hold(unit) for unit in position.units_of(power)]
            case Stage.RETREATS:
                return [Disband(dislodged.unit) for dislodged in position.dislodged_of(power)]
            case Stage.ADJUSTMENTS:
                owed = adjustments_owed(board, position, power)
                if owed >= 0:
                    return [Waive(power)] * owed
                return [Disband(unit) for unit in position.units_of(power)[:-owed]]


class RandomBot:
    """Chooses one of each unit's legal orders at random, so it exercises every corner of the rules.

    All orders of a unit are equally likely.
    """

    name = "random"

    def orders(
        self, board: Board, position: Position, power: Power, rules: RuleSet, rng: random.Random
    ) -> Sequence[Order]:
        """Return one random legal order per unit, or as many adjustments as are owed."""
        legal = legal_orders(board, position, power)
        if position.phase.stage is not Stage.ADJUSTMENTS:
            of_units = (order for order in legal if not isinstance(order, Waive))
            by_unit = groupby(of_units, key=lambda order: order.unit)
            return [rng.choice(list(choices)) for _, choices in by_unit]
        owed = adjustments_owed(board, position, power)
        if owed < 0:
            return rng.sample([order for order in legal if isinstance(order, Disband)], -owed)
        builds = [order for order in legal if isinstance(order, Build)]
        rng.shuffle(builds)
        one_per_province = {order.unit.province: order for order in builds}
        chosen = list(one_per_province.values())[:owed]
        return [*chosen, *[Waive(power)] * (owed - len(chosen))]


class DumbBot:
    """Sends each unit to the place that attracts it most, or sometimes to the next best."""

    name = "dumbbot"

    def orders(
        self, board: Board, position: Position, power: Power, rules: RuleSet, rng: random.Random
    ) -> Sequence[Order]:
        """Return the orders of `power`; the same for the same state of `rng`."""
        state, seeds = pack_state(board, position), array("Q", [rng.getrandbits(64)])
        row = sample_orders(board, state, table_of(board).power_of[power], seeds)
        return read_orders(board, position, state, power, row)


_LETTERS = (("S", "M"), ("S", "R"), ("F", "M"), ("F", "R"), ("W", "A"))


def name_phase(phase: int, year: int) -> str:
    """Return the name of a phase, such as `S1901M`, from its numbers in a state."""
    season, stage = _LETTERS[phase]
    return f"{season}{year}{stage}"


def _seed_phases(board: Board, rows: "array[int]", seeds: Sequence[str]) -> Iterator[str]:
    """Yield the seed of the phase of each state, from the seed of its game."""
    for seed, at in zip(seeds, range(0, len(rows), width(table_of(board))), strict=True):
        yield f"{seed}/{name_phase(rows[at + PHASE], rows[at + YEAR])}"


def draw_dumbbot_orders(board: Board, rows: "array[int]", seeds: Sequence[str]) -> "array[int]":
    """Return DumbBot's order rows for all powers; each state has a row and a seed.

    They are the same orders as from one bot for each power.
    """
    drawn = [
        random.Random(f"{seed}/{power}").getrandbits(64)
        for seed in _seed_phases(board, rows, seeds)
        for power in table_of(board).powers
    ]
    return choose_orders(board, rows, array("Q", drawn))


def draw_random_orders(board: Board, rows: "array[int]", seeds: Sequence[str]) -> "array[int]":
    """Return random order rows for all powers; each state has a row and a seed."""
    digests = (blake2b(s.encode(), digest_size=8) for s in _seed_phases(board, rows, seeds))
    drawn = array("Q", [int.from_bytes(each.digest()) for each in digests])
    return batch.random_orders(rows, drawn, board)


def draw_orders(board: Board, position: Position, seed: str) -> list[Order]:
    """Return random legal orders for all powers, as drawn in a game with this seed."""
    table, state = table_of(board), pack_state(board, position)
    row = draw_random_orders(board, state, [seed])
    size = table.provinces
    block = HEAD + (size if state[PHASE] in RETREAT_PHASES else 0)
    return [
        read_order(
            table, state, row[province], row[size + province], row[2 * size + province], province
        )
        for province in range(size)
        if row[province] or (state[PHASE] not in ADJUSTMENT_PHASES and state[block + province] >= 0)
    ]


def score_centers(centers: Mapping[Power, int], winner: Power | None, power: Power) -> float:
    """Return the sum-of-squares score of `power`: its share of squares, or 1 for a solo."""
    if winner is not None:
        return float(power == winner)
    return centers[power] ** 2 / (sum(count**2 for count in centers.values()) or 1)
