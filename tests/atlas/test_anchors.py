"""The places of names, units and stars in the provinces of generated maps."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import box

from diplomaccloud.atlas.generator.anchors import CrowdedError, find_places
from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.pipeline import make_chart


def _coasts(anchors):
    return [place for place in anchors.units if "/" in place]


def _swap_dislodged_places(anchors):
    first, second = _coasts(anchors)
    return {first: anchors.units[second], second: anchors.dislodged_at(second)}


def _merge_places(anchors):
    return dict.fromkeys(_coasts(anchors), anchors.units[_coasts(anchors)[0]])


def _swap_places(anchors):
    first, second = _coasts(anchors)
    return {first: anchors.units[second], second: anchors.units[first]}


MISPLACEMENTS = {
    "dislodged onto another coast": lambda a: {"dislodged_coasts": _swap_dislodged_places(a)},
    "both fleets in one place": lambda a: {"units": a.units | _merge_places(a)},
    "fleets on each other's coasts": lambda a: {"units": a.units | _swap_places(a)},
}


@pytest.fixture(scope="module")
def split_chart():
    return make_chart("judge-1", landform="peninsulas")


@pytest.mark.parametrize("misplace", MISPLACEMENTS.values(), ids=MISPLACEMENTS)
def test_misplaced_units_on_split_coasts_are_reported(split_chart, misplace):
    shape = next(shape for shape in split_chart.shapes if len(shape.anchors.units) == 3)
    changed = replace(shape, anchors=replace(shape.anchors, **misplace(shape.anchors)))
    shapes = [changed if old is shape else old for old in split_chart.shapes]
    faults = find_faults(replace(split_chart, shapes=tuple(shapes)))
    assert {(fault.rule, fault.place) for fault in faults} == {(9, shape.province)}


@pytest.mark.parametrize(
    ("seed", "players"),
    [
        ("judge-49", 7),
        pytest.param("judge-2", 5, marks=pytest.mark.long),
        ("judge-3", 5),
        ("judge-5", 6),
    ],
)
def test_badges_in_split_provinces_never_overlap(seed, players):
    chart = make_chart(seed, players, landform="peninsulas")
    split = [shape.anchors for shape in chart.shapes if len(shape.anchors.units) > 1]
    assert split
    for anchors in split:
        fleets = [box(*_badge(anchors.units[place])) for place in _coasts(anchors)]
        dislodged = [box(*_badge(anchors.dislodged_at(place))) for place in anchors.units]
        units = [box(*_badge(spot)) for spot in anchors.units.values()]
        assert set(anchors.dislodged_coasts) == set(_coasts(anchors))
        assert not fleets[0].intersects(fleets[1])
        assert not any(badge.intersects(unit) for badge in dislodged for unit in units)


def _badge(spot):
    # The size at which the renderer draws it for the usual label size 13: 16 and 11.5 times 13/15.
    return spot[0] - 13.9, spot[1] - 10, spot[0] + 13.9, spot[1] + 10


def test_marks_are_packed_if_no_better_layout_fits():
    room = np.zeros((46, 22), dtype=np.int64)
    spots = find_places(room, 0, "Wide Name Of A Land", center=True, coasts=())
    assert spots.size == 0
    assert len({spots.label, spots.unit, spots.dislodged, spots.star}) == 4
    with pytest.raises(CrowdedError):
        find_places(room[:38], 0, "Wide Name Of A Land", center=True, coasts=())
