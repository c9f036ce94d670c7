"""Boards and positions on which the policy is tried."""

import random
from array import array
from collections.abc import Iterator

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.bots import policy
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.layout import pack_state, width
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.standard.europe import standard_board

EUROPE = standard_board()


def generated_board(number: int) -> Board:
    """Return one of many generated boards, of two to ten powers."""
    return make_chart(f"policy {number}", 2 + number % 9).board


def draw_seeds(rng: random.Random, count: int) -> "array[int]":
    """Return states for the kernel's random numbers."""
    return array("Q", [rng.getrandbits(64) for _ in range(count)])


def free_orders(board: Board) -> "array[int]":
    """Return an order row that leaves every unit free."""
    size = len(board.provinces)
    return array("i", [-1]) * size + array("i", [0]) * (2 * size)


def play_states(board: Board, games: int, phases: int, seed: int) -> Iterator["array[int]"]:
    """Yield, phase by phase, the states of games between bots that play well and at random."""
    rng, powers = random.Random(seed), len(board.powers)
    states, deep = batch.start(games, board), 3 * len(board.provinces)
    for _ in range(phases):
        yield states
        chosen = policy.choose_orders(board, states, draw_seeds(rng, games * powers))
        drawn = batch.random_orders(states, draw_seeds(rng, games), board)
        for n in range(games):
            if rng.random() < 0.2:
                chosen[n * deep : (n + 1) * deep] = drawn[n * deep : (n + 1) * deep]
        states = batch.adjudicate(states, chosen, board=board).states


def split_states(board: Board, states: "array[int]") -> list["array[int]"]:
    """Return the states of a batch one by one."""
    wide = width(table_of(board))
    return [states[at : at + wide] for at in range(0, len(states), wide)]


def sample_once(
    position: Position, power: str, seeds: int, **options: object
) -> list["array[int]"]:
    """Return the order rows of a power in Europe, one for each of many seeds."""
    number = table_of(EUROPE).power_of[power]
    drawn = draw_seeds(random.Random(1), seeds)
    rows = policy.sample_orders(EUROPE, pack_state(EUROPE, position), number, drawn, **options)
    deep = 3 * len(EUROPE.provinces)
    return [rows[at : at + deep] for at in range(0, len(rows), deep)]
