"""The random bot: it may give any legal order, so it exercises every corner of the rules."""

import random
from collections.abc import Sequence
from itertools import groupby

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
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
