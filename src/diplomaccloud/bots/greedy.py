"""The greedy bot: each unit goes where supply centers attract it most, and others support it.

It is our own version of David Norman's DumbBot; see `values` for the attraction and `planner` for
the orders. It never convoys and cannot negotiate, but it is fast and tough on beginners.
"""

import random
from array import array
from collections.abc import Mapping, Sequence

from diplomaccloud.bots.net import NODE_BITS, Net, net_of
from diplomaccloud.bots.planner import (
    Codes,
    nodes_of,
    plan_adjustments,
    plan_moves,
    plan_retreats,
)
from diplomaccloud.bots.values import values_of
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import HEAD, pack_state, pack_unit, read_order
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit


class GreedyBot:
    """Sends each unit to the most valuable place within reach, with a little randomness."""

    name = "greedy"

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,  # noqa: ARG002 required by the protocol
        rng: random.Random,
    ) -> Sequence[Order]:
        """Return the orders of `power`; the same for the same state of `rng`."""
        net, state = net_of(board), pack_state(board, position)
        number = net.table.power_of[power]
        values = values_of(net, state, number)
        match position.phase.stage:
            case Stage.MOVEMENT:
                units = nodes_of(net, state[HEAD : HEAD + net.table.provinces], number)
                return _read_orders(net, state, plan_moves(net, units, values, rng))
            case Stage.RETREATS:
                options = {
                    _find_node(net, dislodged.unit): [
                        _find_node(net, dislodged.unit.at(to)) for to in dislodged.retreats
                    ]
                    for dislodged in position.dislodged_of(power)
                }
                return _read_orders(net, state, plan_retreats(net, options, values, rng))
            case Stage.ADJUSTMENTS:
                orders = _read_orders(net, state, plan_adjustments(net, state, number, values, rng))
                owed = adjustments_owed(board, position, power)
                return orders + [Waive(power)] * (owed - len(orders))


def _find_node(net: Net, unit: Unit) -> int:
    return net.node_of[pack_unit(net.table, unit) & NODE_BITS]


def _read_orders(net: Net, state: "array[int]", planned: Mapping[int, Codes]) -> list[Order]:
    return [
        read_order(net.table, state, *planned[node], net.province[node]) for node in sorted(planned)
    ]
