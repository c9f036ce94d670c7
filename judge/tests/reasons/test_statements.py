"""The reasons that the kernel finds, and their messages."""

import random
import sys
from array import array
from dataclasses import replace
from string import Formatter

import pytest
from judge.tests.kernel.kernels import Kernel, board_called, each_kernel
from judge.tests.scenes import random_orders, random_position
from judge.tests.shorthand import play, result

from diplomaccloud.judge.kernel.core import codes
from diplomaccloud.judge.kernel.layout import OUTCOMES
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.messages.catalog import MESSAGES, Plural
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.reasons.statements import STATEMENTS, Phrasebook
from diplomaccloud.judge.rules import DEFAULT, ConvoyIntent, Paradox


@each_kernel
def test_a_unit_without_an_order_holds(one: Kernel) -> None:
    board = board_called("standard")
    units = random_position(board, random.Random(3), 4).units
    book = Phrasebook(table_of(board))
    given_orders = [Hold(units[0]), None, Hold(units[2])]
    explained = one.explain_orders(
        board, units, given_orders, DEFAULT, book.known, book.explain_row
    )
    assert explained is not None
    assert [result.implicit for result in explained] == [False, True, False, True]
    assert [result.order for result in explained] == [Hold(unit) for unit in units]


@each_kernel
def test_orders_for_other_units_are_not_explained(one: Kernel) -> None:
    board = board_called("standard")
    units = random_position(board, random.Random(3), 4).units
    book = Phrasebook(table_of(board))
    foreign = [Hold(units[3])]
    arguments = board, units[:3], foreign, DEFAULT, book.known, book.explain_row
    assert one.explain_orders(*arguments) is None


@each_kernel
def test_equal_rows_are_put_into_words_once(one: Kernel) -> None:
    board = board_called("standard")
    rng = random.Random(8)
    position = random_position(board, rng, 30)
    orders = random_orders(board, position, rng)
    rows: list[bytes] = []
    known: dict[bytes, tuple[object, object, tuple[object, ...]]] = {}

    def explain_row(row: bytes) -> tuple[object, object, tuple[object, ...]]:
        rows.append(row)
        known[row] = OUTCOMES[array("i", row)[0]], "", ()
        return known[row]

    for _ in range(2):
        one.explain_orders(board, position.units, orders, DEFAULT, known, explain_row)
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


@pytest.mark.parametrize("rule", [Paradox.RULE_1971, Paradox.RULE_1982, Paradox.RULE_2000])
def test_a_support_is_cut_by_an_army_that_could_have_walked(rule: Paradox) -> None:
    """Its attack does not need the convoy, so no printed rule spares the support."""
    told = result(
        play(
            "ENGLAND: A SPA - MAR VIA\nFRANCE: F LYO C A SPA - MAR\n"
            "ITALY: F MAR S F TUS - LYO, F TUS - LYO",
            replace(DEFAULT, paradox=rule, convoy_intent=ConvoyIntent.EITHER_ROUTE),
        ),
        "F MAR",
    )
    assert told.why == "Support cut by the attack of England’s army from Spain."
    assert told.by == ("SPA",)
