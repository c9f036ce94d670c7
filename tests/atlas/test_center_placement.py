"""Homes and centers of generated maps: the figures of the search, and every power's options."""

from itertools import combinations

import numpy as np
import pytest

from diplomaccloud.atlas.fairness import _Chances, fairness
from diplomaccloud.atlas.generator.balance import AIMS, EVEN_SHARE, Balance
from diplomaccloud.atlas.generator.center_placement import _CenterSearch
from diplomaccloud.atlas.generator.lands import make_lands
from diplomaccloud.atlas.generator.map_spec import build_spec
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.atlas.generator.possible_starts import find_possible_starts
from diplomaccloud.atlas.generator.random_streams import random_stream
from diplomaccloud.judge.board import Terrain, UnitKind, province_of
from diplomaccloud.judge.standard.europe import standard_board


def test_the_stored_figures_of_a_map_match_its_board(chart):
    shown = fairness(chart.board)
    assert shown.items() <= chart.fairness.items()


@pytest.fixture(scope="module")
def placement():
    """Return a layout, its possible starts, the chosen starts and the neutral centers."""
    spec = build_spec("balance", 5, None, 0.25)
    land = next(make_lands(spec))
    possible, rng = find_possible_starts(land.layout), random_stream("balance", "test")
    search = _CenterSearch(land.layout, possible, 5, rng)
    search.place_first()
    _, chosen, neutrals = search.result()
    return land.layout, possible, chosen, neutrals


def test_the_figures_of_the_search_match_the_finished_board(chart):
    board = chart.board
    codes = [province.code for province in board.provinces]
    lands = sum(province.terrain is not Terrain.SEA for province in board.provinces)
    spec = build_spec("the first map", 7, None, 0.25)
    layout = next(make_lands(spec)).layout
    assert layout.lands == lands
    possible = find_possible_starts(layout)
    fleets = {start.location for start in board.starts if start.kind is UnitKind.FLEET}
    chosen = [_find_start(possible, codes, homes, fleets) for homes in board.home_centers.values()]
    homes = {code for home in board.home_centers.values() for code in home}
    neutrals = np.array([codes.index(code) for code in board.centers if code not in homes])
    balance = Balance(possible, 7)
    values, broken = balance.measure(balance.measure_homes(np.array([chosen])), neutrals)
    shown = fairness(board)
    assert broken.tolist() == [0.0]
    for name, row in zip(AIMS, values[:, :, 0].T, strict=True):
        mean = EVEN_SHARE if name == "predicted_share" else row.mean()
        assert float(row.std() / mean) == pytest.approx(shown[f"cv_{name}"], abs=1e-4), name


def _find_start(possible, codes, homes, fleets):
    members = sorted(codes.index(code) for code in homes)
    sailing = {codes.index(code) for code in homes if code in fleets}
    starts = [
        start
        for start in np.flatnonzero((possible.homes == members).all(axis=1)).tolist()
        if possible.fleet_homes(start) == sailing
    ]
    assert len(starts) == 1
    return starts[0]


def test_the_cost_of_a_swap_is_the_cost_of_the_board_after_it(placement):
    layout, possible, chosen, neutrals = placement
    balance = Balance(possible, len(chosen))
    part = balance.measure_homes(chosen[None])
    homes = possible.homes[chosen].ravel()
    free = np.setdiff1d(np.arange(layout.lands), np.concatenate([homes, neutrals]))
    costs = balance.measure_swap_costs(part, neutrals, free)
    for row in range(len(neutrals)):
        for column in range(len(free)):
            after = neutrals.copy()
            after[row] = free[column]
            assert costs[row, column] == balance.measure_costs(part, after)[0]


def test_figures_of_the_standard_board_match_the_specification():
    shown = fairness(standard_board())
    assert {name: round(shown[name], 2) for name in STANDARD} == STANDARD


STANDARD = {
    "cv_neutrals_two_moves": 0.21,
    "cv_neutral_share": 0.44,
    "cv_moves_to_threaten": 0.14,
    "cv_distance_to_win": 0.15,
    "cv_enemy_homes_three_moves": 0.35,
    "cv_voronoi_share": 0.19,
    "cv_frontier": 0.21,
}


@pytest.mark.parametrize("seed", ["judge-5", "judge-17", "judge-49"])
def test_two_units_of_every_power_take_two_neutral_centers_in_the_first_year(seed):
    board = make_chart(seed).board
    neutrals = {p.code for p in board.provinces if p.center and p.home is None}
    for power in board.home_centers:
        captures = {
            (start.location, code)
            for start in board.starts
            if start.power == power
            for code in neutrals & _after_two_moves(board, start)
        }
        assert any(
            first[0] != second[0] and first[1] != second[1]
            for first, second in combinations(captures, 2)
        ), power


def _after_two_moves(board, start):
    places = {start.location}
    for _ in range(2):
        places |= {to for place in places for to in board.reach(start.kind, place)}
    return {province_of(place) for place in places}


@pytest.mark.parametrize("seed", ["judge-46", "judge-48", "judge-51", "judge-55"])
def test_no_power_has_too_few_or_too_many_rivals_however_they_are_counted(seed):
    board = make_chart(seed).board
    chances = _Chances(board)
    for power in board.home_centers:
        others = [other for other in board.home_centers if other != power]
        targets = {
            rival for rival in others if _is_near(chances.moves[power], board.home_centers[rival])
        }
        attackers = {
            rival for rival in others if _is_near(chances.moves[rival], board.home_centers[power])
        }
        near = [
            rival for rival in others if _is_near(chances.steps[power], board.home_centers[rival])
        ]
        assert len(targets) >= 2
        assert 2 <= len(targets | attackers) <= 4
        assert len(near) <= 4


def _is_near(far, homes):
    return any(far.get(home, 99) <= 3 for home in homes)
