"""Decides every move, support and convoy of a movement phase.

The equations of DATC 5.B are evaluated on what is known so far: a strength is a range, a
decision is true, false or open. Consequences are decided and never withdrawn, so this
ends after at most as many rounds as there are orders. The orders still open then depend
on each other in a cycle. `paradox` decides at least one of them at a time: by the only solution
if there is just one, otherwise by the rule for circular movement or for paradoxes.

The kernel does the same for the rules of 2000 and 2023, and faster; see `kernel_bridge`.
"""

from collections.abc import Iterable, Set

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.movement.convoy import convoy_state, path_state
from diplomaccloud.judge.movement.kernel_bridge import decide_by_kernel
from diplomaccloud.judge.movement.paradox import resolve_cycle
from diplomaccloud.judge.movement.setup import set_up_movement
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.strengths import move_state
from diplomaccloud.judge.movement.support import support_state
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.rules import ConvoyIntent, RuleSet
from diplomaccloud.judge.units import Unit

_LAND_ROUTE_REMAINS = {ConvoyIntent.SWAP, ConvoyIntent.EITHER_ROUTE}


def resolve(board: Board, rules: RuleSet, orders: Iterable[MovementOrder]) -> MovementState:
    """Return `orders` decided; they must be legal, one for each unit on the board."""
    listed = list(orders)
    overland: Set[Unit] = frozenset()
    while True:
        movement = set_up_movement(board, rules, listed, overland)
        if not decide_by_kernel(movement):
            decide_orders(movement)
        if not may_reroute(rules):
            return movement
        failed = _find_failed_swaps(movement)
        if not failed:
            return movement
        overland |= failed


def may_reroute(rules: RuleSet) -> bool:
    """Return whether an army whose convoy failed may take the land route instead."""
    return rules.land_behind_convoy or rules.convoy_intent in _LAND_ROUTE_REMAINS


def decide_orders(movement: MovementState) -> None:
    """Decide every open order of `movement`."""
    open_moves = [i for i, state in enumerate(movement.move_ok) if state is None]
    open_supports = [i for i, state in enumerate(movement.support_ok) if state is None]
    open_convoys = [i for i, state in enumerate(movement.convoy_ok) if state is None]
    while True:
        before = len(open_moves) + len(open_supports) + len(open_convoys)
        for i in open_supports:
            movement.support_ok[i] = support_state(movement, i)
        for i in open_moves:
            movement.move_ok[i] = move_state(movement, i)
        for i in open_convoys:
            movement.convoy_ok[i] = convoy_state(movement, i)
        open_moves = [i for i in open_moves if movement.move_ok[i] is None]
        open_supports = [i for i in open_supports if movement.support_ok[i] is None]
        open_convoys = [i for i in open_convoys if movement.convoy_ok[i] is None]
        after = len(open_moves) + len(open_supports) + len(open_convoys)
        if not after:
            return
        if after == before:
            resolve_cycle(movement, open_moves, open_supports, open_convoys)


def _find_failed_swaps(movement: MovementState) -> frozenset[Unit]:
    """Return the armies whose convoy to a neighboring province failed."""
    near = movement.board.army_neighbors
    return frozenset(
        unit
        for i, unit in enumerate(movement.units)
        if movement.routes[i] is not None
        and movement.goals[i] in near[movement.provinces[i]]
        and not path_state(movement, i)
    )
