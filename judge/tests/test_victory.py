"""Winning by pieces, and the turns of a year."""

import pytest
from judge.tests.shorthand import BOARD, orders, position

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.rules import EDITIONS


def winners(ending: Ending | None) -> tuple[str, ...] | None:
    return ending.winners if ending else None


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("FRANCE: A PAR H, A MAR H\nITALY: A ROM H", ("FRANCE",)),
        ("FRANCE: A PAR H, A MAR H\nITALY: A ROM H, A VEN H", None),
        ("FRANCE: A PAR H, A MAR H\nITALY: A ROM H\nTURKEY: A CON H", None),
    ],
)
def test_in_1961_most_of_the_pieces_win_at_once(text: str, won: tuple[str, ...] | None) -> None:
    for phase in ("S1902M", "F1902M"):
        start = position(text, phase)
        assert winners(adjudicate(BOARD, start, (), EDITIONS["1961"]).ending) == won
        assert adjudicate(BOARD, start, (), EDITIONS["2000"]).ending is None


def test_a_piece_that_must_retreat_is_still_on_the_board() -> None:
    text = """
    FRANCE: A BUR - MUN, A RUH S A BUR - MUN
    GERMANY: A MUN H, A KIE H
    """
    start = position(text)
    done = adjudicate(BOARD, start, orders(text, start), EDITIONS["1961"])
    assert done.ending is None
    after = adjudicate(BOARD, done.next, (), EDITIONS["1961"])
    assert winners(after.ending) == ("FRANCE",)


def test_turns_are_counted_from_the_first_year_of_the_board() -> None:
    names = ("S1901M", "F1901M", "W1901A", "S1902M")
    assert [Phase.parse(name).count_turns(BOARD.first_year) for name in names] == [0, 1, 1, 2]
    assert Phase.parse("F1802M").count_turns(1801) == 3
