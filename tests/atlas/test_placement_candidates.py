"""Placements tried on one land: the same game as on the finished map, and sound ones only."""

from collections import Counter

import numpy as np
import pytest

from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.generator.center_placement import place_centers
from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.pipeline import make_chart, open_land
from diplomaccloud.atlas.generator.placement_candidates import Trials
from diplomaccloud.atlas.generator.placement_changes import Placement, PlacementChanges
from diplomaccloud.atlas.targets import BOARD_TARGETS


@pytest.fixture(scope="module")
def trials():
    return Trials(open_land("trials", 4))


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
    again = Trials(open_land("trials", 4))
    assert again.placement(1) == trials.placement(1) != trials.placement(0)


def test_changes_are_sound_and_keep_the_targets(trials):
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
    some = next(one for one in changes if one.starts != placement.starts)
    chart = trials.chart(some, "changed")
    assert chart is None or find_faults(chart) == ()


def test_what_is_over_the_targets_is_what_the_map_shows(trials):
    placement = trials.placement(0)
    for tried in [placement, *trials.changes(placement)[:3]]:
        shown = fairness(trials.board(tried))
        over = [max(shown[f"cv_{name}"] / most - 1, 0) for name, most in BOARD_TARGETS.items()]
        assert trials.excess(tried) == pytest.approx(sum(over), abs=0.01)


def test_a_placement_is_as_near_the_targets_as_changes_bring_it(trials):
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


def test_a_power_with_more_enemies_at_its_door_has_the_worse_outlook(trials):
    placement = trials.placement(0)
    outlook = trials.predicted_shares(placement)
    assert outlook.shape == (4,)
    assert np.array_equal(outlook, trials.predicted_shares(placement))
    assert len(set(outlook.tolist())) > 1


def test_a_power_that_cannot_move_leaves_the_others_their_changes(trials, monkeypatch):
    placement = trials.placement(0)
    options = trials._changes._list_options

    def fewer(starts, who, neutrals):
        return options(starts, who, neutrals)[: 0 if who == 0 else None]

    monkeypatch.setattr(trials._changes, "_list_options", fewer)
    left = trials.changes(placement)
    assert {one.starts[0] for one in left} == {placement.starts[0]}
    assert len({one.starts for one in left}) > 1
