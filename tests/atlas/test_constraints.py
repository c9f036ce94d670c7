"""Faults of generated maps: the rules find them, some before the map is drawn."""

from dataclasses import replace

import numpy as np
import pytest

from diplomaccloud.atlas.generator.borders import Layout
from diplomaccloud.atlas.generator.constraints import find_faults, find_unsound_provinces
from diplomaccloud.judge.board import Location, UnitKind
from diplomaccloud.judge.drawing.chart import Anchors

FAULTY = [
    ("armies in place of fleets", 3, lambda c: _with_board(c, starts=_all_armies(c))),
    ("a missing power", 8, lambda c: _with_board(c, starts=c.board.starts[3:])),
    ("another number of centers for victory", 10, lambda c: _with_board(c, victory_centers=20)),
    ("no land borders", 2, lambda c: _with_board(c, army_borders=())),
    ("no sea borders", 1, lambda c: _with_board(c, fleet_borders=(), border_rules=())),
    ("two provinces with one name", 9, lambda c: _with_board(c, provinces=_namesakes(c))),
    ("a label elsewhere", 9, lambda c: _with_anchors(c, label=(-50.0, -50.0))),
    ("units in one place", 9, lambda c: _with_anchors(c, dislodged=_unit_place(c))),
]


def _with_board(chart, **changes):
    return replace(chart, board=replace(chart.board, **changes))


def _all_armies(chart):
    return tuple(replace(start, kind=UnitKind.ARMY) for start in chart.board.starts)


def _namesakes(chart):
    first, second, *others = chart.board.provinces
    return (first, replace(second, name=first.name.upper()), *others)


def _unit_place(chart):
    shape = chart.shapes[0]
    return shape.anchors.units[Location(shape.province)]


def _with_anchors(chart, **changes):
    shape = chart.shapes[0]
    anchors: Anchors = replace(shape.anchors, **changes)
    return replace(chart, shapes=(replace(shape, anchors=anchors), *chart.shapes[1:]))


@pytest.mark.parametrize(
    ("rule", "change"), [row[1:] for row in FAULTY], ids=[row[0] for row in FAULTY]
)
def test_a_faulty_map_is_reported(chart, rule, change):
    assert rule in {fault.rule for fault in find_faults(change(chart))}


@pytest.mark.parametrize(("more", "sound"), [((), False), ((((1, 0), (3, 0)),), True)])
def test_a_coast_without_a_crossing_is_found_before_drawing(more, sound):
    sails = (((0, 0), (3, 0)), ((1, 0), (4, 0)), ((2, 0), (4, 0)), ((3, 0), (4, 0)), *more)
    coasts = ((frozenset({0}),), (frozenset({1}),), (frozenset({2}),))
    layout = Layout(3, 2, coasts, ((), (), ()), ((0, 1), (0, 2), (1, 2)), sails)
    sides = np.array([(0, 3), (1, 4), (2, 4)])
    faulty = find_unsound_provinces(layout, np.ones(5), np.full(3, 2.0), sides, usual_splits=6)
    assert faulty == (set() if sound else {3})


def test_faulty_provinces_are_found_before_drawing():
    walks = ((0, 1), (1, 2), (2, 3))
    sails = tuple(((land, 0), (4, 0)) for land in range(4))
    coasts = tuple((frozenset({land}),) for land in range(4))
    layout = Layout(4, 1, coasts, ((),) * 4, walks, sails)
    areas, sides = np.array([1, 1, 0.5, 1, 3]), np.array([(0, 4), (1, 4), (2, 4), (-1, 3)])
    borders = np.array([2, 2, 2, 0.9])
    faulty = find_unsound_provinces(layout, areas, borders, sides, usual_splits=6)
    assert faulty == {2, 3}
