"""The tournament of placements, on toy lands where the result is known."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.placement_candidates import Placement
from diplomaccloud.bots.pinned import COLONEL, GENERAL, GREEDY
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.maps import tournament
from diplomaccloud.maps.factory import CHOSEN_BY_PLAY, NoMapError, make_fair_map
from diplomaccloud.maps.tournament import Budget, Tournament, play_greedy_games, play_strong_games

BUDGET = Budget(
    candidates=8,
    entrants=8,
    quick_games=10,
    finalists=4,
    first_games=10,
    leaders=2,
    rounds=3,
    changes=2,
    extra_games=10,
    target_spread=0.05,
    leader_games=10,
    sure_games=10,
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
        self.strong_leads = {}
        self.played, self.played_well = [], []

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

    def play_strong(self, board, games, seed):
        self.played_well.append((board, games))
        lead = self.strong_leads.get(board, self.leads[board]) / 2
        return [[0.5 + lead, 0.5 - lead]] * games

    def rank(self, budget=None, spaces=(), progress=None):
        """Run the search on this land, or on these."""
        plays = (self.play, self.play_strong)
        return Tournament(spaces or [self], budget or BUDGET, *plays, progress).rank_entrants()


def count_games(played):
    total = {}
    for board, games in played:
        total[board] = total.get(board, 0) + games
    return total


def test_the_greedy_bot_chooses_finalists_and_the_strong_bot_plays_on_those():
    toy = ToySpace({number: 0.9 - 0.1 * number for number in range(8)})
    ranked = toy.rank()
    assert [entrant.board for entrant in ranked] == [7, 6, 5, 4]
    assert count_games(toy.played) == dict.fromkeys(range(8), 10)
    assert count_games(toy.played_well) == dict.fromkeys(range(4, 8), 10)


def test_what_is_even_for_the_greedy_bot_need_not_be_for_the_strong_one():
    toy = ToySpace({number: 0.9 - 0.1 * number for number in range(8)})
    toy.strong_leads = {7: 0.8, 5: 0.1}
    assert [entrant.board for entrant in toy.rank()] == [5, 6, 4, 7]


def test_the_boards_nearest_the_targets_play():
    toy = ToySpace({number: 0.1 * number for number in range(8)})
    toy.excesses = dict.fromkeys(range(8), 0.5) | {5: 0.0, 2: 0.3}
    ranked = toy.rank(replace(BUDGET, entrants=2))
    assert [entrant.board for entrant in ranked] == [2, 5]
    assert set(count_games(toy.played)) == {2, 5}


def test_a_leader_plays_more_games_when_it_is_challenged():
    toy = ToySpace(dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.8})
    toy.rank()
    assert count_games(toy.played_well)[3] == 10 + 10


def test_changes_are_accepted_while_they_do_better_in_games():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.4, 203: 0.3, 303: 0.35}
    assert ToySpace(leads).rank()[0].board == 203


def test_the_second_leader_is_improved_too():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 5: 0.6, 105: 0.1}
    assert [entrant.board for entrant in ToySpace(leads).rank()][:2] == [105, 3]


def test_several_changes_can_pass_a_worse_placement():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.8, 203: 0.1}
    assert ToySpace(leads).rank()[0].board == 203


def test_games_decide_not_predictions():
    leads = dict.fromkeys(range(8), 0.9) | {3: 0.5, 103: 0.6}
    toy = ToySpace(leads, predicted=leads | {103: 0.0})
    assert toy.rank()[0].board == 3
    assert toy.played_well.count((103, 10)) == 2


def test_a_leader_that_is_even_enough_stays():
    toy = ToySpace({number: 0.02 if number == 2 else 0.5 for number in range(8)} | {102: 0.0})
    assert toy.rank()[0].board == 2
    assert 102 not in count_games(toy.played_well)


def test_a_placement_that_was_lucky_in_few_games_plays_more_and_falls_back():
    toy = ToySpace(dict.fromkeys(range(8), 0.9) | {3: 0.5})
    lucky = {5: 0.4}

    def play(board, games, seed):
        lead = lucky.pop(board, toy.leads[board]) / 2
        toy.played_well.append((board, games))
        return [[0.5 + lead, 0.5 - lead]] * games

    toy.play_strong = play
    ranked = toy.rank(replace(BUDGET, finalists=8, leaders=1, rounds=0, sure_games=20))
    assert ranked[0].board == 3
    assert count_games(toy.played_well)[5] == 20


def test_a_land_without_placements_has_no_winner():
    assert ToySpace({}).rank() == []


def test_placements_come_from_all_lands_in_turn():
    near, far = ({number: number / 10 + lead for number in range(4)} for lead in (0.5, 0.1))
    leads = near | {50 + number: lead for number, lead in far.items()}
    low, high = ToySpace(leads), ToySpace(leads)
    low.placement = lambda number: Placement((number, 0), ())
    high.placement = lambda number: Placement((50 + number, 0), ())
    ranked = low.rank(replace(BUDGET, finalists=2), [low, high])
    assert [(entrant.space, entrant.board) for entrant in ranked] == [(high, 50), (high, 51)]
    assert {board for board, _ in low.played} == {0, 1, 2, 3, 50, 51, 52, 53}


def test_progress_is_reported():
    toy, stages = ToySpace(dict.fromkeys(range(2), 0.5)), []
    toy.rank(progress=stages.append)
    assert stages == [
        *(f"placement {n}" for n in (1, 2)),
        *(f"strong placement {n}" for n in (1, 2)),
        *(f"changes, {n} of 3" for n in (1, 2, 3)),
    ]


def test_the_spread_excludes_the_effect_of_chance():
    toy = ToySpace(dict.fromkeys(range(2), 0.0))
    toy.play_strong = lambda board, games, seed: [[0.9, 0.1], [0.1, 0.9]] * (games // 2)
    first = toy.rank()[0]
    assert first.unevenness < 0
    assert first.spread == 0


@pytest.mark.parametrize(("powers", "bot"), [(7, GENERAL), (10, GENERAL), (11, COLONEL)])
def test_the_strong_bot_is_the_one_that_measures_such_maps(monkeypatch, powers, bot):
    asked = []

    def play(board, bot, **_):
        asked.append(bot)
        return [(1, 3)]

    monkeypatch.setattr(tournament, "play_series", play)
    board = SimpleNamespace(powers=range(powers))
    for slow in ("", "slow"):
        monkeypatch.setattr(tournament, "SLOW_KERNEL", slow)
        assert play_strong_games(board, 1, "s") == [[0.25, 0.75]]
    assert asked == [bot, GREEDY]


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
        quick_games=2,
        finalists=1,
        first_games=2,
        leaders=1,
        rounds=1,
        changes=1,
        extra_games=2,
        target_spread=0,
        leader_games=2,
        sure_games=4,
    )
    monkeypatch.setattr(tournament, "Budget", lambda: small)
    chart = make_fair_map(["small a", "small b"], 2)
    assert find_faults(chart) == ()
    assert chart.maker.endswith(f", {CHOSEN_BY_PLAY}")
    assert chart.seed in {"small a", "small b"}
    assert make_fair_map(["small a", "small b"], 2) == chart


def test_the_error_says_why_there_is_no_land():
    with pytest.raises(NoMapError, match="2 players need 34 to 40 provinces"):
        make_fair_map(["small"], 2, provinces=3)
