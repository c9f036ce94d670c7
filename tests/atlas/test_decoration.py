"""The decoration of generated maps touches no name, star or place for a unit."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from judge.tests.drawing.test_decoration import list_taken

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.judge.drawing import country_names
from diplomaccloud.judge.drawing.base import refine_chart
from diplomaccloud.judge.drawing.decoration import Decoration, list_boxes, place_decoration
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import find_territory
from diplomaccloud.judge.drawing.scene import list_rings
from diplomaccloud.judge.drawing.sizes import badge_scale
from diplomaccloud.judge.position import starting_position


def corners(box):
    return [(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)]


def is_inside(point, outlines):
    """Return whether a line to the left of `point` crosses the outlines an odd number of times."""
    x, y = point
    crossed = 0
    for outline in outlines:
        for (x0, y0), (x1, y1) in pairwise((*outline, outline[0])):
            crossed += (y0 > y) != (y1 > y) and x0 + (y - y0) * (x1 - x0) / (y1 - y0) < x
    return crossed % 2 == 1


def require_clear(chart):
    refined = refine_chart(chart)
    placed = place_decoration(refined)
    taken = list_taken(refined)
    boxes = list_boxes(refined, Labels.NAMES, Decoration.AUTO)
    assert [(box, other) for box in boxes for other in taken if box.shared_area(other)] == []
    # The boxes of turned letters of one name may overlap, although the letters do not.
    things = [[box] for box in placed.boxes] + [name.boxes for name in placed.names]
    for first, second in combinations(things, 2):
        assert not any(box.shared_area(other) for box in first for other in second)
    require_on_water(refined, placed)
    require_at_home(refined, placed)
    return placed


def require_on_water(chart, placed):
    land = [
        chart.outline(ring)
        for shape in chart.shapes
        if chart.board.by_code[shape.province].terrain != "sea"
        for ring in list_rings(shape)
    ]
    land += [chart.outline(ring) for _, rings in chart.scenery for ring in rings]
    for box in placed.boxes:
        for x, y in (point for outline in land for point in outline):
            assert not (box.left < x < box.right and box.top < y < box.bottom)


def require_at_home(chart, placed):
    owners = find_territory(chart, starting_position(chart.board))
    for name in placed.names:
        outlines = [
            chart.outline(ring)
            for shape in chart.shapes
            if owners.get(shape.province) == name.power
            for ring in list_rings(shape)
        ]
        assert all(is_inside(corner, outlines) for box in name.boxes for corner in corners(box))
        assert len(name.boxes) == len(name.text.replace(" ", ""))
        space = 5 * badge_scale(chart)
        for box in name.boxes:
            gaps = box.left, box.top, chart.size[0] - box.right, chart.size[1] - box.bottom
            assert min(gaps) > space


def test_the_decoration_of_a_map_touches_nothing(chart):
    placed = require_clear(chart)
    assert placed.cartouche is not None
    assert placed.compass is not None


def test_a_name_without_room_for_large_capitals_is_set_in_small_ones(chart, monkeypatch):
    refined = refine_chart(chart)
    usual = [(name.power, name.size) for name in place_decoration(refined).names]
    monkeypatch.setattr(country_names, "_SMALL_SIZES", ())
    # Results are kept per chart object, and this is another one.
    large = [(name.power, name.size) for name in place_decoration(replace(refined)).names]
    assert [name for name in usual if name in large] == large
    assert len(usual) > len(large)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 5, 7, 10])
def test_the_decoration_of_no_map_touches_anything(players):
    made = [require_clear(make_chart(f"sheet {number}", players)) for number in range(6)]
    assert all(placed.cartouche is not None for placed in made)
    assert sum(len(placed.names) for placed in made) >= 0.65 * players * len(made)
