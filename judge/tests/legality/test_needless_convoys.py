"""A convoy order that no route needs has one word in results, explanations and games."""

import pytest

from diplomaccloud.judge import Game
from diplomaccloud.judge.results import Outcome


@pytest.mark.parametrize(
    ("england", "word"),
    [
        ("A YOR - BEL VIA; F ENG C A YOR - BEL; F NTH C A YOR - BEL", Outcome.CONVOYED),
        ("A YOR - BEL VIA; F ENG C A YOR - BEL; F NTH H", Outcome.CONVOYED),
        ("A YOR - NWY VIA; F ENG C A YOR - BEL; F NTH C A YOR - BEL", Outcome.VOID),
        ("A YOR H; F ENG C A YOR - BEL", Outcome.VOID),
    ],
    ids=["beside a route", "without a route", "the army goes elsewhere", "the army holds"],
)
def test_the_word_is_the_same_everywhere(england: str, word: Outcome) -> None:
    game = Game(position="F1901M ENGLAND: A YOR, F ENG, F NTH")
    game.order("ENGLAND", england)
    assert "F ENG C A YOR - BEL" in {problem.text for problem in game.problems}
    turn = game.adjudicate()
    outcomes = {
        result.order: outcome
        for result, outcome in zip(turn.resolution.results, turn.resolution.outcomes, strict=True)
    }
    assert turn["F ENG"].outcome is word
    assert outcomes[turn["F ENG"].order] is word
    assert turn.explain("F ENG").startswith(turn["F ENG"].why)
    assert turn.explain("F ENG").endswith("(DATC 4.E.1.)")
    is_problem = "F ENG C A YOR - BEL" in {problem.text for problem in turn.problems}
    assert is_problem is (word is Outcome.VOID)
