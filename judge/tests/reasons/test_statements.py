"""The reasons that the kernel finds are those of the general resolver."""

import random
import sys
from array import array
from string import Formatter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge.tests.kernel.kernels import EVERY_BOARD, SEEDS, board_called, each_kernel
from judge.tests.oracle_run import RULES
from judge.tests.scenes import random_knot, random_orders, random_position

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.core import codes
from diplomaccloud.judge.kernel.layout import OUTCOMES
from diplomaccloud.judge.kernel.selection import Kernel
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.messages.catalog import MESSAGES
from diplomaccloud.judge.messages.forms import Plural
from diplomaccloud.judge.movement.convoy import settle_routes
from diplomaccloud.judge.movement.resolver import decide_orders
from diplomaccloud.judge.movement.setup import set_up_movement
from diplomaccloud.judge.orders import Hold, MovementOrder
from diplomaccloud.judge.reasons.results import ResultMaker
from diplomaccloud.judge.reasons.statements import STATEMENTS, Phrasebook
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.rules import RuleSet


def _explain(
    one: Kernel, board: Board, rules: RuleSet, orders: list[MovementOrder]
) -> tuple[OrderResult, ...]:
    """Return what a kernel says about the orders, with an empty store."""
    table = table_of(board)
    book = Phrasebook(table)
    units = [order.unit for order in orders]
    number = find_support(rules).number
    results = one.explain_orders(table, units, orders, number, book.known, book.explain_row)
    assert results is not None
    return results


def _explain_slowly(
    board: Board, rules: RuleSet, orders: list[MovementOrder]
) -> tuple[OrderResult, ...]:
    """Return what the general resolver says, without any kernel."""
    movement = set_up_movement(board, rules, orders)
    decide_orders(movement)
    settle_routes(movement)
    return ResultMaker(movement).make_results()


@each_kernel
@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, name=EVERY_BOARD, rules=st.sampled_from(sorted(RULES)))
def test_the_kernel_gives_the_reasons_of_the_general_resolver(
    one: Kernel, seed: int, name: str, rules: str
) -> None:
    rng = random.Random(seed)
    board = board_called(name)
    if name == "standard" and rng.random() < 0.5:
        orders = random_knot(board, rng)
    else:
        position = random_position(board, rng, rng.randint(10, 45), powers=rng.choice([2, 3, 7]))
        orders = random_orders(board, position, rng)
    found = _explain(one, board, RULES[rules], orders)
    wanted = _explain_slowly(board, RULES[rules], orders)
    for mine, other in zip(found, wanted, strict=True):
        assert mine == other
        assert mine.message == other.message


@each_kernel
def test_a_unit_without_an_order_holds(one: Kernel) -> None:
    board = board_called("standard")
    table = table_of(board)
    rng = random.Random(3)
    units = random_position(board, rng, 4).units
    book = Phrasebook(table)
    given_orders = [Hold(units[0]), None, Hold(units[2])]
    explained = one.explain_orders(table, units, given_orders, 0, book.known, book.explain_row)
    assert explained is not None
    assert [result.implicit for result in explained] == [False, True, False, True]
    assert [result.order for result in explained] == [Hold(unit) for unit in units]


@each_kernel
def test_orders_for_other_units_are_not_explained(one: Kernel) -> None:
    board = board_called("standard")
    table = table_of(board)
    units = random_position(board, random.Random(3), 4).units
    book = Phrasebook(table)
    foreign = [Hold(units[3])]
    arguments = table, units[:3], foreign, 0, book.known, book.explain_row
    assert one.explain_orders(*arguments) is None


@each_kernel
def test_equal_rows_are_put_into_words_once(one: Kernel) -> None:
    board = board_called("standard")
    rng = random.Random(8)
    position = random_position(board, rng, 30)
    orders = random_orders(board, position, rng)
    table = table_of(board)
    rows: list[bytes] = []
    known: dict[bytes, tuple[object, object, tuple[object, ...]]] = {}

    def explain_row(row: bytes) -> tuple[object, object, tuple[object, ...]]:
        rows.append(row)
        known[row] = OUTCOMES[array("i", row)[0]], "", ()
        return known[row]

    for _ in range(2):
        one.explain_orders(table, position.units, orders, 0, known, explain_row)
    assert len(rows) == len(set(rows)) > 10


def test_no_more_rows_are_stored_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[Phrasebook.__module__]
    monkeypatch.setattr(module, "_MAX_STORED", 3)
    book = Phrasebook(table_of(board_called("standard")))
    for place in range(8):
        book.explain_row(array("i", [0, codes.SAY_HELD, place, 0]).tobytes())
        assert len(book.known) <= 3


def test_every_statement_has_a_sentence_with_its_parameters() -> None:
    numbers = {value for name, value in vars(codes).items() if name.startswith("SAY_")}
    assert set(STATEMENTS) == numbers == set(range(len(numbers)))
    for key, *names in STATEMENTS.values():
        sentence = MESSAGES[key]
        texts = (sentence.one, sentence.other) if isinstance(sentence, Plural) else (sentence,)
        for text in texts:
            used = {name for _, name, _, _ in Formatter().parse(text) if name}
            assert used <= set(names), key
