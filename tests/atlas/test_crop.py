"""Parts of the standard map, cut out for lessons."""

import pytest

from diplomaccloud.atlas.crop import crop_chart
from diplomaccloud.judge.drawing.chart import ArcKind, Window
from diplomaccloud.judge.drawing.europe import standard_chart

WINDOW = Window(420, 290, 770, 650)


@pytest.fixture(scope="module")
def cut():
    return crop_chart(standard_chart(), WINDOW, "Germany", without=("WAR",))


def test_provinces_with_room_stay_in_play(cut):
    assert {"BER", "KIE", "MUN", "DEN"} <= set(cut.board.by_code)
    assert {"PAR", "NTH", "WAR"}.isdisjoint(cut.board.by_code)


def test_borders_between_provinces_in_play_stay(cut):
    whole = standard_chart().board
    for code, neighbors in cut.board.army_neighbors.items():
        assert neighbors == whole.army_neighbors[code] & set(cut.board.by_code)


def test_everything_is_inside_the_window(cut):
    width, height = cut.size
    points = [point for arc in cut.arcs for point in arc.points]
    points += [shape.anchors.label for shape in cut.shapes]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)


def test_every_outline_is_closed(cut):
    for shape in cut.shapes:
        for ring in (ring for polygon in shape.polygons for ring in polygon):
            lines = [cut.arcs[r].points if r >= 0 else cut.arcs[~r].points[::-1] for r in ring]
            ends = [(line[0], line[-1]) for line in lines]
            assert all(end == ends[(n + 1) % len(ends)][0] for n, (_, end) in enumerate(ends))


def test_areas_are_those_of_the_whole_map(cut):
    whole = standard_chart()
    areas = {shape.province: whole.area(shape) for shape in whole.shapes}
    for shape in cut.shapes:
        if shape.province in {"MUN", "KIE", "RUH"}:  # entirely inside the window
            assert cut.area(shape) == pytest.approx(areas[shape.province], rel=0.001)


def test_the_edge_of_the_window_is_the_frame(cut):
    width, height = cut.size
    frame = [arc for arc in cut.arcs if arc.kind is ArcKind.FRAME]
    length = sum(
        abs(arc.points[0][0] - arc.points[1][0]) + abs(arc.points[0][1] - arc.points[1][1])
        for arc in frame
    )
    assert length == pytest.approx(2 * (width + height))
