"""Self-play of a board: shares that add up, and an honest error estimate."""

import random
from dataclasses import replace
from statistics import fmean, pstdev

import numpy as np
import pytest

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.arena import Played
from diplomaccloud.bots.standings import (
    compute_shares,
    estimate_chance,
    estimate_shares,
    estimate_spread,
    measure_spread,
    self_play,
    summarize_games,
)
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()
POWERS = list(BOARD.power_info)


def ended(counts: list[int], phase: str = "S1905M", winner: str = "") -> Played:
    """A game after which the powers, in board order, own these numbers of centers."""
    centers = iter(BOARD.centers)
    owned = {
        ProvinceCode(next(centers)): power
        for power, count in zip(POWERS, counts, strict=True)
        for _ in range(count)
    }
    ending = Ending((Power(winner),), "18 centers") if winner else None
    return Played(
        dict.fromkeys(POWERS, "greedy"), Position(Phase.parse(phase), (), owned), ending, 9
    )


@pytest.mark.parametrize(
    ("games", "spread"),
    [
        pytest.param([[4] * 7], 0, id="all alike"),
        pytest.param([[7, 0, 0, 0, 0, 0, 0]], 6**0.5, id="one has all"),
        pytest.param(
            [[1 if i == k else 0 for i in range(7)] for k in range(7)], 0, id="each once has all"
        ),
        pytest.param([[6, 2, 4, 4, 4, 4, 4]] * 3, (8 / 7) ** 0.5 / 4, id="one more, one less"),
    ],
)
def test_the_spread_is_that_of_the_mean_shares(games, spread):
    found = summarize_games(BOARD, [ended(counts) for counts in games], 4)
    assert found.spread == pytest.approx(spread)
    assert sum(record.share for record in found.powers) == pytest.approx(1)


def test_equal_games_have_no_error_and_different_ones_have():
    assert summarize_games(BOARD, [ended([6, 2, 4, 4, 4, 4, 4])] * 5, 4).error == pytest.approx(0)
    mixed = [*[ended([6, 2, 4, 4, 4, 4, 4])] * 7, *[ended([2, 6, 4, 4, 4, 4, 4])] * 3]
    assert summarize_games(BOARD, mixed, 4).error > 0.01


def test_chance_is_what_games_of_powers_alike_show():
    """Every power wins equally often, so the spread is that of pure chance."""
    rng = random.Random("dice")
    throws = [
        [[float(power == won) for power in range(7)] for won in rng.choices(range(7), k=100)]
        for _ in range(200)
    ]
    squares = fmean(measure_spread(rows) ** 2 for rows in throws)
    assert squares == pytest.approx(6 / 100, rel=0.1)
    assert fmean(estimate_chance(rows) ** 2 for rows in throws) == pytest.approx(squares, rel=0.1)


def test_chance_shows_nothing_where_games_are_alike_or_there_is_one():
    game = ended([6, 2, 4, 4, 4, 4, 4])
    assert estimate_chance(compute_shares(BOARD, [game] * 5)) == 0
    assert summarize_games(BOARD, [game], 4).chance == 0
    mixed = [game, ended([2, 6, 4, 4, 4, 4, 4])] * 5
    assert (
        summarize_games(BOARD, mixed, 4).chance == estimate_chance(compute_shares(BOARD, mixed)) > 0
    )


def test_solos_eliminations_and_lengths_are_counted():
    won = ended([18, 0, 4, 4, 4, 2, 2], "W1903A", POWERS[0])
    late = ended([4] * 7, "S1905M")
    found = summarize_games(BOARD, [won, late], 4)
    assert [record.solos for record in found.powers] == [0.5, *[0] * 6]
    assert [record.eliminated for record in found.powers] == [0, 0.5, *[0] * 5]
    assert found.years == fmean([3, 4])


def test_no_game_shows_nothing():
    with pytest.raises(ValueError, match="no games"):
        summarize_games(BOARD, [], 4)


def test_self_play_follows_from_its_seed():
    first, again, other = (
        self_play(BOARD, BOTS["greedy"], games=4, seed=seed, years=3) for seed in ("a", "a", "b")
    )
    assert first == again != other
    assert first.games == 4
    assert first.years == 3


def test_a_power_that_cannot_grow_has_the_smallest_share():
    start = starting_position(BOARD)
    walled = replace(
        BOARD,
        army_borders=tuple(p for p in BOARD.army_borders if not {"VIE", "BUD", "TRI"} & {*p}),
    )
    assert start.units_of(Power("AUSTRIA"))
    found = self_play(walled, BOTS["greedy"], games=4, seed="wall", years=6)
    least = min(found.powers, key=lambda record: record.share)
    assert least.power == "AUSTRIA"


# The spread without chance.


def throw_games(powers: int, games: int, spread: float, seed: int) -> list[list[float]]:
    """Return the shares in games whose centers are drawn; the true spread of shares is known."""
    rng = np.random.default_rng(seed)
    lead = np.linspace(-1, 1, powers)
    weights = (1 + spread * lead / lead.std()) / powers
    drawn = [rng.multinomial(34, rng.dirichlet(8 * weights)) / 34 for _ in range(games)]
    return [row.tolist() for row in drawn]


@pytest.mark.parametrize(
    ("powers", "games", "spread"),
    [(7, 60, 0.0), (7, 100, 0.2), (7, 60, 0.5), (2, 100, 0.3), (20, 40, 0.4), (7, 24, 0.5)],
)
def test_the_spread_without_chance_is_found_in_drawn_games(powers, games, spread):
    found = [estimate_spread(throw_games(powers, games, spread, seed)) for seed in range(40)]
    mean_square = fmean(each.value**2 for each in found)
    # The estimate of the square would be unbiased if negative ones did not count as 0.
    assert mean_square == pytest.approx(spread**2, abs=0.012)
    covered = sum(each.low <= spread <= each.high for each in found)
    assert covered >= 35, covered
    assert all(each.low <= each.value <= each.high for each in found)


def test_the_error_of_the_spread_is_that_of_repeated_measurements():
    found = [estimate_spread(throw_games(5, 40, 0.5, seed)) for seed in range(100)]
    assert fmean(each.error for each in found) == pytest.approx(
        pstdev(each.value for each in found), rel=0.2
    )


def test_games_that_all_end_alike_leave_nothing_to_chance():
    found = estimate_spread([[0.75, 0.25]] * 5)
    assert (found.value, found.error) == (pytest.approx(0.5), pytest.approx(0))


def test_shares_have_intervals_within_their_range():
    rows = throw_games(5, 50, 0.3, 1)
    shares = estimate_shares(rows)
    assert [each.value for each in shares] == pytest.approx(
        [fmean(column) for column in zip(*rows, strict=True)]
    )
    assert all(0 <= each.low < each.value < each.high <= 1 for each in shares)
    assert estimate_shares([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[0].high == 1


@pytest.mark.parametrize("estimate", [estimate_spread, estimate_shares])
def test_two_games_say_nothing_about_chance(estimate):
    with pytest.raises(ValueError, match="at least 3 games, not 2"):
        estimate([[0.5, 0.5]] * 2)
