"""The positions to measure, created from fixed seeds."""

import random
from array import array
from dataclasses import dataclass

from judge.tests.grids import grid_board
from judge.tests.scenes import random_orders, random_position

from diplomaccloud.judge import Board, Position, batch, legal_orders, standard_board
from diplomaccloud.judge.kernel.core.codes import HEAD
from diplomaccloud.judge.kernel.layout import pack_orders, pack_state, read_order, unpack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import MovementOrder

STANDARD = standard_board()

MAX_PROVINCES = 512
"""The most provinces that the kernel supports."""


@dataclass(frozen=True)
class Scene:
    """A movement phase with a legal order for every unit."""

    board: Board
    position: Position
    orders: list[MovementOrder]


def sets(count: int) -> dict[str, list[Scene]]:
    """Return the sets of positions on the standard board, `count` in each."""
    return {
        "random, 22 units": [_scene(seed, 22, coordinated=False) for seed in range(count)],
        "random, 34 units": [_scene(seed, 34, coordinated=False) for seed in range(count)],
        "coordinated, 34 units": [_scene(seed, 34, coordinated=True) for seed in range(count)],
        "from self-play": _self_play(count),
    }


def thirty_units(count: int) -> list[Scene]:
    """Return `count` random positions with 30 units on the standard board."""
    return [_scene(seed, 30, coordinated=False) for seed in range(count)]


def growth(sizes: tuple[int, ...], count: int) -> dict[int, list[Scene]]:
    """Return coordinated positions of each size, of nine powers, on the largest board."""
    board = grid_board(32, MAX_PROVINCES // 32)
    return {
        size: [_scene(seed, size, coordinated=True, board=board) for seed in range(count)]
        for size in sizes
    }


def _scene(seed: int, size: int, *, coordinated: bool, board: Board = STANDARD) -> Scene:
    rng = random.Random(seed)
    position = random_position(board, rng, size, powers=len(board.powers))
    if coordinated:
        return Scene(board, position, random_orders(board, position, rng))
    choices: dict[object, list[MovementOrder]] = {unit: [] for unit in position.units}
    for info in board.powers:
        for order in legal_orders(board, position, info.power):
            choices[order.unit].append(order)
    return Scene(board, position, [rng.choice(listed) for listed in choices.values()])


def _self_play(count: int) -> list[Scene]:
    """Return movement phases of random games, one from each game."""
    table = table_of(STANDARD)
    size = table.provinces
    scenes: list[Scene] = []
    seed = 0
    while len(scenes) < count:
        seed += 1
        state, seeds = batch.start(1, STANDARD), array("Q", [seed])
        batch.play(state, seeds, 5 + seed % 60, STANDARD)
        if state[1] not in {0, 2}:
            continue
        row = batch.random_orders(state, seeds, STANDARD)
        orders = [
            read_order(
                table,
                state,
                row[province],
                row[size + province],
                row[2 * size + province],
                province,
            )
            for province in range(size)
            if state[HEAD + province] >= 0
        ]
        scenes.append(Scene(STANDARD, unpack_state(STANDARD, state), orders))
    return scenes


def rows(scenes: list[Scene]) -> tuple["array[int]", "array[int]"]:
    """Return the scenes as one batch of states and orders."""
    states, orders = array("i"), array("i")
    for scene in scenes:
        states += pack_state(scene.board, scene.position)
        orders += pack_orders(scene.board, scene.orders)
    return states, orders
