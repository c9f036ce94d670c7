"""Orders of searches in whole games: none is void, no two own units collide, none is waived.

A thousand orders in the checks, ten thousand in `scripts/long-trials bots`.
"""

from collections import Counter
from itertools import combinations

import pytest
from judge.tests.effort import examples
from tests.bots.policies import EUROPE, generated_board

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.arena import play_game
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.judge.board import Board, province_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Move,
    Order,
    Retreat,
    SupportHold,
    Waive,
    power_of,
)
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Outcome, Resolution


def find_slips(
    board: Board, position: Position, orders: tuple[Order, ...], resolution: Resolution
) -> list[str]:
    """Return the orders that are useless, or that conflict with another of the same power."""
    moving = {order.unit.location for order in orders if isinstance(order, Move)}
    carried = {order.target for order in orders if isinstance(order, Convoy)}
    slips = [
        f"{result.order}: {result.outcome}"
        for result in resolution.results
        if result.outcome is Outcome.VOID
        or (result.outcome is Outcome.NOPATH and result.order.unit not in carried)
    ]
    for order in orders:
        if isinstance(order, SupportHold) and order.target.location in moving:
            slips.append(f"{order}: moves away")
        if isinstance(order, Waive):
            builds = legal_orders(board, position, order.power)
            built = {each.unit.province for each in orders if isinstance(each, Build)}
            if any(isinstance(each, Build) and each.unit.province not in built for each in builds):
                slips.append(str(order))
    moves = [order for order in orders if isinstance(order, Move | Retreat)]
    for first, second in combinations(moves, 2):
        if power_of(first) == power_of(second) and province_of(first.to) == province_of(second.to):
            slips.append(f"{first} and {second}")
    return slips


@pytest.mark.parametrize("number", [-1, pytest.param(5, marks=pytest.mark.long)])
def test_searches_make_no_slips(number: int) -> None:
    board = EUROPE if number < 0 else generated_board(number)
    wanted = 500 * examples.times if not SLOW_KERNEL else 60
    found: list[str] = []
    counts: Counter[str] = Counter()

    def watch(phase: tuple[Position, tuple[Order, ...], Resolution]) -> None:
        counts.update(type(order).__name__ for order in phase[1])
        found.extend(f"{phase[0].phase}: {slip}" for slip in find_slips(board, *phase))

    bots = dict.fromkeys(board.power_info, find_bot("search:40"))
    game = 0
    while counts.total() < wanted:
        years = 8 if not SLOW_KERNEL else 1
        until = board.first_year + years - 1
        play_game(board, bots, seed=f"slips {game}", until=until, watch=watch)
        game += 1
    assert counts["SupportMove"] > 0
    assert found == []
