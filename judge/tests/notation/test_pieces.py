"""A sheet of orders is cut into pieces, one for each power."""

import pytest
from judge.tests.shorthand import BOARD

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.notation import (
    NotationError,
    parse_pieces,
)
from diplomaccloud.judge.position import Position, starting_position

START = starting_position(BOARD)


def pieces(text: str, *powers: str, position: Position = START) -> list[tuple[int, str, str]]:
    """Return the line, the text and the order or what is wrong, for each piece of a sheet."""
    read = parse_pieces(text, BOARD, position, [Power(power) for power in powers])
    return [(one.line, one.text, one.message or str(one.orders[0])) for one in read]


PIECES = {
    "orders behind each other, each as it was written": (
        ["GERMANY"],
        "A Mun.—Tyr. A Ber S the army in Mun and F Kiel-Den",
        [
            (1, "A Mun.—Tyr.", "A MUN - TYR"),
            (1, "A Ber S the army in Mun", "A BER S A MUN"),
            (1, "F Kiel-Den", "F KIE - DEN"),
        ],
    ),
    "sentences": (
        ["GERMANY"],
        "# plan\n\nMunich army to Tyrolia. Berlin army stands. # or A BER - SIL",
        [
            (3, "Munich army to Tyrolia.", "A MUN - TYR"),
            (3, "Berlin army stands.", "A BER H"),
        ],
    ),
    "an order cut by a comma, and one by the end of a line": (
        ["GERMANY"],
        "A MUN, H\nA BER -\nSIL",
        [(1, "A MUN, H", "A MUN H"), (2, "A BER - SIL", "A BER - SIL")],
    ),
    "a line begun and left, before one that is whole": (
        ["GERMANY"],
        "A MUN S\nA BER - KIE",
        [(1, "A MUN S", "A province is missing"), (2, "A BER - KIE", "A BER - KIE")],
    ),
    "a support of a country, before a line that is whole": (
        ["GERMANY"],
        "A MUN S Germany\nfleet KIE - DEN",
        [
            (1, "A MUN S Germany", "'GERMANY' is not a province"),
            (2, "fleet KIE - DEN", "F KIE - DEN"),
        ],
    ),
    "two lines broken in the midst of the second order": (
        ["GERMANY"],
        "A MUN S A BER - KIE A BER -\nKIE",
        [
            (1, "A MUN S A BER - KIE", "A MUN S A BER - KIE"),
            (1, "A BER - KIE", "A BER - KIE"),
        ],
    ),
    "a wrong order among others": (
        ["GERMANY"],
        "A Mun-Tyr A Ber-Par F Kie-Hlo A Mun h",
        [
            (1, "A Mun-Tyr", "A MUN - TYR"),
            (1, "A Ber-Par", "A BER - PAR"),
            (1, "F Kie-Hlo", "'HLO' is not a province"),
            (1, "A Mun h", "A MUN H"),
        ],
    ),
    "two powers on a line": (
        ["AUSTRIA", "GERMANY"],
        "A VIE - GAL A MUN - TYR F TRI - XYZ, A PAR H",
        [
            (1, "A VIE - GAL", "A VIE - GAL"),
            (1, "A MUN - TYR", "A MUN - TYR"),
            (1, "F TRI - XYZ", "'XYZ' is not a province"),
            (1, "A PAR H", "A PAR is not yours: it belongs to France"),
        ],
    ),
    "each under its name": (
        ["AUSTRIA", "GERMANY"],
        "Germany:\nF stands\nAustria\nF stands\nGermany: A MUN H Austria: A MUN H",
        [
            (2, "F stands", "F KIE H"),
            (4, "F stands", "F TRI H"),
            (5, "A MUN H", "A MUN H"),
            (5, "A MUN H", "A MUN is not yours: it belongs to Germany"),
        ],
    ),
    "another's orders are one piece": (
        ["GERMANY"],
        "A MUN H\nFrance:\n\nF stands\nA PAR H; A MAR H\nGermany: A BER H",
        [
            (1, "A MUN H", "A MUN H"),
            (4, "F stands\nA PAR H; A MAR H", "These are orders for France, not for you"),
            (6, "A BER H", "A BER H"),
        ],
    ),
    "a name without a colon heads nothing in the midst of an order": (
        ["GERMANY"],
        "A MUN supports Austria",
        [(1, "A MUN supports Austria", "'AUSTRIA' is not a province")],
    ),
}


@pytest.mark.parametrize(("powers", "text", "found"), PIECES.values(), ids=PIECES)
def test_a_sheet_is_cut_into_its_pieces(
    powers: list[str], text: str, found: list[tuple[int, str, str]]
) -> None:
    read = pieces(text, *powers)
    assert [one[:2] for one in read] == [one[:2] for one in found]
    for (*_, said), (*_, wanted) in zip(read, found, strict=True):
        assert said.startswith(wanted)


def test_more_pieces_than_a_sheet_may_have_are_refused_together() -> None:
    with pytest.raises(NotationError, match="A sheet has at most 250 orders"):
        parse_pieces("A PAR H, " * 300, BOARD, START, [Power("FRANCE")])
