"""The terrain of generated maps: ranges with passes, and rivers that fleets follow."""

import pytest

from diplomaccloud.atlas.chartfile import check_chart, dump_chart
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.atlas.landforms import read_ground
from diplomaccloud.judge.board import BorderKind, Terrain, UnitKind, province_of
from diplomaccloud.judge.geography import count_steps

SEEDS = ["the first map", "ranges", "rivers", "a", "b", "c", "d"]


@pytest.fixture(scope="module")
def charts():
    return [make_chart(seed, 5) for seed in SEEDS]


def _rules(chart, kind):
    return [rule for rule in chart.board.border_rules if rule.kind is kind]


def test_most_maps_have_ranges_and_rivers(charts):
    for kind in BorderKind:
        assert 2 * sum(bool(_rules(chart, kind)) for chart in charts) > len(charts)


def test_armies_find_a_short_way_around_every_ridge(charts):
    for chart in charts:
        ways = chart.board.army_neighbors
        for rule in _rules(chart, BorderKind.CLOSED):
            first, second = sorted(rule.pair)
            assert second not in ways[first]
            assert count_steps(ways, [first])[second] <= 4
            assert min(len(ways[first]), len(ways[second])) >= 2


def test_fleets_still_pass_a_ridge_that_ends_at_a_sea(charts):
    for chart in charts:
        sailing = {frozenset(map(province_of, pair)) for pair in chart.board.fleet_borders}
        for rule in _rules(chart, BorderKind.CLOSED):
            assert (UnitKind.FLEET in rule.units) != (rule.pair in sailing)


def test_fleets_come_from_the_sea_to_both_banks_of_every_river(charts):
    for chart in charts:
        board = chart.board
        at_sea = next(p.code for p in board.provinces if p.terrain is Terrain.SEA)
        reached = count_steps(board.fleet_neighbors, [at_sea])
        for rule in _rules(chart, BorderKind.RIVER):
            assert rule.first in reached
            assert rule.second in reached


def test_a_river_of_its_own_touches_no_other(charts):
    for chart in charts:
        rivers = [frozenset().union(*river) for river in read_ground(chart).rivers]
        assert len(frozenset().union(*rivers)) == sum(map(len, rivers))


def test_map_files_with_terrain_pass_every_check(charts):
    for chart in charts[:2]:
        assert check_chart(dump_chart(chart)) == chart
