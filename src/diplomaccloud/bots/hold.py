"""The hold bot: a baseline for other bots, and a stand-in for an absent player."""

import random
from collections.abc import Sequence

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Disband, Hold, Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet


class HoldBot:
    """Holds, disbands dislodged units, builds nothing, and disbands its last units if it must."""

    name = "hold"

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,  # noqa: ARG002 required by the protocol
        rng: random.Random,  # noqa: ARG002 required by the protocol
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
