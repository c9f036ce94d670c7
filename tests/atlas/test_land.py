"""The land of generated maps: the mesh, provinces and their lines, coasts, islets and heights."""

from math import dist
from statistics import fmean, pstdev

import numpy as np
import pytest
from shapely import LineString, Polygon, box

from diplomaccloud.atlas.chart import ArcKind
from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.atlas.generator import make_chart
from diplomaccloud.atlas.generator.drawing import mean_cell
from diplomaccloud.atlas.generator.mesh import make_mesh
from diplomaccloud.atlas.generator.provinces import Division, widened
from diplomaccloud.atlas.generator.streams import stream
from diplomaccloud.atlas.generator.topology import trace
from diplomaccloud.judge.board import Location, Terrain, UnitKind, province_of


@pytest.mark.parametrize(("seed", "players"), [("judge-139", 9), ("the first map", 7)])
def test_no_province_meets_the_frame_in_less_than_a_mesh_cell(seed, players):
    made = make_chart(seed, players)
    along = {
        (arc.left, arc.right, arc.points[0]): sum(map(dist, arc.points, arc.points[1:]))
        for arc in made.arcs
        if arc.kind is ArcKind.FRAME
    }
    assert min(along.values()) >= mean_cell(made)


def test_how_unlike_the_lands_are_is_reckoned_from_the_outlines_in_the_file(chart):
    read = load_chart(dump_chart(chart))
    by_code = read.board.by_code
    areas = [
        Polygon(read.outline(ring), [read.outline(hole) for hole in holes]).area
        for shape in read.shapes
        for ring, *holes in shape.polygons
        if by_code[shape.province].terrain is not Terrain.SEA
    ]
    assert read.fairness["cv_land_area"] == round(pstdev(areas) / fmean(areas), 4)


def test_every_arc_between_provinces_is_shared_by_exactly_two(chart):
    uses: dict[int, list[str]] = {}
    for shape in chart.shapes:
        for polygon in shape.polygons:
            for ring in polygon:
                for ref in ring:
                    uses.setdefault(ref if ref >= 0 else ~ref, []).append(shape.province)
    for number, arc in enumerate(chart.arcs):
        sides = {side for side in (arc.left, arc.right) if side is not None}
        if arc.left != arc.right:
            assert sorted(uses[number]) == sorted(sides), number


def test_provinces_that_share_an_arc_touch_and_no_others(chart):
    board = chart.board
    shared = {
        frozenset((arc.left, arc.right))
        for arc in chart.arcs
        if arc.kind is not ArcKind.FRAME and arc.left != arc.right
    }
    joined = {
        frozenset((province_of(one), province_of(other)))
        for one, other in (*board.army_borders, *board.fleet_borders)
    }
    assert joined == shared


def test_left_is_left_with_y_down(chart):
    frame = next(arc for arc in chart.arcs if arc.kind is ArcKind.FRAME and arc.points[0][1] == 0)
    (x, y), (to_x, to_y) = frame.points[:2]
    if y == to_y == 0:
        # Along the upper edge eastward the world beyond is on the left.
        assert (frame.left is None) == (to_x > x)


def test_provinces_fill_the_map_without_overlap(chart):
    total = 0.0
    for shape in chart.shapes:
        for ring in shape.polygons[0]:
            points = np.array(chart.outline(ring))
            after = np.roll(points, -1, axis=0)
            area = (points[:, 0] * after[:, 1] - after[:, 0] * points[:, 1]).sum() / 2
            total += -area
    assert total == pytest.approx(chart.size[0] * chart.size[1], rel=1e-6)


@pytest.mark.parametrize(("seed", "players"), [("a", 2), ("the first map", 7), ("g", 10)])
def test_wide_seas_have_two_to_six_islets_without_a_name_inside_one_sea(seed, players):
    made = make_chart(seed, players)
    islets = [Polygon(made.outline(ring)) for code, (ring,) in made.scenery if code == ""]
    assert 2 <= len(islets) <= 6
    for islet in islets:
        around = [shape for shape in made.shapes if _outline(made, shape).intersects(islet)]
        assert [_outline(made, shape).contains(islet) for shape in around] == [True]
        assert made.board.by_code[around[0].province].terrain is Terrain.SEA
        anchors = around[0].anchors
        spots = [anchors.label, anchors.dislodged, *anchors.units.values()]
        assert not any(islet.intersects(box(x - 10, y - 8, x + 10, y + 8)) for x, y in spots)


def _outline(made, shape):
    outer, *holes = shape.polygons[0]
    return Polygon(made.outline(outer), [made.outline(hole) for hole in holes])


def test_coasts_have_calm_stretches_and_rough_ones(chart):
    coasts = [arc.points for arc in chart.arcs if arc.kind is ArcKind.COAST]
    detours = sorted(
        LineString(points[i : i + 25]).length / dist(points[i], points[i + 24])
        for points in coasts
        for i in range(0, len(points) - 25, 12)
    )
    assert detours[len(detours) // 10] < 1.15
    assert detours[len(detours) * 9 // 10] > 1.5


def test_ranges_rise_on_a_part_of_the_land_and_plains_are_level(chart):
    land = [height for height in chart.relief.values if height]
    high = sum(height > 20 for height in land) / len(land)
    assert 0.1 < high < 0.7


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
            assert len(shores) >= 2, province.code


def test_a_narrow_land_becomes_wider_and_touches_nothing_new():
    mesh = make_mesh(stream("w", "mesh"), (300.0, 200.0), 400)
    far = np.abs(mesh.sites - np.array([150.0, 100.0]))
    owner = np.where((far[:, 0] < 60) & (far[:, 1] < 20), 0, 1)
    owner[mesh.sites[:, 0] < 50] = 2
    before = Division(owner, 1, 2, ())
    after = widened(mesh, before, [0])
    assert mesh.areas[after.owner == 0].sum() > 1.05 * mesh.areas[owner == 0].sum()
    assert _touching(mesh, after.owner) == _touching(mesh, owner)


def _touching(mesh, owner):
    return {frozenset((line.left, line.right)) for line in trace(mesh, owner)}


def test_the_mesh_fills_the_frame_and_every_edge_has_two_sides():
    mesh = make_mesh(stream("s", "mesh"), (300.0, 200.0), 400)
    assert float(mesh.areas.sum()) == pytest.approx(300 * 200)
    assert float(mesh.lengths.min()) > 0.5
    edge = mesh.vertices[mesh.ends[mesh.cells[:, 1] < 0]]
    on_frame = (edge == 0.0) | (edge == np.array([300.0, 200.0]))
    assert on_frame.any(axis=2).all()
