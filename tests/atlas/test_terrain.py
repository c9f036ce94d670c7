"""The terrain of generated maps: ranges with passes, and rivers that fleets follow."""

from dataclasses import replace

import pytest
from shapely import LineString, MultiPoint, Polygon, STRtree, box, unary_union
from shapely import Point as Spot

from diplomaccloud.atlas.chartfile import check_chart, dump_chart
from diplomaccloud.atlas.generator.anchors import BADGE, STAR, measure_label
from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.atlas.landforms import Landform, find_named_faults, landform_of, read_ground
from diplomaccloud.judge.board import BorderKind, Terrain, UnitKind, province_of
from diplomaccloud.judge.drawing.base import render_base
from diplomaccloud.judge.drawing.chart import CLIMATES, FeatureKind
from diplomaccloud.judge.drawing.features import list_feature_boxes
from diplomaccloud.judge.drawing.labels import list_names
from diplomaccloud.judge.drawing.sizes import badge_box, badge_scale, box_around, place_badges
from diplomaccloud.judge.drawing.theme import LIGHT
from diplomaccloud.judge.geography import count_steps

SEEDS = ["the first map", "ranges", "rivers", "a", "c", "d", "e"]


@pytest.fixture(scope="module")
def charts():
    return [make_chart(seed, 5) for seed in SEEDS]


def outlines(chart):
    """Return the outline of each province."""
    return {shape.province: Polygon(chart.outline(shape.polygons[0][0])) for shape in chart.shapes}


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


def test_every_large_land_mass_has_a_river_drawn_to_its_coast(charts):
    for chart in charts:
        ground = read_ground(chart)
        codes = [province.code for province in chart.board.provinces]
        bodies = outlines(chart)
        mouths = [one.points[-1] for one in chart.features if one.kind is FeatureKind.RIVER]
        for mass in ground.masses:
            if len(mass) >= 8:
                land = unary_union([bodies[codes[number]] for number in mass])
                coast = land.boundary
                assert any(coast.distance(Spot(mouth)) < 12 for mouth in mouths)


def test_no_river_and_no_sign_is_under_a_name_or_a_unit(charts):
    for chart in charts:
        boxes = [
            box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            for shape in chart.shapes
            for (x, y), (wide, high) in [
                (
                    shape.anchors.label,
                    measure_label(shape.anchors.label_lines, shape.anchors.label_size),
                ),
                *((spot, BADGE) for spot in shape.anchors.units.values()),
                *([(shape.anchors.star, STAR)] if shape.anchors.star else []),
            ]
        ]
        printed = STRtree(boxes)
        for one in chart.features:
            if one.kind is FeatureKind.RIVER:
                drawn = LineString(one.points)
            elif one.kind in CLIMATES:
                drawn = MultiPoint(one.points)
            else:
                continue
            assert [
                one.kind for near in printed.query(drawn) if boxes[near].intersects(drawn)
            ] == []


def test_no_name_of_a_feature_touches_the_frame(charts):
    for chart in charts:
        width, height = chart.size
        for name in list_feature_boxes(chart):
            assert min(name.left, name.top, width - name.right, height - name.bottom) > 0


def test_most_islets_have_a_name_beside_them_at_sea(charts):
    islets, names = 0, 0
    for chart in charts:
        coasts = [LineString(chart.outline(ring)) for _, rings in chart.scenery for ring in rings]
        islets += len(chart.scenery)
        lands = [
            shape
            for code, shape in outlines(chart).items()
            if chart.board.by_code[code].terrain is not Terrain.SEA
        ]
        for one in chart.features:
            if {"Isle", "Isles", "Island", "Islands"} & {*one.name.split()}:
                names += 1
                line = LineString(one.printed_line)
                assert min(coast.distance(line) for coast in coasts) < 40
                assert not any(land.intersects(line) for land in lands)
    assert names > 0.7 * islets


def test_names_of_features_are_unique_and_on_the_map(charts):
    for chart in charts:
        named = [one for one in chart.features if one.name]
        assert len({one.name.casefold() for one in named}) == len(named)
        assert any(one.printed_line for one in named)
        width, height = chart.size
        points = [point for one in chart.features for point in one.points]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in points)


def test_most_named_rivers_and_lakes_show_their_names_and_touch_nothing(charts):
    named = [
        one
        for chart in charts
        for one in chart.features
        if one.name and one.kind in (FeatureKind.RIVER, FeatureKind.LAKE)
    ]
    assert sum(one.label is not None for one in named) >= 0.8 * len(named)
    for chart in charts:
        unit = badge_scale(chart)
        taken = [box for text in list_names(chart).values() for box in text.boxes]
        taken += [badge_box(at, unit) for at in place_badges(chart).values()]
        taken += [
            box_around(shape.anchors.star, 9 * unit, 9 * unit)
            for shape in chart.shapes
            if shape.anchors.star is not None
        ]
        names = list_feature_boxes(chart)
        # The outer boxes reach half a letter beyond the name.
        assert [one for one in names if any(one.shared_area(other) > 8 for other in taken)] == []


def test_map_files_with_terrain_pass_every_check(charts):
    for chart in charts[:2]:
        assert check_chart(dump_chart(chart)) == chart


def test_a_great_river_touches_homes_of_three_powers():
    chart = make_chart("vale", 5, landform="great-river")
    assert find_named_faults(chart) == ()
    assert max(map(len, read_ground(chart).rivers)) >= 6
    assert landform_of(chart.maker) is Landform.GREAT_RIVER


@pytest.fixture(scope="module")
def highlands():
    return make_chart("massif", 5, landform="highlands")


def test_highlands_have_named_ranges_passes_and_lakes(highlands):
    ground = read_ground(highlands)
    assert find_named_faults(highlands) == ()
    assert find_faults(highlands) == ()
    assert len(ground.ranges) >= 2
    assert len(ground.passes) >= 3
    assert len(ground.lakes) >= 2
    printed = {one.name for one in highlands.features if one.printed_line}
    assert sum(name.endswith("Pass") for name in printed) >= 2
    assert printed.intersection(name for _, name in highlands.board.impassable)


def test_impassable_land_is_covered_with_mountains_instead_of_lines(highlands):
    drawn = render_base(highlands)
    assert LIGHT.rock in drawn
    assert 'fill="url(#b-hatch)"' not in drawn
    bare = replace(highlands, features=())
    assert 'fill="url(#b-hatch)"' in render_base(bare)


def test_no_fleet_starts_at_a_lake(highlands):
    board, ground = highlands.board, read_ground(highlands)
    codes = [*board.by_code]
    shores = {codes[area] for area in ground.find_shores(frozenset().union(*ground.lakes))}
    fleets = {start.location for start in board.starts if start.kind is UnitKind.FLEET}
    assert fleets
    assert shores
    assert not fleets & shores


def test_a_map_of_highlands_passes_every_check(highlands):
    assert check_chart(dump_chart(highlands)) == highlands


def test_polar_land_lies_around_an_ice_cap():
    chart = make_chart("floe", 4, landform="polar")
    assert find_named_faults(chart) == ()
    assert find_faults(chart) == ()
    ground = read_ground(chart)
    assert ground.impassable_share > 0.04
    assert check_chart(dump_chart(chart)) == chart
    (code, name) = chart.board.impassable[0]
    assert name in {one.name for one in chart.features}
    cap = unary_union(
        [Polygon(chart.outline(rings[0])) for one, rings in chart.scenery if one == code]
    )
    cracks = [one.points for one in chart.features if one.kind is FeatureKind.GLACIER]
    assert all(cap.contains(Spot(point)) for points in cracks for point in points)
    assert LIGHT.glacier in render_base(chart)
