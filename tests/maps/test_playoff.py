"""The search by play: on toy lands, where what play finds is known."""

from dataclasses import replace

import numpy as np
import pytest

from diplomaccloud.atlas.generator.constraints import faults
from diplomaccloud.atlas.generator.placement_changes import Placement
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.maps import playoff
from diplomaccloud.maps.playoff import Budget, Playoff, play
from diplomaccloud.maps.workshop import KIND, NoMapError, make_even_map

BUDGET = Budget(
    drawn=8,
    placements=8,
    first=10,
    halvings=((4, 10), (2, 20)),
    rounds=3,
    changes=2,
    more=10,
    enough=0.05,
)


class Toy:
    """Two powers; the first gets a part of the centers that the placement's number tells.

    Placements are told apart by the start of their first power, which a change moves by one.
    A board is that number, too.
    """

    def __init__(self, leads, foretold=None):
        self.leads = leads
        self.foretold = leads if foretold is None else foretold
        self.far = {}
        self.played = []

    def placement(self, number):
        return Placement((number, 0), ()) if number in self.leads else None

    def board(self, placement):
        return placement.starts[0]

    def excess(self, placement):
        return self.far.get(placement.starts[0], 0.0)

    def changes(self, placement):
        here = placement.starts[0]
        return [Placement((to, 0), ()) for to in (here - 100, here + 100) if to in self.leads]

    def outlook(self, placement):
        lead = self.foretold[placement.starts[0]]
        return np.array([lead, -lead])

    def play(self, board, games, seed):
        self.played.append((board, games))
        lead = self.leads[board] / 2
        return [[0.5 + lead, 0.5 - lead]] * games


def games_by_board(toy):
    total = {}
    for board, games in toy.played:
        total[board] = total.get(board, 0) + games
    return total


def test_the_best_of_many_play_more_and_the_fairest_is_first():
    toy = Toy({number: 0.9 - 0.1 * number for number in range(8)})
    ranked = Playoff([toy], BUDGET, toy.play).ranked()
    assert [one.board for one in ranked] == [7, 6]
    assert games_by_board(toy) == {**dict.fromkeys(range(4), 10), 4: 20, 5: 20, 6: 40, 7: 40}


def test_boards_nearest_the_targets_play():
    toy = Toy({number: 0.1 * number for number in range(8)})
    toy.far = dict.fromkeys(range(8), 0.5) | {5: 0.0, 2: 0.3}
    ranked = Playoff([toy], replace(BUDGET, placements=2), toy.play).ranked()
    assert [one.board for one in ranked] == [2, 5]
    assert set(games_by_board(toy)) == {2, 5}


def test_what_was_best_plays_on_when_it_is_challenged():
    toy = Toy(dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.8})
    Playoff([toy], BUDGET, toy.play).ranked()
    assert games_by_board(toy)[3] == 10 + 10 + 20 + 10


def test_changes_are_kept_as_long_as_play_finds_them_better():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.4, 203: 0.3, 303: 0.35}
    toy = Toy(leads)
    ranked = Playoff([toy], BUDGET, toy.play).ranked()
    assert ranked[0].board == 203


def test_several_changes_at_once_lead_past_a_worse_one():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.8, 203: 0.1}
    toy = Toy(leads)
    assert Playoff([toy], BUDGET, toy.play).ranked()[0].board == 203


def test_play_decides_and_not_what_is_foretold():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.6}
    toy = Toy(leads, foretold=leads | {103: 0.0})
    ranked = Playoff([toy], BUDGET, toy.play).ranked()
    assert ranked[0].board == 3
    assert toy.played.count((103, 10)) == 2


def test_the_search_ends_when_the_spread_is_low_enough():
    toy = Toy({number: 0.02 if number == 2 else 0.5 for number in range(8)} | {102: 0.0})
    assert Playoff([toy], BUDGET, toy.play).ranked()[0].board == 2
    assert 102 not in games_by_board(toy)


def test_a_land_without_placements_has_no_winner():
    toy = Toy({})
    assert Playoff([toy], BUDGET, toy.play).ranked() == []


def test_lands_are_drawn_from_in_turn():
    near, far = ({number: number / 10 + lead for number in range(4)} for lead in (0.5, 0.1))
    leads = near | {50 + number: lead for number, lead in far.items()}
    low, high = Toy(leads), Toy(leads)
    low.placement = lambda number: Placement((number, 0), ())
    high.placement = lambda number: Placement((50 + number, 0), ())
    ranked = Playoff([low, high], BUDGET, low.play).ranked()
    assert [(one.ground, one.board) for one in ranked] == [(high, 50), (high, 51)]
    assert {board for board, _ in low.played} == {0, 1, 2, 3, 50, 51, 52, 53}


def test_what_is_played_is_told():
    toy, told = Toy(dict.fromkeys(range(2), 0.5)), []
    Playoff([toy], BUDGET, toy.play, told.append).ranked()
    assert told == ["placement 1", "placement 2", *(f"changes, {n} of 3" for n in (1, 2, 3))]


def test_the_spread_is_without_what_chance_adds():
    def noisy(board, games, seed):
        return [[0.9, 0.1], [0.1, 0.9]] * (games // 2)

    toy = Toy(dict.fromkeys(range(2), 0.0))
    first = Playoff([toy], BUDGET, noisy).ranked()[0]
    assert first.unevenness < 0
    assert first.spread == 0


@pytest.mark.parametrize("games", [2, 3])
def test_games_follow_from_their_seed(games):
    rows = play(standard_board(), games, "a")
    assert len(rows) == games
    assert rows == play(standard_board(), games, "a") != play(standard_board(), games, "b")
    assert all(sum(row) == pytest.approx(1) for row in rows)


def test_a_map_chosen_by_play_is_sound_and_says_so(monkeypatch):
    small = Budget(
        drawn=2, placements=2, first=2, halvings=((1, 2),), rounds=1, changes=1, more=2, enough=0
    )
    monkeypatch.setattr(playoff, "Budget", lambda: small)
    chart = make_even_map(["small a", "small b"], 2)
    assert faults(chart) == ()
    assert chart.maker.endswith(f", {KIND}")
    assert chart.seed in {"small a", "small b"}
    assert make_even_map(["small a", "small b"], 2) == chart


def test_where_no_land_comes_the_reason_is_told():
    with pytest.raises(NoMapError, match="provinces: 3 is not from"):
        make_even_map(["small"], 2, provinces=3)
