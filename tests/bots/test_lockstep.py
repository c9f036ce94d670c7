"""Lockstep is only faster: it gives the same values and games as running them one by one."""

from array import array
from dataclasses import replace

import numpy as np
import pytest

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.arena import choose_orders, play_game, play_games
from diplomaccloud.bots.greedy import net_of, values_of
from diplomaccloud.bots.lockstep import many_values, play_batch
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.kernel.layout import pack_state
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()


def states_by_phase() -> dict[int, list["array[int]"]]:
    """States of random games: they reach crowded, empty and dislodged ones."""
    bots = dict.fromkeys(BOARD.power_info, BOTS["random"])
    found: dict[int, list[array[int]]] = {}
    for game in range(2):
        position = starting_position(BOARD)
        for _ in range(40):
            state = pack_state(BOARD, position)
            found.setdefault(state[1], []).append(state)
            orders = choose_orders(BOARD, position, bots, DEFAULT, f"values {game}")
            position = adjudicate(BOARD, position, orders).next
    return found


def test_many_values_are_the_values_bit_for_bit():
    net, powers = net_of(BOARD), range(7)
    for phase, states in states_by_phase().items():
        rows = [row for row in range(len(states)) for _ in powers]
        found = many_values(
            BOARD, np.array(states, dtype=np.int64), phase, rows, [*powers] * len(states)
        )
        wanted = [values_of(net, state, power) for state in states for power in powers]
        assert found == wanted


@pytest.mark.parametrize(
    "bots", [["greedy"], ["greedy"] * 2, ["dumbbot"], ["random"]], ids=" ".join
)
def test_games_in_lockstep_are_the_games_one_by_one(bots):
    seats = dict.fromkeys(BOARD.power_info, BOTS[bots[0]])
    together = play_games(
        BOARD, [BOTS[name] for name in bots], games=3, until=1907, seed="lockstep"
    )
    singly = [play_game(BOARD, seats, seed=f"lockstep/{i}", until=1907) for i in range(3)]
    assert list(together) == singly


@pytest.mark.parametrize("name", ["greedy", "dumbbot", "random"])
def test_a_won_game_stops_in_lockstep_too(name):
    board = replace(BOARD, victory_centers=7)
    together = list(play_games(board, [BOTS[name]], games=4, until=1908, seed="won"))
    seats = dict.fromkeys(BOARD.power_info, BOTS[name])
    singly = [play_game(board, seats, seed=f"won/{i}", until=1908) for i in range(4)]
    assert together == singly
    assert any(game.ending for game in singly)


def test_no_seed_plays_no_game():
    assert play_batch(BOARD, [], until=1905) == []


def test_units_are_sorted_by_sorting_nodes():
    net = net_of(BOARD)
    texts = [f"{'AF'[code & 1]} {net.table.location_of[code >> 1]}" for code in net.codes]
    assert texts == sorted(texts)
    assert len(texts) == sum(len(BOARD.locations(kind)) for kind in UnitKind)
