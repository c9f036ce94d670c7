"""Games that go on by choices: both kernels do the same, and stay within their arrays."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.kernel.kernels import EVERY_BOARD, SEEDS, board_called
from tests.bots.kernels import COMPILED, PYTHON, each_kernel

from diplomaccloud.bots.kernel import BotKernel
from diplomaccloud.judge import batch
from diplomaccloud.judge.kernel.layout import order_width, width
from diplomaccloud.judge.kernel.table import table_of

COUNT = 3


class Arrays:
    """The arrays of some games, all of them at the start."""

    def __init__(self, board):
        self.table = table_of(board)
        self.states = batch.start(COUNT, board)
        self.start = batch.start(1, board)
        self.orders = array("i", [0]) * (COUNT * order_width(self.table))
        self.finals = array("i", [0]) * (COUNT * width(self.table))
        self.endings = array("i", [0]) * COUNT
        self.firsts = array("i", [0]) * (COUNT * self.table.provinces + 1)
        self.actors = array("i", [0]) * (COUNT * self.table.provinces)
        self.counts = array("i", [0]) * (2 * COUNT * len(self.table.powers))

    def play(self, one, year, most=40):
        lists = self.firsts, self.actors, self.counts
        results = self.finals, self.endings
        given = self.states, self.orders, self.start, year, most
        return one.play_choices(self.table, *given, *results, *lists, 0)

    def list(self, one, most=40):
        return one.list_choices(
            self.table, self.states, most, self.firsts, self.actors, self.counts
        )


@examples(12)
@given(EVERY_BOARD, SEEDS, st.integers(1, 60))
def test_both_kernels_play_the_same_choices(name, seed, most):
    if COMPILED is None:
        pytest.skip("not compiled: run scripts/kernel")
    board = board_called(name)
    played = []
    for one in (PYTHON, COMPILED):
        arrays, seen = Arrays(board), []
        seeds = array("Q", range(seed, seed + COUNT))
        seen.append(arrays.list(one, most))
        for _ in range(12):
            rows = seen[-1][0]
            choices = array("i", [0]) * (COUNT * arrays.table.provinces)
            for at in range(len(choices)):
                if length := arrays.firsts[at + 1] - arrays.firsts[at]:
                    seeds[0] = (seeds[0] * 48271 + 11) % (2**31 - 1)
                    choices[at] = seeds[0] % length
            assert one.read_choices(arrays.table, choices, arrays.firsts, rows, arrays.orders) < 0
            seen.append(arrays.play(one, board.first_year + 1, most))
            seen[-1] += (arrays.states[:], arrays.orders[:], arrays.finals[:], arrays.endings[:])
            seen[-1] += (arrays.firsts[:], arrays.actors[:], arrays.counts[:])
        played.append(seen)
    assert played[0] == played[1]


@each_kernel
def test_a_choice_that_is_not_in_the_list_is_found(one: BotKernel) -> None:
    arrays = Arrays(board_called("standard"))
    rows, cut = arrays.list(one)
    assert not cut
    size = arrays.table.provinces
    place = next(p for p in range(size) if arrays.firsts[p + 1] > arrays.firsts[p])
    empty = next(p for p in range(size) if arrays.firsts[p + 1] == arrays.firsts[p])
    for at, choice in ((place, 1000), (place, -1), (empty, 1), (empty, -1), (2 * size + place, 77)):
        choices = array("i", [0]) * (COUNT * size)
        choices[at] = choice
        found = one.read_choices(arrays.table, choices, arrays.firsts, rows, arrays.orders)
        assert found == at


@each_kernel
def test_numbers_of_lists_that_are_out_of_range_do_no_harm(one: BotKernel) -> None:
    arrays = Arrays(board_called("standard"))
    rows, _cut = arrays.list(one)
    choices = array("i", [0]) * (COUNT * arrays.table.provinces)
    arrays.firsts[5] = 10**9
    arrays.firsts[6] = 2 * 10**9
    assert one.read_choices(arrays.table, choices, arrays.firsts, rows, arrays.orders) >= 0


@each_kernel
def test_arrays_that_are_too_short_are_refused(one: BotKernel) -> None:
    arrays = Arrays(board_called("standard"))
    for name in ("orders", "finals", "endings", "firsts", "actors", "counts"):
        whole = getattr(arrays, name)
        setattr(arrays, name, whole[:-1])
        with pytest.raises(ValueError, match="too short"):
            arrays.play(one, 1901)
        setattr(arrays, name, whole)


@each_kernel
def test_a_state_out_of_range_is_named_and_the_next_batch_is_well(one: BotKernel) -> None:
    arrays = Arrays(board_called("standard"))
    arrays.states[2 * width(arrays.table) + 1] = 9
    with pytest.raises(ValueError, match="state 2"):
        arrays.list(one)
    with pytest.raises(ValueError, match="state 2"):
        arrays.play(one, 1901)
    arrays.states[2 * width(arrays.table) + 1] = 4
    offsets, rows = batch.legal_orders(arrays.states, board_called("standard"))
    assert len(rows) == 4 * offsets[-1]
