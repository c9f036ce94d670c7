"""Decides every move, support and convoy of a battle.

The equations of DATC 5.B are evaluated on what is known so far: a strength is a range, a
decision is true, false or open. Whatever follows is decided and never taken back, so this
comes to an end after at most as many rounds as there are orders. What is open then depends
on itself; `paradox` decides at least one order of it at a time, by its only solution if there
is just one, otherwise by the rule for circular movement or for paradoxes.

The kernel does the same for the rules of 2000 and 2023, and faster; see `fast`.
"""

from collections.abc import Iterable, Set

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.movement.convoy import convoy_state, path_state
from diplomaccloud.judge.movement.kernel_bridge import decide_by_kernel
from diplomaccloud.judge.movement.paradox import settle_circle
from diplomaccloud.judge.movement.setup import set_up
from diplomaccloud.judge.movement.state import Battle
from diplomaccloud.judge.movement.strengths import move_state
from diplomaccloud.judge.movement.support import support_state
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.rules import ConvoyIntent, RuleSet
from diplomaccloud.judge.units import Unit

_LAND_BEHIND = {ConvoyIntent.SWAP, ConvoyIntent.EITHER_ROUTE}


def resolve(board: Board, rules: RuleSet, orders: Iterable[MovementOrder]) -> Battle:
    """Return the decided battle of `orders`: legal ones, one for each unit on the board."""
    listed = list(orders)
    overland: Set[Unit] = frozenset()
    while True:
        battle = set_up(board, rules, listed, overland)
        if not decide_by_kernel(battle):
            decide(battle)
        if not (rules.land_behind_convoy or rules.convoy_intent in _LAND_BEHIND):
            return battle
        sunk = _swaps_that_failed(battle)
        if not sunk:
            return battle
        overland |= sunk


def decide(battle: Battle) -> None:
    """Decide all that is open in `battle`."""
    open_moves = [i for i, state in enumerate(battle.moves) if state is None]
    open_supports = [i for i, state in enumerate(battle.given) if state is None]
    open_convoys = [i for i, state in enumerate(battle.sails) if state is None]
    while True:
        before = len(open_moves) + len(open_supports) + len(open_convoys)
        for i in open_supports:
            battle.given[i] = support_state(battle, i)
        for i in open_moves:
            battle.moves[i] = move_state(battle, i)
        for i in open_convoys:
            battle.sails[i] = convoy_state(battle, i)
        open_moves = [i for i in open_moves if battle.moves[i] is None]
        open_supports = [i for i in open_supports if battle.given[i] is None]
        open_convoys = [i for i in open_convoys if battle.sails[i] is None]
        after = len(open_moves) + len(open_supports) + len(open_convoys)
        if not after:
            return
        if after == before:
            settle_circle(battle, open_moves, open_supports, open_convoys)


def _swaps_that_failed(battle: Battle) -> frozenset[Unit]:
    """Return the armies whose convoy to a neighbouring province broke."""
    near = battle.board.army_neighbors
    return frozenset(
        unit
        for i, unit in enumerate(battle.units)
        if battle.routes[i] is not None
        and battle.goals[i] in near[battle.provinces[i]]
        and not path_state(battle, i)
    )
