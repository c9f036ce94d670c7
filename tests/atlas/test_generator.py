from dataclasses import replace
from itertools import combinations
from math import dist
from statistics import fmean, pstdev

import numpy as np
import pytest
from shapely import LineString, Polygon, box

from diplomaccloud.atlas.chart import Anchors, ArcKind
from diplomaccloud.atlas.chartfile import content_hash, dump_chart, load_chart
from diplomaccloud.atlas.generator import make_chart, make_placements, making
from diplomaccloud.atlas.generator.balance import AIMS, EVEN_SHARE, Balance
from diplomaccloud.atlas.generator.board import Layout
from diplomaccloud.atlas.generator.colouring import chosen
from diplomaccloud.atlas.generator.drawing import mean_cell
from diplomaccloud.atlas.generator.homes import _Search
from diplomaccloud.atlas.generator.mesh import make_mesh
from diplomaccloud.atlas.generator.names import make_codes
from diplomaccloud.atlas.generator.placement import CrowdedError, place
from diplomaccloud.atlas.generator.provinces import Division, widened
from diplomaccloud.atlas.generator.sites import find_sites
from diplomaccloud.atlas.generator.streams import stream
from diplomaccloud.atlas.generator.topology import trace
from diplomaccloud.atlas.generator.validate import faults, unsound
from diplomaccloud.atlas.palette import colour_sets, least_difference
from diplomaccloud.judge.board import Location, Terrain, UnitKind, province_of
from diplomaccloud.judge.fairness import _Chances, fairness
from diplomaccloud.judge.standard import standard_board

GOLDEN = {
    ("a", 2): "9073d489acdc672b466be3c295240438269bca0ec520f0b426e8b818b7543a9c",
    ("b", 3): "0be2a888df54320b64316abbec1b0b3adbcd780376fa9780c1685ad9a23ea0a7",
    ("d", 5): "768203dcd6a11714d723c0d97450a281e8c5070c5cbb001a7fbe8369d819d559",
    ("the first map", 7): "72fab05b06b6cd11e26945c8b2db8fcf4012179aa685c8671b73928978505d91",
    ("g", 10): "3d9dfca47c6304e92be2b3dbeb02aab5e129d138b4a5eac6a1ee110b5b43ace5",
}
"""The maps of generator 6: on every machine, with every Python and numpy that we run on."""


@pytest.fixture(scope="module")
def chart():
    return make_chart("the first map")


@pytest.mark.parametrize(
    ("seed", "players"),
    [("a", 2), ("b", 3), ("c", 4), ("d", 5), ("e", 7), ("f", 7), ("ß ☂", 7), ("g", 10)],
)
def test_every_map_keeps_the_hard_constraints(seed, players):
    made = make_chart(seed, players)
    assert [str(fault) for fault in faults(made)] == []
    assert len(made.board.powers) == players
    assert load_chart(dump_chart(made)) == made


def test_one_seed_gives_one_map(chart):
    assert dump_chart(make_chart("the first map")) == dump_chart(chart)


@pytest.mark.parametrize(("seed", "players"), GOLDEN)
def test_the_map_of_a_seed_is_the_same_everywhere(seed, players):
    assert content_hash(make_chart(seed, players)) == GOLDEN[seed, players]


def test_the_report_of_a_map_is_what_its_board_shows(chart):
    shown = fairness(chart.board)
    assert shown.items() <= chart.fairness.items()


@pytest.fixture(scope="module")
def placement():
    """Return starts on a board, and everything to measure them with."""
    order = making._ordered("balance", 5, None, 0.25)
    land = next(making._lands(order))
    sites, rng = find_sites(land.layout), stream("balance", "test")
    search = _Search(land.layout, sites, 5, rng)
    search.begin()
    _, chosen, neutrals = search.result()
    return land.layout, sites, chosen, neutrals


def test_a_search_measures_what_the_finished_board_shows(chart):
    board = chart.board
    codes = [province.code for province in board.provinces]
    lands = sum(province.terrain is not Terrain.SEA for province in board.provinces)
    order = making._ordered("the first map", 7, None, 0.25)
    layout = next(making._lands(order)).layout
    assert layout.lands == lands
    sites = find_sites(layout)
    fleets = {start.location for start in board.starts if start.kind is UnitKind.FLEET}
    chosen = [_site_of(sites, codes, homes, fleets) for homes in board.home_centers.values()]
    homes = {code for home in board.home_centers.values() for code in home}
    neutrals = np.array([codes.index(code) for code in board.centers if code not in homes])
    balance = Balance(sites, 7)
    values, broken = balance.measured(balance.home_part(np.array([chosen])), neutrals)
    shown = fairness(board)
    assert broken.tolist() == [0.0]
    for name, row in zip(AIMS, values[:, :, 0].T, strict=True):
        mean = EVEN_SHARE if name == "predicted_share" else row.mean()
        assert float(row.std() / mean) == pytest.approx(shown[f"cv_{name}"], abs=1e-4), name


def _site_of(sites, codes, homes, fleets):
    members = sorted(codes.index(code) for code in homes)
    sailing = {codes.index(code) for code in homes if code in fleets}
    found = [
        site
        for site in np.flatnonzero((sites.members == members).all(axis=1)).tolist()
        if sites.fleets(site) == sailing
    ]
    assert len(found) == 1
    return found[0]


def test_a_swap_of_a_neutral_center_costs_what_the_board_after_it_costs(placement):
    layout, sites, chosen, neutrals = placement
    balance = Balance(sites, len(chosen))
    part = balance.home_part(chosen[None])
    homes = sites.members[chosen].ravel()
    free = np.setdiff1d(np.arange(layout.lands), np.concatenate([homes, neutrals]))
    costs = balance.swap_costs(part, neutrals, free)
    for row in range(len(neutrals)):
        for column in range(len(free)):
            after = neutrals.copy()
            after[row] = free[column]
            assert costs[row, column] == balance.cost(part, after)[0]


def test_figures_of_the_standard_board_are_those_of_the_specification():
    shown = fairness(standard_board())
    assert {name: round(shown[name], 2) for name in STANDARD} == STANDARD


STANDARD = {
    "cv_neutrals_two_moves": 0.21,
    "cv_neutral_share": 0.44,
    "cv_moves_to_threaten": 0.14,
    "cv_distance_to_win": 0.15,
    "cv_enemy_homes_three_moves": 0.35,
    "cv_voronoi_share": 0.19,
    "cv_frontier": 0.21,
}


@pytest.mark.parametrize(("provinces", "players"), [(34, 2), (160, 7), (400, 10)])
def test_maps_of_other_sizes_keep_every_constraint_but_the_number_of_spaces(provinces, players):
    made = make_chart("size", players, provinces=provinces)
    assert len(made.board.provinces) == provinces
    assert {fault.rule for fault in faults(made)} <= {10}


@pytest.mark.parametrize(
    "other",
    [{"seed": "another"}, {"players": 6}, {"provinces": 80}, {"sea": 0.3}],
    ids=["seed", "players", "provinces", "sea"],
)
def test_every_wish_changes_the_map(chart, other):
    wishes = {"seed": "the first map", "players": 7} | other
    assert content_hash(make_chart(wishes.pop("seed"), wishes.pop("players"), **wishes)) != (
        content_hash(chart)
    )


def test_placements_share_their_land_and_begin_with_the_map_of_the_seed(chart):
    first, second, third = make_placements("the first map", count=3)
    assert first == chart
    assert second == make_chart("the first map", placement=1)
    assert len({frozenset(made.board.starts) for made in (first, second, third)}) == 3
    assert {tuple(arc.points for arc in made.arcs) for made in (second, third)} == {
        tuple(arc.points for arc in first.arcs)
    }


def test_numbers_wished_for_are_kept():
    made = make_chart("wish", 7, provinces=90, sea=0.3)
    terrains = [province.terrain for province in made.board.provinces]
    assert len(terrains) == 90
    assert terrains.count(Terrain.SEA) == 27


@pytest.mark.parametrize(
    ("wishes", "part"),
    [
        ({"players": 1}, "players: 1"),
        ({"players": 11}, "players: 11"),
        ({"provinces": 33}, "provinces: 33"),
        ({"provinces": 401}, "provinces: 401"),
        ({"players": 10, "provinces": 60}, "provinces: 60"),
        ({"placement": -1}, "placement: -1"),
        ({"sea": 0.1}, "sea: 0.1"),
        ({"sea": float("nan")}, "sea: nan"),
        ({"seed": "a" * 201}, "seed"),
        ({"seed": "a\n"}, "seed"),
    ],
)
def test_a_number_out_of_range_is_refused(wishes, part):
    with pytest.raises(ValueError, match=part):
        make_chart(**({"seed": "s"} | wishes))


def test_the_seven_power_map_has_the_numbers_of_the_standard_board(chart):
    board = chart.board
    assert len(board.provinces) == 75
    assert len(board.centers) == 35
    assert board.victory_centers == 18
    assert len(board.starts) == 21
    assert all(len(homes) == 3 for homes in board.home_centers.values())


@pytest.mark.parametrize("seed", ["judge-5", "judge-17", "judge-49"])
def test_two_units_of_every_power_take_two_neutral_centers_in_the_first_year(seed):
    board = make_chart(seed).board
    neutrals = {p.code for p in board.provinces if p.center and p.home is None}
    for power in board.home_centers:
        ways = {
            (start.location, code)
            for start in board.starts
            if start.power == power
            for code in neutrals & _after_two_moves(board, start)
        }
        assert any(
            one[0] != other[0] and one[1] != other[1] for one, other in combinations(ways, 2)
        ), power


def _after_two_moves(board, start):
    places = {start.location}
    for _ in range(2):
        places |= {to for place in places for to in board.reach(start.kind, place)}
    return {province_of(place) for place in places}


@pytest.mark.parametrize("seed", ["judge-46", "judge-48", "judge-51", "judge-55"])
def test_whatever_makes_a_rival_no_power_has_too_few_or_too_many(seed):
    board = make_chart(seed).board
    chances = _Chances(board)
    for power in board.home_centers:
        others = [other for other in board.home_centers if other != power]
        preys = {one for one in others if _soon(chances.moves[power], board.home_centers[one])}
        foes = {one for one in others if _soon(chances.moves[one], board.home_centers[power])}
        near = [one for one in others if _soon(chances.steps[power], board.home_centers[one])]
        assert len(preys) >= 2
        assert 2 <= len(preys | foes) <= 4
        assert len(near) <= 4


def _soon(far, homes):
    return any(far.get(home, 99) <= 3 for home in homes)


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


FAULTY = [
    ("an army moved to a fleet", 3, lambda c: _with_board(c, starts=_all_armies(c))),
    ("a start fewer", 8, lambda c: _with_board(c, starts=c.board.starts[3:])),
    ("another victory", 10, lambda c: _with_board(c, victory_centers=20)),
    ("no land borders", 2, lambda c: _with_board(c, army_borders=())),
    ("no sea borders", 1, lambda c: _with_board(c, fleet_borders=())),
    ("two provinces of a name", 9, lambda c: _with_board(c, provinces=_namesakes(c))),
    ("a label elsewhere", 9, lambda c: _with_anchors(c, label=(-50.0, -50.0))),
    ("units in one place", 9, lambda c: _with_anchors(c, dislodged=_unit_place(c))),
]


SPLIT = [
    ("driven out onto another coast", lambda one: {"dislodged_coasts": _crossed(one)}),
    ("both fleets in one place", lambda one: {"units": one.units | _at_one_place(one)}),
    ("fleets on each other's coasts", lambda one: {"units": one.units | _exchanged(one)}),
]


def _coasts(anchors):
    return [place for place in anchors.units if "/" in place]


def _crossed(anchors):
    one, other = _coasts(anchors)
    return {one: anchors.units[other], other: anchors.dislodged_at(other)}


def _at_one_place(anchors):
    return dict.fromkeys(_coasts(anchors), anchors.units[_coasts(anchors)[0]])


def _exchanged(anchors):
    one, other = _coasts(anchors)
    return {one: anchors.units[other], other: anchors.units[one]}


@pytest.fixture(scope="module")
def split_chart():
    return make_chart("judge-1")


@pytest.mark.parametrize("spoil", [row[1] for row in SPLIT], ids=[row[0] for row in SPLIT])
def test_units_of_split_coasts_in_the_wrong_place_are_found(split_chart, spoil):
    shape = next(shape for shape in split_chart.shapes if len(shape.anchors.units) == 3)
    spoilt = replace(shape, anchors=replace(shape.anchors, **spoil(shape.anchors)))
    shapes = [spoilt if one is shape else one for one in split_chart.shapes]
    found = faults(replace(split_chart, shapes=tuple(shapes)))
    assert {(fault.rule, fault.place) for fault in found} == {(9, shape.province)}


@pytest.mark.parametrize(
    ("seed", "players"),
    [("judge-1", 7), ("judge-43", 7), ("judge-45", 7), ("judge-103", 5), ("judge-119", 6)],
)
def test_badges_in_split_provinces_never_cover_one_another(seed, players):
    made = make_chart(seed, players)
    split = [shape.anchors for shape in made.shapes if len(shape.anchors.units) > 1]
    assert split
    for anchors in split:
        fleets = [box(*_badge(anchors.units[place])) for place in _coasts(anchors)]
        outs = [box(*_badge(anchors.dislodged_at(place))) for place in anchors.units]
        units = [box(*_badge(spot)) for spot in anchors.units.values()]
        assert set(anchors.dislodged_coasts) == set(_coasts(anchors))
        assert not fleets[0].intersects(fleets[1])
        assert not any(out.intersects(unit) for out in outs for unit in units)


def _badge(spot):
    # As the renderer draws it where names are usually printed at 13: 16 and 11.5 of 13/15.
    return spot[0] - 13.9, spot[1] - 10, spot[0] + 13.9, spot[1] + 10


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
    ("rule", "spoil"), [row[1:] for row in FAULTY], ids=[row[0] for row in FAULTY]
)
def test_a_spoilt_map_is_found_faulty(chart, rule, spoil):
    assert rule in {fault.rule for fault in faults(spoil(chart))}


@pytest.mark.parametrize(("more", "sound"), [((), False), ((((1, 0), (3, 0)),), True)])
def test_a_coast_without_a_crossing_is_found_before_anything_is_drawn(more, sound):
    sails = (((0, 0), (3, 0)), ((1, 0), (4, 0)), ((2, 0), (4, 0)), ((3, 0), (4, 0)), *more)
    coasts = ((frozenset({0}),), (frozenset({1}),), (frozenset({2}),))
    layout = Layout(3, 2, coasts, ((), (), ()), ((0, 1), (0, 2), (1, 2)), sails)
    assert (unsound(layout, np.ones(5), np.full(3, 2.0)) == "") is sound


def test_things_are_packed_where_they_fit_in_no_better_order():
    room = np.zeros((46, 22), dtype=np.int64)
    spots = place(room, 0, "Wide Name Of A Land", center=True, coasts=())
    assert spots.size == 0
    assert len({spots.label, spots.unit, spots.dislodged, spots.star}) == 4
    with pytest.raises(CrowdedError):
        place(room[:38], 0, "Wide Name Of A Land", center=True, coasts=())


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


def test_stages_have_streams_of_their_own():
    drawn = {stream("s", stage, attempt).random() for stage in "ab" for attempt in (0, 1)}
    assert len(drawn) == 4
    assert stream("s", "a").random() == stream("s", "a").random()


def test_the_mesh_fills_the_frame_and_every_edge_has_two_sides():
    mesh = make_mesh(stream("s", "mesh"), (300.0, 200.0), 400)
    assert float(mesh.areas.sum()) == pytest.approx(300 * 200)
    assert float(mesh.lengths.min()) > 0.5
    edge = mesh.vertices[mesh.ends[mesh.cells[:, 1] < 0]]
    on_frame = (edge == 0.0) | (edge == np.array([300.0, 200.0]))
    assert on_frame.any(axis=2).all()


CODES = [
    ("the first letters", ["Kyness"], ("KYN",)),
    ("letters further on when taken", ["Kyness", "Kynedal"], None),
    ("a sea by its own name", ["Bay of Woru"], ("WOR",)),
    ("no accents", ["Nåndfell"], ("NAN",)),
    ("no word of the order language", ["Viana"], None),
]


@pytest.mark.parametrize(
    ("names", "codes"), [row[1:] for row in CODES], ids=[row[0] for row in CODES]
)
def test_codes_are_unique_and_like_the_names(names, codes):
    made = make_codes(names)
    assert len(set(made)) == len(names)
    assert codes is None or made == codes
    assert not set(made) & {"VIA", "ASS", "SEX"}
    assert all(len(code) == 3 and code.isascii() and code.isupper() for code in made)


def test_a_map_has_the_colours_that_its_seed_chooses():
    made = [make_chart(seed, 2) for seed in "abc"]
    for chart in made:
        wanted = chosen(2, stream(making._ordered(chart.seed, 2, None, 0.25).key, "colours"))
        assert set(chart.palette.values()) == set(wanted)
        assert chart.fairness["colour_difference"] == round(least_difference(wanted), 4)
    assert len({frozenset(chart.palette.values()) for chart in made}) > 1


def test_colours_change_nothing_else_of_a_map(chart, monkeypatch):
    other = next(inks for inks in colour_sets(7) if set(inks) != set(chart.palette.values()))
    monkeypatch.setattr(making, "chosen", lambda count, rng: other)
    made = make_chart("the first map")
    assert set(made.palette.values()) == set(other)
    assert replace(made, palette=chart.palette, fairness=chart.fairness) == chart


def test_progress_is_told_in_the_order_of_the_stages_and_changes_nothing():
    told = []
    chart = make_chart("told", 2, progress=told.append)
    assert chart == make_chart("told", 2)
    last = [told[::-1].index(stage) for stage in ("coasts and lettering", "names", "borders")]
    assert told[0] == "land and sea"
    assert last == sorted(last)
