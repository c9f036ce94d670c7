"""The tournament of placements, on toy lands where the result is known."""

from dataclasses import replace

import numpy as np
import pytest

from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.placement_candidates import Placement
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.maps import tournament
from diplomaccloud.maps.factory import CHOSEN_BY_PLAY, NoMapError, make_fair_map
from diplomaccloud.maps.tournament import Budget, Tournament, play_greedy_games

BUDGET = Budget(
    candidates=8,
    entrants=8,
    first_games=10,
    eliminations=((4, 10), (2, 20)),
    rounds=3,
    changes=2,
    extra_games=10,
    target_spread=0.05,
)


class ToySpace:
    """Two powers; the number of the placement decides the first power's lead.

    That number is the start of the first power, which a change moves by 100. It also stands for
    the board.
    """

    def __init__(self, leads, predicted=None):
        self.leads = leads
        self.predicted = leads if predicted is None else predicted
        self.excesses = {}
        self.played = []

    def placement(self, number):
        return Placement((number, 0), ()) if number in self.leads else None

    def board(self, placement):
        return placement.starts[0]

    def excess(self, placement):
        return self.excesses.get(placement.starts[0], 0.0)

    def changes(self, placement):
        number = placement.starts[0]
        near = (number - 100, number + 100)
        return [Placement((to, 0), ()) for to in near if to in self.leads]

    def predicted_shares(self, placement):
        lead = self.predicted[placement.starts[0]]
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


def test_the_best_placements_play_more_and_the_fairest_comes_first():
    toy = ToySpace({number: 0.9 - 0.1 * number for number in range(8)})
    ranked = Tournament([toy], BUDGET, toy.play).rank_entrants()
    assert [entrant.board for entrant in ranked] == [7, 6]
    assert games_by_board(toy) == {**dict.fromkeys(range(4), 10), 4: 20, 5: 20, 6: 40, 7: 40}


def test_the_boards_nearest_the_targets_play():
    toy = ToySpace({number: 0.1 * number for number in range(8)})
    toy.excesses = dict.fromkeys(range(8), 0.5) | {5: 0.0, 2: 0.3}
    ranked = Tournament([toy], replace(BUDGET, entrants=2), toy.play).rank_entrants()
    assert [entrant.board for entrant in ranked] == [2, 5]
    assert set(games_by_board(toy)) == {2, 5}


def test_the_best_placement_plays_more_games_when_challenged():
    toy = ToySpace(dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.8})
    Tournament([toy], BUDGET, toy.play).rank_entrants()
    assert games_by_board(toy)[3] == 10 + 10 + 20 + 10


def test_changes_are_accepted_while_they_do_better_in_games():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.4, 203: 0.3, 303: 0.35}
    toy = ToySpace(leads)
    ranked = Tournament([toy], BUDGET, toy.play).rank_entrants()
    assert ranked[0].board == 203


def test_several_changes_can_pass_a_worse_placement():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.8, 203: 0.1}
    toy = ToySpace(leads)
    assert Tournament([toy], BUDGET, toy.play).rank_entrants()[0].board == 203


def test_games_decide_not_predictions():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.6}
    toy = ToySpace(leads, predicted=leads | {103: 0.0})
    ranked = Tournament([toy], BUDGET, toy.play).rank_entrants()
    assert ranked[0].board == 3
    assert toy.played.count((103, 10)) == 2


def test_the_search_ends_when_the_spread_is_low_enough():
    toy = ToySpace({number: 0.02 if number == 2 else 0.5 for number in range(8)} | {102: 0.0})
    assert Tournament([toy], BUDGET, toy.play).rank_entrants()[0].board == 2
    assert 102 not in games_by_board(toy)


def test_a_land_without_placements_has_no_winner():
    toy = ToySpace({})
    assert Tournament([toy], BUDGET, toy.play).rank_entrants() == []


def test_placements_come_from_all_lands_in_turn():
    near, far = ({number: number / 10 + lead for number in range(4)} for lead in (0.5, 0.1))
    leads = near | {50 + number: lead for number, lead in far.items()}
    low, high = ToySpace(leads), ToySpace(leads)
    low.placement = lambda number: Placement((number, 0), ())
    high.placement = lambda number: Placement((50 + number, 0), ())
    ranked = Tournament([low, high], BUDGET, low.play).rank_entrants()
    assert [(entrant.space, entrant.board) for entrant in ranked] == [(high, 50), (high, 51)]
    assert {board for board, _ in low.played} == {0, 1, 2, 3, 50, 51, 52, 53}


def test_progress_is_reported():
    toy, stages = ToySpace(dict.fromkeys(range(2), 0.5)), []
    Tournament([toy], BUDGET, toy.play, stages.append).rank_entrants()
    assert stages == ["placement 1", "placement 2", *(f"changes, {n} of 3" for n in (1, 2, 3))]


def test_the_spread_excludes_the_effect_of_chance():
    def noisy(board, games, seed):
        return [[0.9, 0.1], [0.1, 0.9]] * (games // 2)

    toy = ToySpace(dict.fromkeys(range(2), 0.0))
    first = Tournament([toy], BUDGET, noisy).rank_entrants()[0]
    assert first.unevenness < 0
    assert first.spread == 0


@pytest.mark.parametrize("games", [2, 3])
def test_games_follow_from_their_seed(games):
    rows = play_greedy_games(standard_board(), games, "a")
    assert len(rows) == games
    assert (
        rows
        == play_greedy_games(standard_board(), games, "a")
        != play_greedy_games(standard_board(), games, "b")
    )
    assert all(sum(row) == pytest.approx(1) for row in rows)


@pytest.mark.long
def test_a_map_chosen_by_play_is_valid_and_names_its_maker(monkeypatch):
    small = Budget(
        candidates=2,
        entrants=2,
        first_games=2,
        eliminations=((1, 2),),
        rounds=1,
        changes=1,
        extra_games=2,
        target_spread=0,
    )
    monkeypatch.setattr(tournament, "Budget", lambda: small)
    chart = make_fair_map(["small a", "small b"], 2)
    assert find_faults(chart) == ()
    assert chart.maker.endswith(f", {CHOSEN_BY_PLAY}")
    assert chart.seed in {"small a", "small b"}
    assert make_fair_map(["small a", "small b"], 2) == chart


def test_the_error_says_why_there_is_no_land():
    with pytest.raises(NoMapError, match="provinces: 3 is not between"):
        make_fair_map(["small"], 2, provinces=3)
