"""How strong searches are, in many games: only in `scripts/long-trials bots`."""

from statistics import fmean

import pytest
from judge.tests.effort import examples
from tests.bots.policies import EUROPE, generated_board

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.arena import play_games
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.judge.board import Board

pytestmark = pytest.mark.skipif(
    examples.times < 10 or bool(SLOW_KERNEL), reason="takes half an hour: scripts/long-trials"
)
MAPS = 30
_means: dict[int, float] = {}


def score_one(board: Board, one: str, others: str, games: int, years: int) -> float:
    """Return the mean score of one bot among others, each power in turn."""
    bots = [find_bot(one), find_bot(others)]
    until = board.first_year + years - 1
    scores = []
    for game in play_games(board, bots, games=games, until=until, seed="gate", one_of=True):
        (seat,) = [power for power, name in game.bots.items() if name == one]
        scores.append(game.score(seat))
    return fmean(scores)


@pytest.mark.parametrize(("budget", "least"), [(300, 0.9), (600, 0.95), (2000, 0.98)])
def test_a_search_wins_against_six_dumbbots(budget: int, least: float) -> None:
    assert score_one(EUROPE, f"search:{budget}", "dumbbot", games=35, years=30) >= least


@pytest.mark.parametrize("number", range(MAPS))
def test_a_search_does_well_on_any_map(number: int) -> None:
    board = generated_board(number)
    games = 2 * len(board.powers)
    _means[number] = score_one(board, "search:600", "dumbbot", games=games, years=30)
    assert _means[number] >= 0.5
    if len(_means) == MAPS:
        assert fmean(_means.values()) >= 0.85


@pytest.mark.parametrize(("budget", "pars"), [(2000, 1.2), (10_000, 1.5)])
def test_a_larger_budget_beats_a_smaller_one(budget: int, pars: float) -> None:
    par = 1 / len(EUROPE.powers)
    score = score_one(EUROPE, f"search:{budget}", "search:600", games=70, years=10)
    assert score >= pars * par
