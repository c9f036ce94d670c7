"""Decides every move, support and convoy of a movement phase.

The equations of DATC 5.B are evaluated with what is known so far: a strength is a range, and a
decision is true, false or open. Decisions are never withdrawn, so there are at most as many rounds
as orders. Orders that are still open then depend on each other in a cycle. `paradox` decides at
least one of them at a time: by the solution if there is only one, otherwise by the rule for
circular movement or for paradoxes.

The kernel does the same for the rules of every edition, only faster; see `kernel_bridge`. This
independent implementation handles the boards and switches that the kernel does not support, and
tests compare the two.
"""

from collections.abc import Iterable

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.movement.convoy import convoy_state, settle_routes
from diplomaccloud.judge.movement.kernel_bridge import decide_by_kernel
from diplomaccloud.judge.movement.paradox import resolve_cycle
from diplomaccloud.judge.movement.setup import set_up_movement
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.strengths import move_state
from diplomaccloud.judge.movement.support import support_state
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.rules import RuleSet


def resolve(board: Board, rules: RuleSet, orders: Iterable[MovementOrder]) -> MovementState:
    """Decide `orders`, which must be legal, one for each unit on the board; return the result."""
    movement = set_up_movement(board, rules, orders)
    if not decide_by_kernel(movement):
        decide_orders(movement)
    settle_routes(movement)
    return movement


def decide_orders(movement: MovementState) -> None:
    """Decide every open order of `movement`."""
    open_moves = [i for i, state in enumerate(movement.move_ok) if state is None]
    open_supports = [i for i, state in enumerate(movement.support_ok) if state is None]
    open_convoys = [i for i, state in enumerate(movement.convoy_ok) if state is None]
    while True:
        # Decisions made in a cycle are final.
        open_moves = [i for i in open_moves if movement.move_ok[i] is None]
        open_supports = [i for i in open_supports if movement.support_ok[i] is None]
        open_convoys = [i for i in open_convoys if movement.convoy_ok[i] is None]
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
