"""Lines: short numbers, paths, borders, simplification, smoothing, and curves."""

import pytest
from tests.atlas.toy_map import toy_chart

from diplomaccloud.atlas.render.paths import (
    find_border_arcs,
    join_arcs,
    num,
    simplify,
    smooth_line,
    write_path,
)
from diplomaccloud.atlas.render.strokes import curve_between, curve_through, trim_to_boxes


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.04, "0"),
        (12.0, "12"),
        (0.5, ".5"),
        (-0.52, "-.5"),
        (-3.26, "-3.3"),
        (100.0, "100"),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert num(value) == text


def test_path_data_is_relative_and_exact() -> None:
    assert write_path(((1, 2), (1.5, 2.2), (1.5, 2.2), (0, 0)), closed=True) == "M1 2l.5.2-1.5-2.2z"


def test_the_border_of_a_union_leaves_out_the_arcs_inside_it() -> None:
    chart = toy_chart()
    rings = [
        ring
        for shape in chart.shapes
        if shape.province in {"ALM", "KET", "IST", "BOR", "DUN"}
        for polygon in shape.polygons
        for ring in polygon
    ]
    arcs = find_border_arcs(rings)
    inside = {i for i, arc in enumerate(chart.arcs) if arc.kind == "land"}
    assert not inside & set(arcs)
    lines = join_arcs(chart, arcs)
    assert len(lines) == 1
    assert len(lines[0]) == len(arcs) == 10


def test_open_arcs_are_joined_from_a_free_end() -> None:
    chart = toy_chart()
    coast = [i for i, arc in enumerate(chart.arcs) if arc.kind == "coast"]
    assert sorted(len(line) for line in join_arcs(chart, coast)) == [1, 3, 3]


def test_simplified_lines_keep_their_ends_and_their_corners() -> None:
    line = ((0.0, 0.0), (5.0, 0.1), (10.0, 0.0), (10.0, 10.0))
    assert simplify(line, 0.5) == ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    rock = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0))
    assert simplify(rock, 1.0) == rock


def test_curves_end_clear_of_the_badges_at_both_ends() -> None:
    curve = trim_to_boxes(curve_between((0, 0), (100, 0)), (10, 5), (20, 5))
    assert 10 < curve.start[0] < 14
    assert 76 < curve.end[0] < 80
    assert curve_through((0, 0), (50, 30), (100, 0)).at(0.5) == (50, 30)
    crowded = trim_to_boxes(curve_between((0, 0), (8, 0)), (10, 5), (10, 5))
    assert crowded.start[0] < crowded.end[0]


@pytest.mark.parametrize(
    ("name", "ends_by"),
    [(None, 91), (((80, 0), (12, 5)), 69), (((80, 40), (12, 5)), 91)],
    ids=["no name", "a name in the way", "a name beside it"],
)
def test_an_arrow_ends_before_the_name_of_its_destination(
    name: tuple[tuple[float, float], tuple[float, float]] | None, ends_by: float
) -> None:
    curve = trim_to_boxes(curve_between((0, 0), (100, 0)), (10, 5), (10, 5), name)
    assert ends_by - 5 < curve.end[0] < ends_by


def test_borders_at_sea_are_smooth_and_keep_their_ends() -> None:
    line = ((0.0, 0.0), (10.0, 10.0), (20.0, 0.0))
    smooth = smooth_line(line)
    assert (smooth[0], smooth[-1]) == (line[0], line[-1])
    assert max(y for _, y in smooth) < 8
    assert smooth_line(line[:2])[-1] == line[1]
