"""The land of generated maps: the mesh, provinces and their lines, coasts, islets and heights."""

from math import dist
from statistics import fmean, pstdev

import numpy as np
import pytest
from shapely import LineString, Polygon, box

from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.atlas.generator.constraints import mean_cell_side
from diplomaccloud.atlas.generator.drawn_map import measure_drawn_areas
from diplomaccloud.atlas.generator.land_and_sea import divide_land_and_sea
from diplomaccloud.atlas.generator.mesh import make_mesh
from diplomaccloud.atlas.generator.pipeline import make_chart, open_land
from diplomaccloud.atlas.generator.provinces import CellWeights, Division, redivide_provinces
from diplomaccloud.atlas.generator.random_streams import random_stream
from diplomaccloud.judge.board import BorderKind, Location, Terrain, UnitKind, province_of
from diplomaccloud.judge.drawing.chart import ArcKind


@pytest.mark.parametrize(("seed", "players"), [("judge-139", 9), ("the first map", 7)])
def test_no_province_meets_the_frame_in_less_than_a_mesh_cell(seed, players):
    chart = make_chart(seed, players)
    along = {
        (arc.left, arc.right, arc.points[0]): sum(map(dist, arc.points, arc.points[1:]))
        for arc in chart.arcs
        if arc.kind is ArcKind.FRAME
    }
    assert min(along.values()) >= mean_cell_side(chart)


def test_the_spread_of_land_areas_is_computed_from_the_stored_outlines(chart):
    read = load_chart(dump_chart(chart))
    by_code = read.board.by_code
    areas = [
        Polygon(read.outline(ring), [read.outline(hole) for hole in holes]).area
        for shape in read.shapes
        for ring, *holes in shape.polygons
        if by_code[shape.province].terrain is not Terrain.SEA
    ]
    assert read.fairness["cv_land_area"] == round(pstdev(areas) / fmean(areas), 4)


def _list_outlines(chart):
    """Return the code and the rings of each province and of each piece of impassable land."""
    solids = [(code, rings) for code, rings in chart.scenery if code]
    return [*((shape.province, shape.polygons[0]) for shape in chart.shapes), *solids]


def test_every_arc_between_provinces_is_shared_by_exactly_two(chart):
    uses: dict[int, list[str]] = {}
    for code, rings in _list_outlines(chart):
        for ring in rings:
            for ref in ring:
                uses.setdefault(ref if ref >= 0 else ~ref, []).append(code)
    for number, arc in enumerate(chart.arcs):
        sides = {side for side in (arc.left, arc.right) if side is not None}
        if arc.left != arc.right:
            assert sorted(uses[number]) == sorted(sides), number


def test_provinces_that_share_an_arc_touch_and_no_others(chart):
    board = chart.board
    shared = {
        frozenset((arc.left, arc.right))
        for arc in chart.arcs
        if arc.kind is not ArcKind.FRAME
        and arc.left != arc.right
        and board.by_code.keys() >= {arc.left, arc.right}
    }
    joined = {
        frozenset((province_of(first), province_of(second)))
        for first, second in (*board.army_borders, *board.fleet_borders)
    }
    closed = {rule.pair for rule in board.border_rules if rule.kind is BorderKind.CLOSED}
    assert joined | closed == shared


def test_the_left_side_of_an_arc_is_left_with_y_down(chart):
    frame = next(arc for arc in chart.arcs if arc.kind is ArcKind.FRAME and arc.points[0][1] == 0)
    (x, y), (to_x, to_y) = frame.points[:2]
    if y == to_y == 0:
        # Going east along the upper edge, the outside is on the left.
        assert (frame.left is None) == (to_x > x)


def test_provinces_fill_the_map_without_overlap(chart):
    total = 0.0
    for _, rings in _list_outlines(chart):
        for ring in rings:
            points = np.array(chart.outline(ring))
            after = np.roll(points, -1, axis=0)
            area = (points[:, 0] * after[:, 1] - after[:, 0] * points[:, 1]).sum() / 2
            total += -area
    assert total == pytest.approx(chart.size[0] * chart.size[1], rel=1e-6)


@pytest.mark.parametrize(("seed", "players"), [("a", 2), ("the first map", 7), ("g", 10)])
def test_wide_seas_have_two_to_six_unnamed_islets_each_inside_one_sea(seed, players):
    chart = make_chart(seed, players)
    islets = [Polygon(chart.outline(ring)) for code, (ring,) in chart.scenery if code == ""]
    assert 2 <= len(islets) <= 6
    for islet in islets:
        around = [shape for shape in chart.shapes if _outline(chart, shape).intersects(islet)]
        assert [_outline(chart, shape).contains(islet) for shape in around] == [True]
        assert chart.board.by_code[around[0].province].terrain is Terrain.SEA
        anchors = around[0].anchors
        spots = [anchors.label, anchors.dislodged, *anchors.units.values()]
        assert not any(islet.intersects(box(x - 10, y - 8, x + 10, y + 8)) for x, y in spots)


def _outline(chart, shape):
    outer, *holes = shape.polygons[0]
    return Polygon(chart.outline(outer), [chart.outline(hole) for hole in holes])


def test_coasts_have_calm_stretches_and_rough_ones(chart):
    arcs = (*chart.arcs, *make_chart("velvet").arcs)
    coasts = [arc.points for arc in arcs if arc.kind is ArcKind.COAST]
    detours = sorted(
        LineString(points[i : i + 25]).length / dist(points[i], points[i + 24])
        for points in coasts
        for i in range(0, len(points) - 25, 12)
    )
    assert detours[len(detours) // 10] < 1.15
    assert detours[len(detours) * 9 // 10] > 1.5


def test_part_of_the_land_is_mountainous_and_plains_are_level(chart):
    land = [height for height in chart.relief.values if height]
    high = sum(height > 20 for height in land) / len(land)
    assert 0.1 < high < 0.9


def test_an_army_can_be_convoyed_from_every_coast(chart):
    board = chart.board
    for province in board.provinces:
        if province.terrain is Terrain.COASTAL:
            seas = {
                sea
                for place in province.fleet_locations
                for sea in board.reach(UnitKind.FLEET, place)
                if board.by_code[sea].terrain is Terrain.SEA
            }
            shores = {
                code
                for sea in seas
                for code in board.reach(UnitKind.FLEET, Location(sea))
                if board.by_code[code].terrain is Terrain.COASTAL
            }
            # Banks of a river far from the sea are coasts, too, but not for convoys.
            assert len(shores) >= 2 or not seas, province.code


def test_only_a_faulty_province_and_neighbors_of_its_kind_are_divided_again():
    mesh = make_mesh(random_stream("w", "mesh"), (300.0, 200.0), 400)
    fields = CellWeights(np.ones(len(mesh.sites)), mesh.areas, np.zeros(len(mesh.sites), np.int64))
    # Lands in columns, the first of them much too narrow, and one sea below them.
    owner = np.searchsorted([12.0, 100.0, 200.0], mesh.sites[:, 0])
    owner[mesh.sites[:, 1] > 150] = 4
    before = Division(owner, 4, 1, ())
    after = redivide_provinces(mesh, before, fields, ([0], 1), random_stream("w", "repairs"))
    areas = np.bincount(after.owner, weights=mesh.areas)
    assert areas[0] > 0.8 * areas[1]
    assert np.array_equal(after.owner == 4, owner == 4)
    assert _overlap(after.owner, owner, 3) > 0.9


def _overlap(first, second, province):
    return ((first == province) & (second == province)).sum() / (second == province).sum()


def test_no_land_or_water_meets_too_little_of_the_frame():
    mesh = make_mesh(random_stream("w", "mesh"), (300.0, 200.0), 400)
    heights = np.where(mesh.sites[:, 1] > 60, 1.0, -1.0)
    # One cell of water at the lower edge, surrounded by land.
    heights[np.argmin(np.abs(mesh.sites - np.array([150.0, 200.0])).sum(axis=1))] = -1.0
    land = divide_land_and_sea(mesh, heights, 0.7, 0.0).land
    edge = mesh.cells[(mesh.cells[:, 1] < 0) & (mesh.vertices[mesh.ends].min(axis=1)[:, 1] > 199)]
    assert land[edge[:, 0]].all()


@pytest.mark.long
@pytest.mark.parametrize(("seed", "players", "provinces"), [("s5", 7, 80), ("s1", 7, 120)])
def test_areas_of_provinces_are_known_before_the_map_is_finished(seed, players, provinces):
    opened = open_land(seed, players, provinces=provinces)
    chart = opened.first
    areas = [chart.area(shape) for shape in chart.shapes]
    assert measure_drawn_areas(opened.land.drawn).tolist() == pytest.approx(areas, rel=1e-9)


def test_the_mesh_fills_the_frame_and_every_edge_has_two_sides():
    mesh = make_mesh(random_stream("s", "mesh"), (300.0, 200.0), 400)
    assert float(mesh.areas.sum()) == pytest.approx(300 * 200)
    assert float(mesh.lengths.min()) > 0.5
    edge = mesh.vertices[mesh.ends[mesh.cells[:, 1] < 0]]
    on_frame = (edge == 0.0) | (edge == np.array([300.0, 200.0]))
    assert on_frame.any(axis=2).all()
