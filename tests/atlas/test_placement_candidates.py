"""Placements tried on one land: the same game as on the finished map, without faults."""

from collections import Counter

import numpy as np
import pytest

from diplomaccloud.atlas.fairness import BOARD_TARGETS, fairness
from diplomaccloud.atlas.generator.center_placement import place_centers
from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.pipeline import make_chart, open_land
from diplomaccloud.atlas.generator.placement_candidates import (
    Placement,
    PlacementCandidates,
    PlacementChanges,
)


@pytest.fixture(scope="module")
def trials():
    return PlacementCandidates(open_land("trials", 4))


def degrees(board):
    ways = Counter(end for border in board.army_borders for end in border)
    return sorted((ways[p.code], p.terrain, p.center, len(p.coasts)) for p in board.provinces)


def test_the_land_is_that_of_the_seed():
    land = open_land("trials", 4)
    assert land.first == make_chart("trials", 4)


def test_the_nameless_board_is_that_of_the_map(trials):
    placement = trials.placement(0)
    sketch, chart = trials.board(placement), trials.chart(placement, "tried")
    assert chart.maker.endswith(", tried")
    assert find_faults(chart) == ()
    assert degrees(sketch) == degrees(chart.board)
    assert len(sketch.fleet_borders) == len(chart.board.fleet_borders)
    assert sketch.victory_centers == chart.board.victory_centers
    assert Counter(start.kind for start in sketch.starts) == Counter(
        start.kind for start in chart.board.starts
    )


def test_placements_follow_from_their_number_and_differ(trials):
    again = PlacementCandidates(open_land("trials", 4))
    assert again.placement(1) == trials.placement(1) != trials.placement(0)


def test_changes_have_no_faults_and_keep_the_targets(trials):
    placement = trials.placement(0)
    changes = trials.changes(placement)
    assert len(set(changes)) == len(changes) > 0
    limit = max(trials.excess(placement), 0.3)
    kinds = set()
    for change in changes:
        starts = sum(a != b for a, b in zip(change.starts, placement.starts, strict=True))
        neutrals = len(set(placement.neutrals) - set(change.neutrals))
        assert (starts, neutrals) == (0, 1) or (starts == 1 and neutrals <= 4)
        assert trials.excess(change) <= limit
        kinds.add(starts)
    assert kinds == {0, 1}
    changed = next(change for change in changes if change.starts != placement.starts)
    chart = trials.chart(changed, "changed")
    assert chart is None or find_faults(chart) == ()


def test_the_excess_matches_the_figures_of_the_map(trials):
    placement = trials.placement(0)
    for tried in [placement, *trials.changes(placement)[:3]]:
        shown = fairness(trials.board(tried))
        over = [max(shown[f"cv_{name}"] / most - 1, 0) for name, most in BOARD_TARGETS.items()]
        assert trials.excess(tried) == pytest.approx(sum(over), abs=0.01)


def test_changes_bring_a_placement_as_near_to_the_targets_as_possible(trials):
    near = PlacementChanges(trials._possible, trials._balance)
    gains = []
    for number in range(1, 5):
        drawn = place_centers(trials._layout, 4, trials._land.random_stream(f"placement {number}"))
        starts = zip(drawn.homes, drawn.fleets, strict=True)
        raw = Placement(tuple(trials._start_numbers[start] for start in starts), drawn.neutrals)
        assert near.improve(raw) == trials.placement(number)
        gains.append(trials.excess(raw) - trials.excess(trials.placement(number)))
    assert min(gains) >= 0
    assert max(gains) > 0


def test_predicted_shares_are_repeatable_and_differ_between_powers(trials):
    placement = trials.placement(0)
    predicted = trials.predicted_shares(placement)
    assert predicted.shape == (4,)
    assert np.array_equal(predicted, trials.predicted_shares(placement))
    assert len(set(predicted.tolist())) > 1


def test_a_power_without_other_starts_does_not_block_changes_of_the_others(trials, monkeypatch):
    placement = trials.placement(0)
    options = trials._changes._list_options

    def fewer(starts, power, neutrals):
        return options(starts, power, neutrals)[: 0 if power == 0 else None]

    monkeypatch.setattr(trials._changes, "_list_options", fewer)
    left = trials.changes(placement)
    assert {change.starts[0] for change in left} == {placement.starts[0]}
    assert len({change.starts for change in left}) > 1
