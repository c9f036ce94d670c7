"""What the kernel reads from the board and the calendar: who builds where, and a year's phases.

On `ANYWHERE`, a power may build in every center that it owns; on `SHARED`, also in the home centers
of the next power.
"""

import random
from array import array
from collections.abc import Mapping
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.kernel.kernels import BOARD, SEEDS, Kernel, each_kernel
from judge.tests.scenes import random_position

from diplomaccloud import judge
from diplomaccloud.judge import batch
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.kernel.core.codes import OF_ADJUSTMENTS, OF_MOVES, OF_RETREATS, PHASE, YEAR
from diplomaccloud.judge.kernel.layout import order_width, pack_state, read_order
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import AdjustmentOrder, Build, Disband, power_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import EDITIONS


class Anywhere(Board):
    """A board where a power may build in any center that it owns."""

    @property
    def build_centers(self) -> Mapping[Power, tuple[ProvinceCode, ...]]:
        """Every center, for every power."""
        return dict.fromkeys(self.power_info, self.centers)


class Shared(Board):
    """A board where a power may also build in the home centers of the next power."""

    @property
    def build_centers(self) -> Mapping[Power, tuple[ProvinceCode, ...]]:
        """The home centers of two powers, for each power."""
        homes, powers = self.home_centers, [*self.power_info]
        following = zip(powers, [*powers[1:], powers[0]], strict=True)
        return {power: homes[power] + homes[other] for power, other in following}


PARTS = {field.name: getattr(BOARD, field.name) for field in fields(Board)}
ANYWHERE, SHARED = Anywhere(**PARTS), Shared(**PARTS)
BOARDS = st.sampled_from([ANYWHERE, SHARED])
PARIS_IS_GERMAN = "W1901A GERMANY: A BUR; centers GERMANY: PAR BEL MUN; centers FRANCE: BRE"


def draw_winter(board: Board, seed: int) -> Position:
    """Return a position in which some powers build and some disband."""
    rng = random.Random(seed)
    drawn = random_position(board, rng, rng.randint(0, 20), powers=5)
    return replace(drawn, phase=Phase.parse("W1903A"))


def list_adjustments(board: Board, position: Position) -> list[AdjustmentOrder]:
    """Return the legal builds and disbands of all powers."""
    legal = legal_orders(board, position)
    return [order for order in legal if isinstance(order, Build | Disband)]


@each_kernel
@examples(60)
@given(SEEDS, BOARDS)
def test_the_lists_of_batches_are_those_of_the_judge(one: Kernel, seed: int, board: Board) -> None:
    """And each number in a list stands for a build of the power that owns the center."""
    position = draw_winter(board, seed)
    row, table = pack_state(board, position), table_of(board)
    _, numbers = one.list_batch(table, row)
    read = [
        read_order(table, row, code, target, goal, here)
        for here, code, target, goal in zip(*[iter(numbers)] * 4, strict=True)
    ]
    assert sorted(map(repr, read)) == sorted(map(repr, list_adjustments(board, position)))
    assert all(
        position.centers[order.unit.province] == power_of(order)
        for order in read
        if isinstance(order, Build)
    )


@examples(60)
@given(SEEDS, BOARDS, st.sampled_from([*EDITIONS]), st.booleans())
def test_batches_build_where_the_judge_does(
    seed: int, board: Board, edition: str, as_text: bool
) -> None:
    """Orders given as values or as text, some of them left out."""
    position, rng = draw_winter(board, seed), random.Random(seed)
    orders = list_adjustments(board, position)
    rng.shuffle(orders)
    chosen = {each.unit.province: each for each in orders if rng.random() < 0.8}
    asked = [*chosen.values()]
    packed = [str(each) if as_text else each for each in asked]
    rules = EDITIONS[edition]
    rows = batch.pack_orders([position], [packed], board, rules)
    after = batch.adjudicate(batch.pack([position], board), rows, rules, board, seeds=["lot"])
    alone = adjudicate(board, position, asked, rules, seed="lot")
    assert batch.unpack(after.states, board) == [alone.next]


@each_kernel
@examples(40)
@given(SEEDS, BOARDS)
def test_drawn_builds_are_legal_and_as_many_as_are_due(
    one: Kernel, seed: int, board: Board
) -> None:
    position = draw_winter(board, seed)
    row, table = pack_state(board, position), table_of(board)
    orders = array("i", [0]) * order_width(table)
    one.random_orders(table, row, array("Q", [seed]), orders)
    drawn = [
        read_order(table, row, orders[here], orders[here + size], orders[here + 2 * size], here)
        for size in [table.provinces]
        for here in range(size)
        if orders[here]
    ]
    results = adjudicate(board, position, drawn).results
    assert all(result.succeeded and not result.implicit for result in results)


def test_a_game_builds_outside_the_home_country() -> None:
    game = judge.Game(ANYWHERE, position=PARIS_IS_GERMAN)
    assert {"A PAR", "A BEL", "F BEL", "A MUN"} <= game.legal_orders("GERMANY").keys()
    assert game.order("GERMANY", "build army Paris; F BEL B") == ()
    turn = game.adjudicate()
    assert {*map(str, turn.next.units_of(Power("GERMANY")))} == {"A BUR", "A PAR", "F BEL"}
    standard = judge.Game(position=PARIS_IS_GERMAN)
    assert standard.legal_orders("GERMANY").keys() == {"A MUN", "WAIVE"}


def test_an_illegal_build_is_named_whoever_owns_the_center() -> None:
    position = judge.parse_position(PARIS_IS_GERMAN)
    for text in ("A PAR B", "A MAR B"):
        with pytest.raises(ValueError, match=rf"orders\[0\]: {text}: "):
            batch.pack_orders([position], [[text]])


# The calendar.


@each_kernel
@examples(60)
@given(SEEDS)
def test_a_year_has_the_phases_of_its_table(one: Kernel, seed: int) -> None:
    """With a calendar of one turn, every turn is like Fall, and its phases have other numbers."""
    rng, table = random.Random(seed), table_of(BOARD)
    stages = [OF_MOVES, OF_RETREATS, OF_ADJUSTMENTS]
    short = replace(table, stages=stages, last_turn=0, native={})
    position = random_position(BOARD, rng, 25, powers=4)
    state = pack_state(BOARD, replace(position, phase=Phase.parse("F1903M")))
    seeds = array("Q", [seed])
    for _ in range(4):
        orders = array("i", [0]) * order_width(table)
        one.random_orders(table, state, seeds, orders)
        after, moved = adjudicate_row(one, table, state, orders), state[:]
        moved[PHASE] -= 2
        brief = adjudicate_row(one, short, moved, orders)
        expected = after[:]
        expected[PHASE] = after[PHASE] - 2 if after[PHASE] else 0
        assert brief == expected
        state = after
        state[PHASE] = state[PHASE] or 2
    assert state[YEAR] > 1903


def adjudicate_row(one: Kernel, table: object, state: "array[int]", orders: "array[int]") -> object:
    """Return the state after one phase."""
    after, size = array("i", state), len(orders) // 3
    spare = array("i", [-1]) * size
    one.adjudicate(table, state, orders, after, spare, array("i", spare))
    return after
