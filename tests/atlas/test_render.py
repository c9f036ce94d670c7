"""The base map, shapes, lines, codes and complete drawings."""

import json
import re
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from judge.tests.drawing.toy_drawings import A_ALM, A_KET, BOR, CROWDED, KET, SVG, drawings, unit
from judge.tests.drawing.toy_map import ALMAR, parse_svg, toy_board, toy_chart
from PIL import ImageFont

from diplomaccloud.atlas.png import render_png
from diplomaccloud.judge.board import Board, Location, Power, PowerInfo, ProvinceCode
from diplomaccloud.judge.drawing.arrows import curve_between, curve_through, trim_to_boxes
from diplomaccloud.judge.drawing.base import draw_relief, render_base
from diplomaccloud.judge.drawing.chart import Chart, Passage, Relief, cache_per_chart
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.labels import Labels, place_codes
from diplomaccloud.judge.drawing.overlay import (
    render_map,
    render_overlay,
    render_thumbnail,
    write_shapes,
)
from diplomaccloud.judge.drawing.paths import (
    find_border_arcs,
    join_arcs,
    num,
    simplify,
    smooth_line,
    write_path,
)
from diplomaccloud.judge.drawing.png import PictureError, find_fonts, find_sans_fonts
from diplomaccloud.judge.drawing.scene import Scene, coast_name, view_box
from diplomaccloud.judge.drawing.sizes import Box, badge_box, badge_scale, place_badges
from diplomaccloud.judge.drawing.styles import STYLES
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT, live_theme
from diplomaccloud.judge.orders import Hold, Move
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.results import OrderResult, Outcome

HOSTILE = '"><script>alert(1)</script>&\x00\x1b'


@pytest.mark.parametrize("name", drawings())
def test_a_drawing_is_well_formed_and_has_unique_ids(name: str) -> None:
    root = parse_svg(drawings()[name])
    ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
    assert root.tag == f"{SVG}svg"
    assert [name_id for name_id, times in ids.items() if times > 1] == []
    used = {e.get("href", "")[1:] for e in root.iter(f"{SVG}use")}
    assert used <= set(ids)


@pytest.mark.parametrize("name", drawings())
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    assert drawings()[name] == drawings()[name]


def test_base_and_overlay_share_one_view_box_and_no_ids() -> None:
    base, overlay = (parse_svg(drawings()[name]) for name in ("base", "overlay"))
    assert base.get("viewBox") == overlay.get("viewBox")
    ids = [{e.get("id") for e in root.iter() if e.get("id")} for root in (base, overlay)]
    assert not ids[0] & ids[1]


def test_names_from_a_hostile_file_are_escaped() -> None:
    chart = toy_chart()
    board = chart.board
    evil = replace(
        board,
        name=HOSTILE,
        provinces=tuple(replace(p, name=HOSTILE) for p in board.provinces),
        powers=tuple(PowerInfo(i.power, HOSTILE, HOSTILE) for i in board.powers),
        impassable=((ProvinceCode("ROK"), HOSTILE),),
    )
    shapes = tuple(
        replace(s, anchors=replace(s.anchors, label_lines=(HOSTILE, HOSTILE))) for s in chart.shapes
    )
    bad = replace(chart, world=HOSTILE, board=evil, shapes=shapes, palette={ALMAR: '"/><b>'})
    lost = [OrderResult(Hold(A_ALM), Outcome.HOLD, HOSTILE)]
    lost.append(OrderResult(Move(A_KET, Location(HOSTILE)), Outcome.VOID, HOSTILE))
    lost.append(OrderResult(Hold(unit("A BOR", Power(HOSTILE))), Outcome.VOID, HOSTILE))
    for svg in (
        render_map(bad, CROWDED, results=lost, title=HOSTILE),
        render_overlay(bad, CROWDED, results=lost, title=HOSTILE),
        render_thumbnail(bad),
    ):
        root = parse_svg(svg)
        assert root.find(f".//{SVG}script") is None
        assert root.find(f".//{SVG}b") is None
        assert "alert(1)" in svg


def test_a_live_overlay_leaves_colors_to_css_and_a_standalone_map_does_not() -> None:
    overlay, standalone = drawings()["overlay"], drawings()["map"]
    assert f"var(--map-label,{LIGHT.label})" in overlay
    assert "var(--power-badge,#" in overlay
    assert "var(" not in standalone
    assert ' style="' not in overlay + standalone  # a strict content security policy blocks it
    for variable in set(re.findall(r"var\((--map-[a-z-]+),", overlay)):
        assert f"var({variable}," in repr(live_theme(NIGHT))


def test_a_live_theme_falls_back_to_fixed_colors() -> None:
    assert live_theme(NIGHT).sea == f"var(--map-sea,{NIGHT.sea})"


def test_serving_a_drawing_does_not_load_the_map_making_libraries() -> None:
    code = (
        "import sys, diplomaccloud.judge.drawing\n"
        "print([m for m in ('numpy', 'scipy', 'shapely') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_map_without_a_position_shows_the_starting_position() -> None:
    chart: Chart = toy_chart()
    board: Board = chart.board
    assert render_map(chart) == render_map(chart, starting_position(board))
    assert Scene(chart, starting_position(board), LIGHT).place(Location("XXX")) is None


def test_results_are_cached_per_chart() -> None:
    seen: list[Chart] = []
    work = cache_per_chart(lambda chart: seen.append(chart) or len(seen))
    first, second = toy_chart(), replace(toy_chart(), world="Elsewhere")
    assert [work(first), work(first), work(second), work(first)] == [1, 1, 2, 1]


def test_only_a_standalone_map_embeds_fonts() -> None:
    drawn = drawings()
    assert [name for name, svg in drawn.items() if "@font-face" in svg] == ["map"]
    assert "http" not in drawn["map"].replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("style", STYLES)
def test_a_standalone_map_embeds_only_the_letters_that_it_uses(style: str) -> None:
    svg = render_map(toy_chart(), theme=STYLES[style])
    embedded = set(re.findall(r'@font-face\{font-family:"([^"]+)"', svg))
    assert embedded == {"Map Sans" if style.startswith("modern") else "Map Letters"}
    families = re.findall(r'font-family="([^"]+)"', svg)
    assert families
    assert all(embedded & set(family.split(",")) for family in families)


def test_names_without_serifs_need_no_more_room() -> None:
    serif, sans = (
        [ImageFont.truetype(path, 1000) for path in paths]
        for paths in (find_fonts("diplomaccloud.atlas", "texgyrepagella"), find_sans_fonts())
    )
    wider = {
        line: (sans[slanted].getlength(line), serif[0].getlength(line))
        for shape in standard_chart().shapes
        for line in shape.anchors.label_lines
        for slanted in (False, True)
        if sans[slanted].getlength(line) > serif[0].getlength(line)
    }
    assert wider == {}


# The drawings made once per chart: base map, relief, passages, thumbnails and PNG.


def test_a_png_has_its_signature_and_the_requested_width() -> None:
    png = render_png(render_map(toy_chart()), 300)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert width == 300
    assert 195 <= height <= 210


@pytest.mark.parametrize(("svg", "width"), [("not a picture", 100), ("<svg/>", 0)])
def test_invalid_pictures_are_rejected(svg: str, width: int) -> None:
    with pytest.raises(PictureError):
        render_png(svg, width)


def test_a_thumbnail_is_small_and_shows_neither_names_nor_units() -> None:
    svg = render_thumbnail(toy_chart(), 200)
    assert parse_svg(svg).get("width") == "200"
    assert parse_svg(svg).find(f".//{SVG}text") is None
    assert "Isthmos" not in svg
    assert svg.count('class="star"') == 3
    assert len(svg) < len(render_map(toy_chart()))


def test_relief_is_one_small_picture_within_the_width_limit() -> None:
    png = draw_relief(Relief(1000, 4, bytes(range(250)) * 16), "#000000", "#ffffff")
    assert struct.unpack(">II", png[16:24]) == (334, 2)
    assert "<image" in render_base(toy_chart())
    assert "<image" not in render_base(replace(toy_chart(), relief=None))
    coarse = draw_relief(Relief(48, 32, bytes(range(256)) * 6), "#000000", "#ffffff")
    assert struct.unpack(">II", coarse[16:24]) == (96, 64)
    flat = draw_relief(Relief(8, 8, bytes(64)), "#000000", "#ffffff")
    assert flat[:4] == b"\x89PNG"


def test_a_passage_through_closed_land_is_drawn_as_water() -> None:
    way = Passage((BOR, KET), ((10.0, 20.0), (30.0, 20.0)))
    root = parse_svg(render_base(replace(toy_chart(), passages=(way,))))
    group = next(e for e in root.iter(f"{SVG}g") if e.get("class") == "passages")
    inks = [path.get("stroke") for path in group.iter(f"{SVG}path")]
    assert inks == [LIGHT.coast, LIGHT.water_line, LIGHT.sea_label]
    assert 'class="passages"' not in render_base(toy_chart())


# The shapes of provinces as data, from which a page's script draws what the overlay would.


def _trace(ring: Sequence[int], arcs: list[list[int]]) -> list[tuple[int, int]]:
    """Return the points of a ring in tenths, as `map-shapes.js` finds them."""
    points: list[tuple[int, int]] = []
    for ref in ring:
        x, y, *steps = arcs[ref if ref >= 0 else ~ref]
        line = [(x, y)]
        for dx, dy in zip(steps[::2], steps[1::2], strict=True):
            line.append((line[-1][0] + dx, line[-1][1] + dy))
        points += (line if ref >= 0 else line[::-1])[1 if points else 0 :]
    return points


def _parse(path: str) -> list[tuple[int, int]]:
    """Return the points of path data with relative steps, in tenths."""
    numbers = [round(float(text) * 10) for text in re.findall(r"-?\d*\.?\d+", path)]
    points = [(numbers[0], numbers[1])]
    for dx, dy in zip(numbers[2::2], numbers[3::2], strict=True):
        points.append((points[-1][0] + dx, points[-1][1] + dy))
    return points


def test_the_shapes_are_those_that_an_overlay_draws() -> None:
    chart = toy_chart()
    drawn = render_overlay(chart, starting_position(chart.board))
    facts: dict[str, Any] = json.loads(write_shapes(chart))
    assert len(facts["provinces"]) == len(chart.shapes)
    for code, terrain, name, rings in facts["provinces"]:
        shape = re.search(
            rf'<path id="p-{code}" class="province {terrain}"[^>]* d="([^"]*)"', drawn
        )
        assert shape
        assert f"<title>{name}</title>" in drawn
        paths = [path for path in shape[1].split("z") if path]
        assert [_trace(ring, facts["arcs"]) for ring in rings] == [_parse(path) for path in paths]


def test_a_drawing_without_shapes_has_a_gap_for_them() -> None:
    chart = toy_chart()
    drawn = render_overlay(chart, starting_position(chart.board), shapes=False)
    assert '<g class="provinces" data-same></g>' in drawn
    assert 'class="province ' not in drawn


# Lines: short numbers, paths, borders, simplification, smoothing, and curves.


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
    [(None, 91), (Box(68, -5, 92, 5), 69), (Box(68, 35, 92, 45), 91)],
    ids=["no name", "a name in the way", "a name beside it"],
)
def test_an_arrow_ends_before_the_name_of_its_destination(name: Box | None, ends_by: float) -> None:
    curve = trim_to_boxes(curve_between((0, 0), (100, 0)), (10, 5), (10, 5), name)
    assert ends_by - 5 < curve.end[0] < ends_by


def test_borders_at_sea_are_smooth_and_keep_their_ends() -> None:
    line = ((0.0, 0.0), (10.0, 10.0), (20.0, 0.0))
    smooth = smooth_line(line)
    assert (smooth[0], smooth[-1]) == (line[0], line[-1])
    assert max(y for _, y in smooth) < 8
    assert smooth_line(line[:2])[-1] == line[1]


# The texts on a map: names, and codes for small screens.


def test_labels_are_names_or_codes_or_both() -> None:
    chart = toy_chart()
    texts = {
        labels: {
            e.text
            for e in parse_svg(render_overlay(chart, CROWDED, labels=labels)).iter(f"{SVG}text")
        }
        for labels in Labels
    }
    assert {"Isthmos", "EC"} <= texts[Labels.NAMES]
    assert "IST" in texts[Labels.CODES]
    assert "Isthmos" not in texts[Labels.CODES]
    assert {"Isthmos", "IST"} <= texts[Labels.BOTH]
    assert not {"Isthmos", "IST"} & texts[Labels.NONE]


def test_a_code_replaces_a_name_that_does_not_fit() -> None:
    chart = toy_chart()
    shapes = tuple(replace(s, anchors=replace(s.anchors, label_size=0)) for s in chart.shapes)
    root = parse_svg(render_overlay(replace(chart, shapes=shapes), CROWDED))
    texts = {e.text for e in root.iter(f"{SVG}text")}
    assert {"ALM", "KET"} <= texts
    assert "Almar" not in texts


@pytest.mark.parametrize(
    ("coast", "name"), [("NC", "north coast"), ("SWC", "southwest coast"), ("XY", "XY"), ("C", "C")]
)
def test_coasts_are_named_in_words(coast: str, name: str) -> None:
    assert coast_name(coast) == name


def test_an_overlay_has_names_and_for_small_screens_codes() -> None:
    root = parse_svg(render_overlay(toy_chart(), CROWDED))
    names, codes = (
        next(e for e in root.iter(f"{SVG}g") if e.get("class") == name)
        for name in ("names", "codes")
    )
    assert (names.get("display"), codes.get("display")) == (None, "none")
    assert {e.text for e in codes.iter(f"{SVG}text")} == {p.code for p in toy_board().provinces}


@pytest.mark.parametrize("chart", [toy_chart(), standard_chart()], ids=lambda chart: chart.world)
def test_codes_on_a_phone_are_large_and_cover_neither_each_other_nor_units(
    chart: Chart,
) -> None:
    prints = place_codes(chart)
    pixel = 390 / float(view_box(chart).split()[2])
    badges = [
        badge_box(place, badge_scale(chart))
        for location, place in place_badges(chart).items()
        if location in prints
    ]
    assert [code for code, code_label in prints.items() if code_label.size * pixel < 8] == []
    boxes = [code_label.box for code_label in prints.values()]
    assert [pair for pair in combinations(boxes, 2) if pair[0].shared_area(pair[1])] == []
    assert [box for box in boxes for badge in badges if box.shared_area(badge)] == []
