"""DumbBot against itself gives the known results, so that others can be measured by it."""

import random
from array import array
from math import sqrt
from statistics import fmean, stdev

import pytest
from judge.tests.effort import examples
from tests.bots.policies import EUROPE, draw_seeds

from diplomaccloud.bots import BOT_CHOICES, BOTS, policy
from diplomaccloud.bots.arena import play_games
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.negotiation import NEGOTIATORS
from diplomaccloud.judge import batch
from diplomaccloud.judge.kernel.core.codes import HEAD, WINNER, YEAR
from diplomaccloud.judge.kernel.layout import width
from diplomaccloud.judge.kernel.table import table_of

GAMES = 1050
SCORES = {
    "AUSTRIA": (6.0, 0.7),
    "ENGLAND": (35.1, 1.6),
    "FRANCE": (14.8, 1.5),
    "GERMANY": (2.6, 0.4),
    "ITALY": (14.0, 1.3),
    "RUSSIA": (7.6, 0.8),
    "TURKEY": (19.7, 1.2),
}
"""Mean share of the sum of squared centers at the end of 1930 in percent, with the half width of
its interval (95 %), in 1,050 games of another implementation. A solo counts 100."""

SOLOS = (16.2, 2.2)


def play_to_end(count: int, seed: int) -> tuple[list[list[float]], int]:
    """Return the scores of each game to 1930, in percent, and how many games were won."""
    table, rng = table_of(EUROPE), random.Random(seed)
    wide = width(table)
    states = batch.start(count, EUROPE)
    seeds = draw_seeds(rng, 7 * count)
    scores: list[list[float]] = []
    won = 0
    while states:
        orders = policy.choose_orders(EUROPE, states, seeds)
        after = batch.adjudicate(states, orders, board=EUROPE).states
        states, left = array("i"), array("Q")
        for n in range(len(after) // wide):
            row = after[n * wide : (n + 1) * wide]
            owners = row[HEAD + 4 * table.provinces :]
            if row[WINNER] >= 0:
                won += 1
                scores.append([100.0 * (power == row[WINNER]) for power in range(7)])
            elif row[YEAR] > 1930:
                squares = [owners.count(power) ** 2 for power in range(7)]
                scores.append([100 * square / sum(squares) for square in squares])
            else:
                states += row
                left += seeds[7 * n : 7 * n + 7]
        seeds = left
    return scores, won


@pytest.mark.long
@pytest.mark.skipif(bool(SLOW_KERNEL), reason="takes minutes: run scripts/kernel")
def test_self_play_has_the_known_results() -> None:
    """Both samples have an error, so the difference may be as large as both together."""
    count = GAMES * examples.times
    scores, won = play_to_end(count, seed=1)
    for power, column in zip(EUROPE.power_info, zip(*scores, strict=True), strict=True):
        mean, width = SCORES[power]
        error = 1.96 * stdev(column) / sqrt(count)
        assert abs(fmean(column) - mean) < sqrt(width**2 + error**2), power
    share = won / count
    error = 196 * sqrt(share * (1 - share) / count)
    assert abs(100 * share - SOLOS[0]) < sqrt(SOLOS[1] ** 2 + error**2)


def test_one_among_random_bots_wins_and_a_random_one_among_them_loses() -> None:
    for first, others, wanted in (("dumbbot", "random", 1), ("random", "dumbbot", 0)):
        bots = [BOTS[first], *[BOTS[others]] * 6]
        for game in play_games(EUROPE, bots, games=2, until=1920, seed="yardstick"):
            (seat,) = [power for power, name in game.bots.items() if name == first]
            assert game.score(seat) == pytest.approx(wanted, abs=0.1)


def test_every_bot_answers_proposals() -> None:
    assert NEGOTIATORS.keys() == {*BOTS, "level"}


def test_a_bot_is_called_by_its_name_unless_it_has_another_title() -> None:
    titles = dict(BOT_CHOICES)
    assert (titles["greedy"], titles["dumbbot"]) == ("Greedy bot", "DumbBot")
