"""The policy compiled and as Python: the same orders, values and games for the same seeds."""

import random
import re
import shutil
from array import array
from pathlib import Path

import pytest
from judge.tests.effort import examples
from judge.tests.grids import grid_board
from tests.bots.kernels import COMPILED, PYTHON
from tests.bots.policies import (
    EUROPE,
    draw_seeds,
    free_orders,
    generated_board,
    play_states,
    split_states,
)

from diplomaccloud.bots import kernel
from diplomaccloud.bots.kernel import BotKernel
from diplomaccloud.bots.kernel.core.doubles import CHANCES
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel import sources
from diplomaccloud.judge.kernel.table import table_of

pytestmark = pytest.mark.skipif(COMPILED is None, reason="not compiled: run scripts/kernel")
MAPS = range(9 * examples.times)


def test_a_build_with_other_rules_of_the_judge_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rules, here = tmp_path / "judge", tmp_path / "bots"
    shutil.copytree(sources.KERNEL / sources.CORE, rules / sources.CORE)
    shutil.copytree(kernel.HERE / sources.CORE, here / sources.CORE)
    (here / sources.BUILD).mkdir()
    digest = sources.compute_digest(here / sources.CORE, rules / sources.CORE)
    (here / sources.BUILD / sources.DIGEST).write_text(digest)
    monkeypatch.setattr(kernel, "HERE", here)
    monkeypatch.setattr(sources, "KERNEL", rules)
    assert kernel.choose_kernel().name == "compiled"
    (rules / sources.CORE / "movement.py").write_text("# Other rules.")
    assert kernel.choose_kernel().name == "python"
    with pytest.raises(ImportError, match="out of date: run scripts/kernel"):
        kernel.choose_kernel("compiled")


def test_chances_in_c_are_those_of_python() -> None:
    text = (kernel.HERE / sources.CORE / "doubles.pxd").read_text()
    assert re.findall(r"CHANCES = (\d+)", text) == [str(CHANCES)]


def choose(one: BotKernel, board: Board, states: "array[int]", seed: int, heat: float) -> object:
    table, rng = table_of(board), random.Random(seed)
    count = len(split_states(board, states))
    seeds = draw_seeds(rng, count * len(table.powers))
    orders = array("i", [-7]) * (count * 3 * table.provinces)
    one.choose_orders(table, states, seeds, orders, heat, rng.choice([5.0, 1.0, 0.3]))
    values = array("d", [-7.0]) * (count * len(table.powers))
    one.measure_states(table, states, values)
    return orders, seeds, values


def sample(one: BotKernel, board: Board, state: "array[int]", seed: int) -> object:
    """Sample orders of a power, some of whose units have any orders."""
    table, rng = table_of(board), random.Random(seed)
    drawn = batch.random_orders(state, draw_seeds(rng, 1), board)
    forced, size = free_orders(board), table.provinces
    for here in range(size):
        if rng.random() < 0.3:
            forced[here::size] = drawn[here::size]
    seeds = draw_seeds(rng, 3)
    orders = array("i", [-7]) * (3 * 3 * size)
    power = rng.randrange(len(table.powers))
    truces = array("i", [int(rng.random() < 0.2) for _ in range(len(table.powers) ** 2)])
    one.sample_orders(table, state, power, forced, seeds, orders, 0.8, 5.0, truces)
    return orders, seeds


def compare_on(board: Board, games: int, phases: int) -> None:
    for number, states in enumerate(play_states(board, games, phases, seed=3)):
        heat = (0.5, 0.9, 0.0)[number % 3]
        assert choose(PYTHON, board, states, number, heat) == choose(
            COMPILED, board, states, number, heat
        )
        state = split_states(board, states)[number % games]
        assert sample(PYTHON, board, state, number) == sample(COMPILED, board, state, number)


@pytest.mark.long
def test_both_agree_on_six_hundred_positions_of_europe() -> None:
    compare_on(EUROPE, 10, 60)


@pytest.mark.long
@pytest.mark.parametrize("number", MAPS)
def test_both_agree_on_a_hundred_positions_of_a_generated_map(number: int) -> None:
    compare_on(generated_board(number), 2, 50)


def test_both_agree_on_a_board_of_more_provinces_than_a_word_has_bits() -> None:
    compare_on(grid_board(16, 12), 2, 10)


def test_both_play_the_same_games() -> None:
    table, start = table_of(EUROPE), batch.start(1, EUROPE)
    played = []
    for one in (PYTHON, COMPILED):
        states, seeds = batch.start(2, EUROPE), array("Q", range(14))
        one.play_policy(table, states, seeds, 120, start, 0.5, 5.0)
        played.append((states, seeds))
    assert played[0] == played[1]
    assert played[0][0] != start * 2


def test_the_compiled_policy_never_writes_beyond_an_array() -> None:
    table, state = table_of(EUROPE), batch.start(1, EUROPE)
    short, seeds = array("i", [0]), array("Q", range(7))
    free, style = free_orders(EUROPE), (0.5, 5.0)
    with pytest.raises(ValueError, match="too short"):
        COMPILED.choose_orders(table, state, seeds, short, *style)
    with pytest.raises(ValueError, match="too short"):
        COMPILED.choose_orders(table, state, seeds[:6], free, *style)
    for lacking in range(3):
        given = [state, 0, free, seeds[:1], array("i", free)]
        given[(0, 2, 4)[lacking]] = short
        with pytest.raises(ValueError, match="too short"):
            COMPILED.sample_orders(table, *given, *style)
    with pytest.raises(ValueError, match="too short"):
        COMPILED.choose_orders(table, state, seeds, free, *style, short)
    with pytest.raises(ValueError, match="too short"):
        COMPILED.measure_states(table, state, array("d", [0.0]))
    with pytest.raises(ValueError, match="too short"):
        COMPILED.play_policy(table, state, seeds[:1], 1, state, *style)
    with pytest.raises(ValueError, match="'d' is needed"):
        COMPILED.measure_states(table, state, array("Q", range(7)))
