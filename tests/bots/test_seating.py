"""Seats are rotated: every bot has every power equally often, with the same chances."""

from collections import Counter
from itertools import islice

import pytest
from tests.bots.policies import EUROPE, generated_board

from diplomaccloud.bots.arena import round_games, seat_games

NAMES = ["hold", "random", "greedy", "dumbbot", *(f"search:{20 + n}" for n in range(8))]


def seat(board, count, one_of=False, games=1, seed="seats"):
    """Return the first games of this number of bots, at least `games`, and their number."""
    names = NAMES[:count]
    size = round_games(board, names, games, one_of=one_of)
    return list(islice(seat_games(board, names, seed, one_of=one_of), size))


def seat_names(fixtures):
    return [list(fixture.bots.values()) for fixture in fixtures]


@pytest.mark.parametrize("count", [2, 3, 5, 7, 9, 12])
def test_each_bot_has_each_power_equally_often(count):
    for games in (1, 3 * count):
        fixtures = seat(EUROPE, count, games=games)
        assert len(fixtures) == (count if games == 1 else games)
        seats = Counter(seated for fixture in fixtures for seated in fixture.bots.items())
        assert set(seats.values()) == {len(fixtures) // count}
        assert len(seats) == 7 * count


@pytest.mark.parametrize(("count", "games"), [(2, 7), (3, 7), (4, 7), (5, 14), (6, 35), (9, 28)])
def test_one_has_each_power_and_the_others_share_the_rest(count, games):
    fixtures = seat(EUROPE, count, one_of=True)
    assert len(fixtures) == games
    found = Counter(seated for fixture in fixtures for seated in fixture.bots.items())
    assert {found[power, "hold"] for power in EUROPE.power_info} == {games // 7}
    others = Counter(bot for _, bot in found.elements() if bot != "hold")
    assert len(others) == count - 1
    assert len(set(others.values())) == 1


def test_a_block_has_one_seed_and_no_game_twice():
    fixtures = seat(EUROPE, 5, games=20)
    assert [fixture.seed for fixture in fixtures] == [f"seats/{n // 5}" for n in range(20)]
    for bots in (["hold", "hold", "greedy"], ["hold", "hold", "greedy", "greedy"], ["hold"]):
        games = islice(seat_games(EUROPE, bots, "x"), 40)
        lines = [(*game.bots.values(), game.seed) for game in games]
        assert len(set(lines)) == 40


def test_later_blocks_have_other_neighbors_and_other_bots_the_same_seeds():
    fixtures = seat(EUROPE, 5, games=50)
    blocks = {frozenset(map(tuple, seat_names(fixtures[n : n + 5]))) for n in range(0, 50, 5)}
    assert len(blocks) > 5
    again = islice(seat_games(EUROPE, NAMES[5:10], "seats"), 50)
    assert [game.seed for game in again] == [game.seed for game in fixtures]
    assert seat_names(seat(EUROPE, 5, games=50)) == seat_names(fixtures)


def test_two_powers_are_enough():
    board = generated_board(0)
    assert len(board.powers) == 2
    for count, one_of in ((1, False), (2, True), (5, True), (5, False)):
        fixtures = seat(board, count, one_of=one_of)
        found = Counter(name for fixture in fixtures for name in fixture.bots.values())
        if not one_of:
            assert len(set(found.values())) == 1
        else:
            assert found["hold"] == len(fixtures)


def test_one_bot_among_none_is_refused():
    with pytest.raises(ValueError, match="at least two names"):
        seat(EUROPE, 1, one_of=True)
    with pytest.raises(ValueError, match="at least two names"):
        next(seat_games(EUROPE, ["greedy"], "x", one_of=True))
