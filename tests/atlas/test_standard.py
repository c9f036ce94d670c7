"""The standard map, maps for other setups, and the builder."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from itertools import combinations, pairwise
from math import dist

import pytest
from europe.anchors import STAR, Box, measure_label, split_name
from europe.assembly import SOURCE
from europe.drawing import (
    DrawingError,
    cut_pieces,
    find_faces,
    parse_drawing,
)
from shapely import LineString, Point, Polygon

from diplomaccloud.atlas.chartfile import check_chart, dump_chart, load_chart
from diplomaccloud.atlas.setups import setup_charts
from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Location, Terrain, province_of
from diplomaccloud.judge.drawing.base import render_base
from diplomaccloud.judge.drawing.chart import ArcKind, Chart, Ring
from diplomaccloud.judge.drawing.europe import DATA, standard_chart
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.setups import setups

CHART = standard_chart()
BOARD = standard_board()
SEAS = {p.code for p in BOARD.provinces if p.terrain is Terrain.SEA}
CODES = [p.code for p in BOARD.provinces]
SHAPES = {shape.province: shape for shape in CHART.shapes}
BADGE = (26.0, 20.0)

# Land borders drawn across water that ships pass only as a coast: rulebook, "Board Information".
STRAITS = {("DEN", "SWE")}


def outline(chart: Chart, ring: Ring) -> Polygon:
    return Polygon(chart.outline(ring))


def area_of(code: str) -> list[Polygon]:
    return [
        Polygon(CHART.outline(rings[0]), [CHART.outline(hole) for hole in rings[1:]])
        for rings in SHAPES[code].polygons
    ]


def shared_borders() -> dict[tuple[str, str], list[int]]:
    arcs_by_pair = defaultdict(list)
    for number, arc in enumerate(CHART.arcs):
        if arc.left and arc.right:
            arcs_by_pair[tuple(sorted((arc.left, arc.right)))].append(number)
    return arcs_by_pair


BORDERS = shared_borders()
INSIDE = {pair: numbers for pair, numbers in BORDERS.items() if "SWI" not in pair}


def board_pairs() -> dict[tuple[str, str], set[str]]:
    kinds_by_pair = defaultdict(set)
    for first, second in BOARD.army_borders:
        kinds_by_pair[tuple(sorted((first, second)))].add("army")
    for first, second in BOARD.fleet_borders:
        kinds_by_pair[tuple(sorted((province_of(first), province_of(second))))].add("fleet")
    return kinds_by_pair


PAIRS = board_pairs()


def ends(numbers: list[int]) -> set[tuple[float, float]]:
    return {end for i in numbers for end in (CHART.arcs[i].points[0], CHART.arcs[i].points[-1])}


def seas_at(points: set[tuple[float, float]]) -> set[str]:
    return {
        side
        for arc in CHART.arcs
        if {arc.points[0], arc.points[-1]} & points
        for side in (arc.left, arc.right)
        if side in SEAS
    }


@pytest.mark.parametrize("pair", sorted(PAIRS), ids="-".join)
def test_provinces_that_border_on_the_board_share_a_line_on_the_map(pair):
    numbers = BORDERS[pair]
    kinds = {CHART.arcs[i].kind for i in numbers}
    wet = sum(code in SEAS for code in pair)
    assert kinds == {(ArcKind.LAND, ArcKind.COAST, ArcKind.SEA)[wet]}
    least = 4 if pair in STRAITS or wet == 2 else 10
    assert sum(LineString(CHART.arcs[i].points).length for i in numbers) > least


def test_provinces_that_do_not_touch_share_no_line():
    assert sorted(set(INSIDE) - set(PAIRS)) == []


def test_a_land_border_reaches_water_exactly_where_fleets_may_follow_the_coast():
    walked = {pair for pair, kinds in PAIRS.items() if "army" in kinds}
    sailed = {pair for pair in walked if "fleet" in PAIRS[pair]}
    assert {pair for pair in walked if seas_at(ends(BORDERS[pair]))} == sailed


@pytest.mark.parametrize(
    ("place", "waters"),
    [
        ("BUL/EC", {"BLA"}),
        ("BUL/SC", {"AEG"}),
        ("SPA/NC", {"MAO"}),
        ("SPA/SC", {"MAO", "WES", "LYO"}),
        ("STP/NC", {"BAR"}),
        ("STP/SC", {"BOT"}),
    ],
)
def test_a_fleet_on_a_split_coast_stands_nearest_to_the_waters_of_that_coast(place, waters):
    assert {to for to in BOARD.fleet_neighbors[Location(place)] if to in SEAS} == waters
    code = province_of(Location(place))
    coast = [
        LineString(CHART.arcs[i].points)
        for pair, numbers in BORDERS.items()
        if code in pair and SEAS & set(pair)
        for i in numbers
    ]
    spot = Point(SHAPES[code].anchors.units[Location(place)])
    nearest = min(coast, key=spot.distance)
    sides = {arc.left for arc in CHART.arcs if LineString(arc.points).equals(nearest)} | {
        arc.right for arc in CHART.arcs if LineString(arc.points).equals(nearest)
    }
    assert sides & waters
    assert spot.distance(nearest) < 40


def test_the_board_is_the_standard_one_and_every_province_is_drawn_once():
    assert CHART.board is BOARD
    assert [shape.province for shape in CHART.shapes] == CODES
    assert {code for code, _ in CHART.scenery} == {"", "SWI"}


def test_every_line_divides_the_two_spaces_that_it_names():
    uses = defaultdict(list)
    for code, rings in [
        *((s.province, p) for s in CHART.shapes for p in s.polygons),
        *((code or None, rings) for code, rings in CHART.scenery),
    ]:
        for ring in rings:
            for ref in ring:
                uses[ref].append(code)
    for number, arc in enumerate(CHART.arcs):
        beside = {number: arc.left, ~number: arc.right}
        for ref, side in beside.items():
            assert uses[ref] in ([side], []) if side is None else uses[ref] == [side]
        assert len(uses[number] + uses[~number]) == (1 if arc.kind is ArcKind.FRAME else 2)


def test_rings_close_and_do_not_cross_themselves():
    for shape in CHART.shapes:
        for rings in shape.polygons:
            for ring in rings:
                assert outline(CHART, ring).is_valid, shape.province


def test_the_map_is_covered_exactly_once():
    total = sum(part.area for code in CODES for part in area_of(code))
    total += sum(
        Polygon(CHART.outline(rings[0])).area
        - sum(Polygon(CHART.outline(h)).area for h in rings[1:])
        for _, rings in CHART.scenery
    )
    assert total == pytest.approx(CHART.size[0] * CHART.size[1], rel=1e-6)


def boxes_of(code: str) -> dict[str, Box]:
    anchors = SHAPES[code].anchors
    boxes = {"name": Box(*anchors.label, *measure_label(anchors.label_lines, anchors.label_size))}
    for place, at in anchors.units.items():
        if place not in SEAS or place == code:
            boxes[f"unit {place}"] = Box(*at, *BADGE)
    boxes["dislodged"] = Box(*anchors.dislodged, *BADGE)
    if anchors.star:
        boxes["star"] = Box(*anchors.star, STAR[0] - 1, STAR[1] - 1)
    return boxes


@pytest.mark.parametrize("code", CODES)
def test_name_unit_and_star_fit_inside_their_province(code):
    province = max(area_of(code), key=lambda part: part.area)
    anchors = SHAPES[code].anchors
    assert (anchors.star is not None) == BOARD.by_code[code].center
    assert " ".join(anchors.label_lines) == BOARD.by_code[code].name
    assert 9 <= anchors.label_size <= 16
    for name, box in boxes_of(code).items():
        assert province.contains(Point(box.x, box.y)), name
    for name in ("name", f"unit {code}", "star"):
        if box := boxes_of(code).get(name):
            w, h = box.width / 2, box.height / 2
            corners = [
                (box.x + i * w, box.y + j * h) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            assert province.contains(Polygon(corners)), name


def test_printed_things_do_not_overlap():
    placed = [(f"{code} {name}", box) for code in CODES for name, box in boxes_of(code).items()]
    clashes = [
        (a, b) for (a, first), (b, second) in combinations(placed, 2) if first.overlaps(second)
    ]
    assert clashes == []


# How linear red, green and blue mix for an eye with all kinds of cones or without one of them:
# Machado, Oliveira and Fernandes 2009, severity 1.
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
}


def cielab(color, eye):
    parts = [value / 255 for value in bytes.fromhex(color[1:])]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    r, g, b = (min(1, max(0, sum(k * v for k, v in zip(row, linear, strict=True)))) for row in eye)
    white = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0888,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in white)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", EYES)
def test_the_colors_of_powers_are_distinct(eye):
    assert set(CHART.palette) == set(BOARD.power_info)
    seen = [cielab(color, EYES[eye]) for color in CHART.palette.values()]
    assert min(dist(first, second) for first, second in combinations(seen, 2)) >= 30


def test_relief_is_high_in_the_alps_and_zero_at_sea():
    relief = CHART.relief
    assert relief is not None

    def height(code):
        x, y = SHAPES[code].anchors.label
        column = int(x / CHART.size[0] * relief.width)
        return relief.values[int(y / CHART.size[1] * relief.height) * relief.width + column]

    assert height("NTH") == height("ION") == height("MAO") == 0
    assert height("TYR") > height("UKR") > 0


def test_relief_is_as_fine_as_on_generated_maps_and_plains_are_level():
    relief = CHART.relief
    assert relief is not None
    assert max(CHART.size[0] / relief.width, CHART.size[1] / relief.height) < 3.6
    cells = relief.values
    pairs = [(a, b) for a, b in pairwise(cells) if a and b]
    level = sum(a == b for a, b in pairs) / len(pairs)
    assert 0.3 < level < 0.75


def test_the_map_survives_a_chart_file():
    assert load_chart(dump_chart(CHART)) == CHART


def test_the_stored_map_is_small_and_rounded_to_one_decimal():
    text = DATA.read_text(encoding="utf-8")
    assert len(text.encode()) < 310_000
    values = [v for arc in json.loads(text)["arcs"] for v in arc["points"]]
    assert all(round(value, 1) == value for value in values)


def test_loading_the_map_needs_no_geometry_library():
    code = (
        "import sys; from diplomaccloud.judge.drawing.europe import standard_chart;"
        "standard_chart();"
        "sys.exit(bool({'numpy', 'shapely', 'scipy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Maps of the setups.


CHARTS = setup_charts()


def test_every_setup_except_the_standard_one_has_a_map_with_its_own_name():
    assert set(CHARTS) == set(setups()) - {"standard"}
    assert len({setup_chart.chart.world for setup_chart in CHARTS.values()}) == len(CHARTS)


@pytest.mark.parametrize("name", CHARTS)
def test_the_map_is_valid(name):
    chart = CHARTS[name].chart
    assert check_chart(dump_chart(chart)) == chart


@pytest.mark.parametrize("name", CHARTS)
def test_the_judge_plays_the_setup_on_the_board_of_the_map(name):
    setup, board = CHARTS[name].setup, CHARTS[name].chart.board
    assert setup.coin is not None or board == setup.board
    first = adjudicate(board, setup.position, []).next
    assert {unit.location for unit in first.units} == {start.location for start in board.starts}


@pytest.mark.parametrize(
    ("name", "closed"),
    [
        ("manual", ""),
        ("1961-5", ""),
        ("early-6", "ANK ARM BUL CON SMY SYR"),
        ("early-4", "ANK ARM BUD BUL CON FIN GAL GRE LVN MOS RUM SER SEV SMY STP SYR UKR WAR"),
    ],
)
def test_land_outside_the_game_is_hatched_like_switzerland(name, closed):
    chart: Chart = CHARTS[name].chart
    codes = {code for code, _ in chart.scenery if code}
    assert codes == {"SWI", *closed.split()}
    hatched = re.findall(r'fill="url\(#b-hatch\)"', render_base(chart))
    assert len(hatched) == sum(bool(code) for code, _ in chart.scenery)
    drawn = set(re.findall(r'data-province="(\w+)"', render_map(chart)))
    assert drawn == {p.code for p in standard_chart().board.provinces} - set(closed.split())


def test_the_passage_from_the_black_sea_to_the_aegean_is_drawn():
    with_passage = {
        name
        for name, setup_chart in CHARTS.items()
        if 'class="passages"' in render_base(setup_chart.chart)
    }
    assert with_passage == {"early-6", "early-5", "early-4", "early-3"}
    (passage,) = CHARTS["early-6"].chart.passages
    assert set(passage.ends) == {"AEG", "BLA"}


def test_a_strait_is_cut_through_land_only():
    base = render_base(CHARTS["early-6"].chart)
    (strait, _, line) = re.findall(r'd="(M[^"]*)"', base[base.index('class="passages"') :])[:3]
    assert strait.startswith("M914 7")
    assert line.startswith("M855 861")


# The steps from the drawing to the standard map.


ISLAND = "[coast ring Island]\n5 45, 9 45, 9 49, 5 49\n"


def test_the_stored_lines_match_the_drawing():
    drawing = parse_drawing(SOURCE.read_text(encoding="utf-8"))
    arcs, _ = find_faces(cut_pieces(drawing), drawing.places)
    stored = standard_chart().arcs
    assert [(a.kind, a.left, a.right) for a in arcs] == [(a.kind, a.left, a.right) for a in stored]
    for made, saved in zip(arcs, stored, strict=True):
        for end in (0, -1):
            assert made.points[end] == pytest.approx(saved.points[end], abs=0.11)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[coast ring Island]\n5 45, 9\n", "'9' is not a longitude and a latitude"),
        ("[shore ring Island]\n5 45, 9 45, 9 49\n", "kind ring|line name"),
        (ISLAND + "[land line Border]\n5 45, 8 47\n", "Border: nothing to join at"),
    ],
)
def test_a_faulty_drawing_is_refused_with_the_position(text, reason):
    with pytest.raises(DrawingError) as refused:
        cut_pieces(parse_drawing(text))
    assert reason in str(refused.value)


def test_a_place_outside_its_space_is_refused():
    drawing = parse_drawing(SOURCE.read_text(encoding="utf-8").replace("PAR 2 48.3", "PAR 5 47.2"))
    with pytest.raises(DrawingError, match="its place is inside"):
        find_faces(cut_pieces(drawing), drawing.places)


def test_a_line_with_one_space_on_both_sides_is_refused():
    text = SOURCE.read_text(encoding="utf-8")
    drawing = parse_drawing(text.replace("PIC 2.2 49.9", "PAR 2.2 49.9"))
    with pytest.raises(DrawingError, match="has 'PAR' on both sides"):
        find_faces(cut_pieces(drawing), drawing.places)


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("Paris", [("Paris",)]),
        ("North Sea", [("North Sea",), ("North", "Sea")]),
        (
            "Gulf of Lyon",
            [
                ("Gulf of Lyon",),
                ("Gulf", "of Lyon"),
                ("Gulf of", "Lyon"),
                ("Gulf", "of", "Lyon"),
            ],
        ),
    ],
)
def test_a_name_is_split_between_its_words(name, ways):
    assert split_name(name) == ways


@pytest.mark.parametrize(
    ("other", "meets"),
    [
        (Box(10, 0, 10, 10), False),
        (Box(9.9, 0, 10, 10), True),
        (Box(0, 12, 40, 14), False),
        (Box(0, 11.9, 40, 14), True),
    ],
)
def test_boxes_that_only_touch_do_not_overlap(other, meets):
    assert Box(0, 0, 10, 10).overlaps(other) is meets
