"""Words that are not an order: nothing that follows them on their line becomes an order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.shorthand import BOARD

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import parse_pieces, parse_sheet, parse_sheets, parse_unit
from diplomaccloud.judge.notation.words import NOT_NAMES, coast_at, names_of, tokens_of
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position

START = starting_position(BOARD)
FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
WINTER = Position(
    Phase.parse("W1901A"),
    (parse_unit("A GAS", BOARD, FRANCE),),
    {code: FRANCE for code in START.centers if code in ("PAR", "BRE", "MAR")},
)


def read(text: str, position: Position = START, *powers: Power) -> tuple[list[str], list[str]]:
    """Return the orders read as France (or `powers`), and the texts that were refused."""
    pieces = parse_pieces(text, BOARD, position, powers or (FRANCE,))
    orders = [str(piece.orders[0]) for piece in pieces if piece.orders]
    return orders, [piece.text for piece in pieces if piece.error]


NOTHING_READ = [
    "cancel A PAR - BUR",
    "not A PAR - BUR",
    "no A PAR - BUR",
    "never A PAR - BUR",
    "don't A PAR - BUR",
    "do not move A PAR - BUR",
    "ignore: A PAR - BUR",
    "instead of A PAR - BUR, A PAR H",
    "please A PAR - BUR",
    "please, A PAR - BUR",
    "// A PAR - BUR",
    "-- A PAR - BUR",
    "-A PAR - BUR",
    "> A PAR - BUR",
    "/* A PAR - BUR */",
    "<!-- A PAR - BUR -->",
    "<s>A PAR - BUR</s>",
    "<del>A PAR - BUR, A MAR H</del>",
    "[s]A PAR - BUR[/s]",
    "~~A PAR - BUR~~",
    "A\u0336 P\u0336A\u0336R\u0336 -\u0336 B\u0336U\u0336R\u0336",
    "A PAR ↛ BUR",
    "A PAR !- BUR",
    "!A PAR - BUR",
    "! A PAR - BUR",
    "(A PAR - BUR)",
    "if A MUN - BUR then A PAR - BUR",
    "if Germany attacks, A PAR - BUR",
    "if Germany attacks, France: A PAR - BUR",
    "unless MUN moves, A PAR - BUR",
    "unless Germany, A PAR - BUR",
    "A PAR - BUR not",
    "A PAR - BUR unless A MUN - BUR",
    "A PAR - BUR if A MUN - BUR, A MAR H",
    "A PAR - BUR, unless A MUN - BUR",
    "A PAR - BUR, if Germany attacks",
    "A PAR - BUR, or A PAR - GAS",
    "A PAR - BUR, cancel that",
    "A PAR - BUR, no",
    "A PAR - BUR or A PAR - GAS",
    "A PAR - BUR cancel A MAR H",
    "A MAR helps A PAR - BUR",
    "A MAR to help A PAR - BUR",
    "A MAR S not A PAR - BUR",
    "A MAR S, A PAR - BUR",
    "A MAR - not A PAR - BUR",
    "A PAR, not A MAR, - BUR",
    "A not A PAR - BUR",
    "cancel France: A PAR - BUR",
    "not France: A PAR - BUR France: A MAR H",
    "old: A PAR - BUR",
    # DAIDE
    "NOT (FRA AMY PAR) MTO BUR",
    "NOT (SUB ((FRA AMY PAR) MTO BUR))",
    "NOT ((FRA AMY PAR) MTO BUR)",
    "(NOT ((FRA AMY PAR) MTO BUR))",
    "((FRA AMY PAR) NOT MTO BUR)",
    "(FRA AMY PAR) NOT MTO BUR",
    "(FRA AMY PAR) MTO NOT BUR",
    "PRP (XDO ((FRA AMY PAR) MTO BUR))",
    "IFF (XDO ((GER AMY MUN) MTO BUR)) THN ((FRA AMY PAR) MTO BUR)",
    "(FRA AMY PAR) MTO BUR unless MUN moves",
    "(FRA AMY PAR) MTO BUR, unless MUN moves",
    "((FRA AMY PAR) MTO BUR",
    "(FRA AMY PAR) MTO BUR)",
    "((FRA AMY PAR) MTO BUR) not ((FRA AMY MAR) HLD)",
    "cancel ((FRA AMY PAR) MTO BUR) ((FRA AMY MAR) HLD)",
    "SUB NOT ((FRA AMY PAR) MTO BUR)",
    "XXX ((FRA AMY PAR) MTO BUR)",
    # Other programs
    "The army at Paris do not move to Burgundy",
    "The army at Paris not move to Burgundy",
    "Do not move the army at Paris to Burgundy",
    "The army at Paris move to Burgundy if MUN moves",
    "The army at Paris support not hold to Marseilles",
    "The army at Marseilles support move not to Burgundy from Paris",
    "The army at Marseilles support move to Burgundy not from Paris",
    "The army at Marseilles support move to Burgundy from Paris unless MUN moves",
    "A PAR move not via convoy to BUR",
    "A PAR - BUR not by land",
    "A PAR - BUR by land unless MUN moves",
    "A (not PAR) - BUR",
    "A(PAR) (not) - BUR",
    "A(PAR)-BUR unless MUN moves",
    "A PAR (not H)",
    "A PAR (H unless attacked)",
    "A MAR (S if needed) A PAR - BUR",
    "A MAR (S) not A PAR - BUR",
    "A MAR (not S) A PAR - BUR",
    "* not A PAR - BUR",
    "• cancel A PAR - BUR",
    "1. if MUN moves, A PAR - BUR",
]


@pytest.mark.parametrize("text", NOTHING_READ)
def test_no_order_is_read_out_of(text: str) -> None:
    orders, refused = read(text)
    assert orders == []
    assert refused
    sheet = parse_sheet(text, BOARD, START, FRANCE)
    assert sheet.orders == ()
    assert sheet.errors
    assert all(not sheet.orders for sheet in parse_sheets(text, BOARD, START).values())


WINTER_NOTHING_READ = [
    "waive F BRE B",
    "decline A PAR B",
    "build waived F BRE",
    "not F BRE B",
    "cancel build F BRE",
    "F BRE B unless A PAR B",
    "don't build F BRE and A PAR",
    "do not build fleet at Brest",
    "Do not use build order F BRE",
    "Do not use build order. F BRE B",
    "Wait/Postpone build of F BRE",
    "wait for F BRE B",
    "NOT (SUB ((FRA FLT BRE) BLD))",
    "NOT ((FRA FLT BRE) BLD)",
    "(FRA FLT BRE) NOT BLD",
]


@pytest.mark.parametrize("text", WINTER_NOTHING_READ)
def test_nothing_is_built_by(text: str) -> None:
    orders, refused = read(text, WINTER)
    assert orders == []
    assert refused == [text]


STILL_READ = [
    ("1. A PAR - BUR", ["A PAR - BUR"], []),
    ("1) A PAR - BUR\n(2) A MAR H", ["A PAR - BUR", "A MAR H"], []),
    ("a) A PAR - BUR, b) A MAR H", ["A PAR - BUR", "A MAR H"], []),
    ("- A PAR - BUR\n* A MAR H\n• F BRE H", ["A PAR - BUR", "A MAR H", "F BRE H"], []),
    ("France: 1. A PAR - BUR", ["A PAR - BUR"], []),
    ("France: A PAR - BUR", ["A PAR - BUR"], []),
    ("FRANCE\nA PAR - BUR", ["A PAR - BUR"], []),
    ("A PAR - BUR, A MAR S A PAR - BUR", ["A PAR - BUR", "A MAR S A PAR - BUR"], []),
    ("A PAR - BUR and A MAR S A PAR - BUR", ["A PAR - BUR", "A MAR S A PAR - BUR"], []),
    ('"A PAR - BUR!"', ["A PAR - BUR"], []),
    ("A PAR - BUR; not A MAR H", ["A PAR - BUR"], ["not A MAR H"]),
    ("not A MAR H; A PAR - BUR", ["A PAR - BUR"], ["not A MAR H"]),
    ("cancel A MAR H\nA PAR - BUR", ["A PAR - BUR"], ["cancel A MAR H"]),
    (
        "A PAR - BUR, cancel A MAR H, F BRE H",
        ["A PAR - BUR"],
        ["cancel A MAR H, F BRE H"],
    ),
    ("A PAR - BUR, please", ["A PAR - BUR"], ["please"]),
    ("A PAR - XYZ, A MAR H", ["A MAR H"], ["A PAR - XYZ"]),
    ("A PAR - BUR # unless A MUN - BUR", ["A PAR - BUR"], []),
]


@pytest.mark.parametrize(
    ("text", "orders", "refused"), STILL_READ, ids=[text for text, *_ in STILL_READ]
)
def test_other_orders_are_still_read(text: str, orders: list[str], refused: list[str]) -> None:
    assert read(text) == (orders, refused)


WORDS_NAMED = [
    ("cancel A PAR - BUR", "'cancel' is not an order, so what follows it was not read"),
    ("if Germany attacks, A PAR - BUR", "'if Germany attacks' is not an order"),
    ("A MAR helps A PAR - BUR", "'helps' is not an order for A MAR."),
    ("A PAR - BUR unless A MUN - BUR", "'unless' makes no sense after A PAR - BUR"),
    ("A PAR - BUR, unless A MUN - BUR", "'unless A MUN - BUR' makes no sense after A PAR - BUR"),
    ("not France: A PAR - BUR", "'not' is not an order, so what follows it was not read"),
]


@pytest.mark.parametrize(("text", "message"), WORDS_NAMED)
def test_the_error_names_the_words_at_fault(text: str, message: str) -> None:
    pieces = parse_pieces(text, BOARD, START, [FRANCE])
    assert pieces[-1].message.startswith(message)


def test_the_whole_refused_part_is_shown() -> None:
    text = "if Germany attacks, A PAR - BUR and A MAR S A PAR - BUR, F BRE - MAO (or) F BRE - ENG"
    assert read(text) == ([], [text])
    (error,) = parse_sheet(text, BOARD, START, FRANCE).errors
    assert error.text == text


def test_an_order_under_the_name_of_another_power_is_not_read() -> None:
    assert read("Germany: A MUN H, A PAR - BUR") == ([], ["A MUN H, A PAR - BUR"])
    assert parse_sheet("Germany: A MUN H, A PAR - BUR", BOARD, START, FRANCE).orders == ()


def test_words_refuse_the_orders_of_every_country_on_their_line() -> None:
    text = "cancel France: A PAR - BUR Germany: A MUN H\nGermany: A BER H"
    orders, refused = read(text, START, FRANCE, GERMANY)
    assert orders == ["A BER H"]
    assert refused == ["cancel", "A PAR - BUR", "A MUN H"]


ORDERS = [order for power in (FRANCE, GERMANY) for order in legal_orders(BOARD, START, power)]
JUNK = st.text("abcdefghijklmnopqrstuvwxyz'/?=", min_size=1, max_size=9)


def is_junk(word: str) -> bool:
    """Return whether `word` cannot be part of an order of the standard board.

    Coasts can: `A MAR - BUR wc` is read as a move to Burgundy.
    """
    try:
        tokens = tokens_of(word)
    except ValueError:
        return True
    names = names_of(BOARD)
    return bool(tokens) and all(
        token not in NOT_NAMES
        and token != "the"
        and names.place([token], 0) is None
        and names.power([token], 0) is None
        and coast_at([token], 0) is None
        for token in tokens
    )


@examples(100)
@given(
    st.sampled_from(ORDERS),
    st.lists(JUNK.filter(is_junk), min_size=1, max_size=4),
    st.sampled_from([" ", ", ", ": ", ". "]),
)
def test_no_order_is_read_behind_words_that_are_not_an_order(order, words, between) -> None:
    text = f"{' '.join(words)}{between}{order}"
    assert read(text, START, power_of(order)) == ([], [text])


@examples(100)
@given(
    st.sampled_from(ORDERS),
    st.lists(JUNK.filter(is_junk), min_size=1, max_size=3),
    st.sampled_from(ORDERS),
)
def test_no_order_is_read_around_words_that_are_not_an_order(first, words, second) -> None:
    text = f"{first} {' '.join(words)} {second}"
    assert read(text, START, FRANCE, GERMANY) == ([], [text])
