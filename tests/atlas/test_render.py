"""Drawings: complete, well formed, safe, and the same bytes every time."""

import re
import struct
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib.resources import files
from itertools import combinations

import pytest
from tests.atlas.toy import ALMAR, DUNN, parsed, toy_board, toy_chart

from diplomaccloud.atlas.chart import Chart, Passage, Relief
from diplomaccloud.atlas.render import (
    LIGHT,
    NIGHT,
    Labels,
    PictureError,
    css_variables,
    render_base,
    render_map,
    render_orders,
    render_overlay,
    render_png,
    render_thumbnail,
    territory,
)
from diplomaccloud.atlas.render.cells import Box
from diplomaccloud.atlas.render.codes import code_prints
from diplomaccloud.atlas.render.curves import clear_of_boxes, curve_between, curve_through
from diplomaccloud.atlas.render.keeping import once_per_chart
from diplomaccloud.atlas.render.paths import (
    border_arcs,
    chains,
    num,
    path_data,
    simplified,
    smoothed,
)
from diplomaccloud.atlas.render.relief import relief_png
from diplomaccloud.atlas.render.scene import (
    Scene,
    coast_name,
    initials,
    usual_label_size,
    view_box,
)
from diplomaccloud.atlas.render.theme import live_theme, luminance, power_inks
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.judge.board import Board, Location, Power, PowerInfo, ProvinceCode, UnitKind
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.units import Unit

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '"><script>alert(1)</script>&\x00\x1b'


def unit(text: str, power: Power) -> Unit:
    kind, place = text.split()
    return Unit(UnitKind(kind), Location(place), power)


A_ALM, A_KET, F_WSE = unit("A ALM", ALMAR), unit("A KET", ALMAR), unit("F WSE", ALMAR)
A_BOR, F_DUN, F_EAST = unit("A BOR", DUNN), unit("F DUN", DUNN), unit("F IST/EC", DUNN)
IST, BOR, KET, ESE = (Location(code) for code in ("IST", "BOR", "KET", "ESE"))


def position(*units: Unit, dislodged: tuple[Dislodged, ...] = ()) -> Position:
    centers = {ProvinceCode("ALM"): ALMAR, ProvinceCode("DUN"): DUNN}
    return Position(Phase.parse("F1901M"), units, centers, dislodged)


CROWDED = position(A_ALM, A_KET, F_WSE, A_BOR, F_DUN, F_EAST)


def drawings() -> dict[str, str]:
    chart = toy_chart()
    return {
        "base": render_base(chart),
        "base at night": render_base(chart, NIGHT),
        "overlay": render_overlay(chart, CROWDED, title="Fall 1901", labels=Labels.BOTH),
        "map": render_map(chart),
        "thumbnail": render_thumbnail(chart),
    }


@pytest.mark.parametrize("name", drawings())
def test_a_drawing_is_well_formed_and_has_no_id_twice(name: str) -> None:
    root = parsed(drawings()[name])
    ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
    assert root.tag == f"{SVG}svg"
    assert [one for one, times in ids.items() if times > 1] == []
    used = {e.get("href", "")[1:] for e in root.iter(f"{SVG}use")}
    assert used <= set(ids)


@pytest.mark.parametrize("name", drawings())
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    assert drawings()[name] == drawings()[name]


def test_base_and_overlay_share_one_view_box_and_no_ids() -> None:
    base, overlay = (parsed(drawings()[name]) for name in ("base", "overlay"))
    assert base.get("viewBox") == overlay.get("viewBox")
    ids = [{e.get("id") for e in root.iter() if e.get("id")} for root in (base, overlay)]
    assert not ids[0] & ids[1]


def test_the_overlay_has_every_province_once_with_its_name_as_tool_tip() -> None:
    root = parsed(drawings()["overlay"])
    provinces = [e for e in root.iter() if "province" in e.get("class", "").split()]
    named = {e.get("data-province"): e.findtext(f"{SVG}title") for e in provinces}
    assert len(provinces) == len(named)
    assert named == {p.code: p.name for p in toy_board().provinces}
    assert {e.get("id") for e in provinces} == {f"p-{code}" for code in named}


def test_the_overlay_has_every_unit_once_and_says_whose_it_is() -> None:
    root = parsed(drawings()["overlay"])
    units = [e for e in root.iter() if "unit" in e.get("class", "").split()]
    assert sorted(e.get("data-unit", "") for e in units) == sorted(map(str, CROWDED.units))
    east = next(e for e in units if e.get("data-unit") == "F IST/EC")
    assert east.get("aria-label") == "Dunnish fleet in Isthmos (east coast)"
    assert (east.get("data-province"), east.get("data-power")) == ("IST", "DUNN")
    assert east.findtext(f".//{SVG}text") == "D"


def test_names_from_a_hostile_file_stay_text() -> None:
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
        root = parsed(svg)
        assert root.find(f".//{SVG}script") is None
        assert root.find(f".//{SVG}b") is None
        assert "alert(1)" in svg


def test_a_unit_driven_out_stands_beside_its_attacker_under_its_own_mark() -> None:
    driven = Dislodged(F_EAST, ProvinceCode("KET"), (ESE,))
    attacker = unit("A IST", ALMAR)
    root = parsed(render_overlay(toy_chart(), position(attacker, dislodged=(driven,))))
    units = {e.get("data-unit"): e for e in root.iter() if "unit" in e.get("class", "").split()}
    assert units["F IST/EC"].get("data-dislodged") == "1"
    assert units["A IST"].get("data-dislodged") is None
    assert units["F IST/EC"].get("transform") != units["A IST"].get("transform")
    assert list(units) == ["A IST", "F IST/EC"]


def test_a_unit_that_loses_its_place_this_phase_is_ringed_where_it_stands() -> None:
    driven = Dislodged(F_EAST, ProvinceCode("KET"), (ESE,))
    svg = render_overlay(toy_chart(), CROWDED, dislodged=(driven,))
    marked = [e for e in parsed(svg).iter() if e.get("data-dislodged")]
    assert [e.get("data-unit") for e in marked] == ["F IST/EC"]
    assert svg.count('class="dislodged-ring"') == 1


ORDERS: dict[str, Order] = {
    "hold": Hold(A_ALM),
    "move": Move(A_KET, IST),
    "supporthold": SupportHold(F_DUN, A_BOR),
    "supportmove": SupportMove(F_DUN, F_EAST, KET),
    "convoy": Convoy(F_WSE, A_ALM, ProvinceCode("BOR")),
    "retreat": Retreat(F_EAST, ESE),
    "disband": Disband(A_BOR),
    "build": Build(unit("F ALM", ALMAR)),
}


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_is_drawn_and_named(name: str) -> None:
    root = parsed(render_overlay(toy_chart(), CROWDED, orders=[ORDERS[name]]))
    drawn = [e for e in root.iter() if "order" in e.get("class", "").split()]
    assert [e.get("class") for e in drawn] == [f"order {name}"]
    assert drawn[0].get("data-order") == str(ORDERS[name])
    assert drawn[0].find(f".//{SVG}path") is not None


@pytest.mark.parametrize(
    ("order", "outcome", "failed"),
    [
        (Move(A_KET, IST), Outcome.MOVED, False),
        (Move(A_KET, IST), Outcome.BOUNCED, True),
        (Move(A_ALM, BOR, via_convoy=True), Outcome.NOPATH, True),
        (SupportMove(F_DUN, F_EAST, KET), Outcome.CUT, True),
        (SupportHold(F_DUN, A_BOR), Outcome.VOID, True),
        (Convoy(F_WSE, A_ALM, ProvinceCode("BOR")), Outcome.DISRUPTED, True),
        (Retreat(F_EAST, ESE), Outcome.BOUNCED, True),
        (Build(unit("A ALM", ALMAR)), Outcome.VOID, True),
        (Hold(A_ALM), Outcome.HOLD, False),
    ],
    ids=str,
)
def test_a_failure_is_drawn_in_red_and_a_success_is_not(
    order: Order, outcome: Outcome, failed: bool
) -> None:
    result = OrderResult(order, outcome, "Because.")
    svg = render_map(toy_chart(), CROWDED, results=[result])
    group = next(e for e in parsed(svg).iter() if e.get("data-outcome") == outcome)
    assert group.findtext(f"{SVG}title") == f"{order}: {outcome}. Because."
    strokes = {e.get("stroke") for e in group.iter(f"{SVG}path")}
    assert (LIGHT.failure in strokes) is failed


def test_a_result_replaces_the_order_it_answers() -> None:
    order = Move(A_KET, IST)
    svg = render_overlay(
        toy_chart(), CROWDED, orders=[order, order], results=[OrderResult(order, Outcome.MOVED, "")]
    )
    assert svg.count('data-order="A KET - IST"') == 1


@pytest.mark.parametrize(
    "order",
    [
        Waive(ALMAR),
        Hold(unit("A XXX", ALMAR)),
        Move(A_ALM, Location("XXX")),
        Move(unit("A XXX", ALMAR), IST),
        SupportHold(A_ALM, unit("A XXX", DUNN)),
        SupportMove(A_ALM, unit("A XXX", DUNN), Location("YYY")),
        Convoy(F_WSE, unit("A XXX", DUNN), ProvinceCode("YYY")),
        Move(A_ALM, Location("ALM")),
        Hold(Unit(UnitKind.ARMY, Location("ALM"), Power("NOBODY"))),
        Build(Unit(UnitKind.FLEET, Location("IST/NW"), Power("NOBODY"))),
    ],
    ids=str,
)
def test_an_order_that_makes_no_sense_does_not_break_the_drawing(order: Order) -> None:
    result = OrderResult(order, Outcome.VOID, "No such place.")
    parsed(render_overlay(toy_chart(), CROWDED, results=[result]))


def test_opposite_moves_bulge_apart_and_a_convoyed_army_bends_to_its_fleet() -> None:
    chart = toy_chart()
    there, back = Move(A_KET, IST), Move(F_EAST, KET)
    alone = render_overlay(chart, CROWDED, orders=[there])
    both = render_overlay(chart, CROWDED, orders=[there, back])
    assert _ways(alone)["A KET - IST"] != _ways(both)["A KET - IST"]
    army = Move(A_ALM, BOR, via_convoy=True)
    convoy = Convoy(F_WSE, A_ALM, ProvinceCode("BOR"))
    carried = render_overlay(chart, CROWDED, orders=[army, convoy])
    direct = render_overlay(chart, CROWDED, orders=[army])
    assert _ways(carried)[str(army)] != _ways(direct)[str(army)]


def _ways(svg: str) -> dict[str, str]:
    return dict(re.findall(r'data-order="([^"]*)".*?<path d="([^"]*)"', svg))


def test_arrows_are_drawn_over_rings_and_dashed_lines() -> None:
    orders = [Move(A_KET, IST), Hold(A_ALM), SupportHold(F_DUN, A_BOR)]
    svg = render_overlay(toy_chart(), CROWDED, orders=orders)
    kinds = [e.get("class") for e in parsed(svg).iter() if e.get("data-order")]
    assert kinds == ["order hold", "order supporthold", "order move"]


def test_badges_stand_over_arrows_and_under_the_marks_of_disbands() -> None:
    root = parsed(render_overlay(toy_chart(), CROWDED, orders=[Move(A_KET, IST), Disband(A_BOR)]))
    layers = [e.get("class") for e in root if e.get("class")]
    assert layers.index("orders") < layers.index("units") < layers.index("order-marks")
    drawn = {e.get("class"): [o.get("data-order") for o in e] for e in root}
    assert (drawn["orders"], drawn["order-marks"]) == (["A KET - IST"], ["A BOR D"])


def test_orders_alone_are_drawn_as_in_the_overlay() -> None:
    orders = [Move(A_KET, IST), Disband(A_BOR)]
    overlay = render_overlay(toy_chart(), CROWDED, orders=orders)
    alone = render_orders(toy_chart(), CROWDED, orders)
    below, above = alone.split('<g class="order-marks"')
    assert below in overlay
    assert above in overlay


def test_a_standoff_is_marked_in_its_province() -> None:
    svg = render_overlay(toy_chart(), position(A_ALM), standoffs=[ProvinceCode("BOR")])
    marks = [e for e in parsed(svg).iter() if e.get("class") == "standoff"]
    assert [e.get("data-province") for e in marks] == ["BOR"]


def test_a_live_overlay_leaves_colours_to_css_and_a_standalone_map_does_not() -> None:
    overlay, standalone = drawings()["overlay"], drawings()["map"]
    assert f"var(--map-label,{LIGHT.label})" in overlay
    assert "var(--power-badge,#" in overlay
    assert "var(" not in standalone
    assert ' style="' not in overlay + standalone  # a strict content policy would refuse it
    for variable in set(re.findall(r"var\((--map-[a-z-]+),", overlay)):
        assert f"{variable}:" in css_variables(NIGHT)


def test_the_pages_style_sheet_gives_a_live_drawing_both_themes() -> None:
    sheet = files("diplomaccloud.pages") / "static" / "pages" / "css" / "map.css"
    css = sheet.read_text(encoding="utf-8")
    light, night = (
        dict(
            declaration.split(":") for declaration in css_variables(theme).split(";") if declaration
        )
        for theme in (LIGHT, NIGHT)
    )
    missing = [ink for ink in light if f"{ink}: light-dark({light[ink]}, {night[ink]});" not in css]
    assert missing == []


def test_labels_are_names_or_codes_or_both() -> None:
    chart = toy_chart()
    texts = {
        labels: {
            e.text for e in parsed(render_overlay(chart, CROWDED, labels=labels)).iter(f"{SVG}text")
        }
        for labels in Labels
    }
    assert {"Isthmos", "EC"} <= texts[Labels.NAMES]
    assert "IST" in texts[Labels.CODES]
    assert "Isthmos" not in texts[Labels.CODES]
    assert {"Isthmos", "IST"} <= texts[Labels.BOTH]
    assert not {"Isthmos", "IST"} & texts[Labels.NONE]


def test_a_name_that_does_not_fit_is_written_as_its_code() -> None:
    chart = toy_chart()
    shapes = tuple(replace(s, anchors=replace(s.anchors, label_size=0)) for s in chart.shapes)
    root = parsed(render_overlay(replace(chart, shapes=shapes), CROWDED))
    texts = {e.text for e in root.iter(f"{SVG}text")}
    assert {"ALM", "KET"} <= texts
    assert "Almar" not in texts


@pytest.mark.parametrize(
    ("owners", "home_tint", "expected"),
    [
        ({"ALM": ALMAR}, True, {"ALM": ALMAR, "KET": ALMAR}),
        ({"ALM": ALMAR}, False, {"ALM": ALMAR}),
        ({"ALM": DUNN, "IST": ALMAR}, True, {"ALM": DUNN, "IST": ALMAR}),
        ({}, True, {}),
    ],
    ids=[
        "home land goes with a home center held",
        "home land stays plain when not asked for",
        "home land is lost with the last home center",
        "nothing owned, nothing tinted",
    ],
)
def test_territory(owners: dict[str, Power], home_tint: bool, expected: dict[str, Power]) -> None:
    centers = {ProvinceCode(code): power for code, power in owners.items()}
    held = Position(Phase.parse("S1901M"), (), centers)
    assert territory(toy_chart(), held, home_tint=home_tint) == expected


def test_a_png_has_its_signature_and_the_width_asked_for() -> None:
    png = render_png(render_map(toy_chart()), 300)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert width == 300
    assert 195 <= height <= 210


@pytest.mark.parametrize(("svg", "width"), [("no picture", 100), ("<svg/>", 0)])
def test_what_cannot_be_drawn_is_refused(svg: str, width: int) -> None:
    with pytest.raises(PictureError):
        render_png(svg, width)


def test_a_thumbnail_is_small_and_shows_neither_names_nor_units() -> None:
    svg = render_thumbnail(toy_chart(), 200)
    assert parsed(svg).get("width") == "200"
    assert parsed(svg).find(f".//{SVG}text") is None
    assert "Isthmos" not in svg
    assert svg.count('class="star"') == 3
    assert len(svg) < len(render_map(toy_chart()))


def test_relief_is_one_small_picture_within_the_width_limit() -> None:
    png = relief_png(Relief(1000, 4, bytes(range(250)) * 16), "#000000", "#ffffff")
    assert struct.unpack(">II", png[16:24]) == (334, 2)
    assert "<image" in render_base(toy_chart())
    assert "<image" not in render_base(replace(toy_chart(), relief=None))
    coarse = relief_png(Relief(48, 32, bytes(range(256)) * 6), "#000000", "#ffffff")
    assert struct.unpack(">II", coarse[16:24]) == (96, 64)
    flat = relief_png(Relief(8, 8, bytes(64)), "#000000", "#ffffff")
    assert flat[:4] == b"\x89PNG"


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
    assert path_data(((1, 2), (1.5, 2.2), (1.5, 2.2), (0, 0)), closed=True) == "M1 2l.5.2-1.5-2.2z"


def test_the_border_of_a_union_leaves_out_the_arcs_inside_it() -> None:
    chart = toy_chart()
    rings = [
        ring
        for shape in chart.shapes
        if shape.province in {"ALM", "KET", "IST", "BOR", "DUN"}
        for polygon in shape.polygons
        for ring in polygon
    ]
    arcs = border_arcs(rings)
    inside = {i for i, arc in enumerate(chart.arcs) if arc.kind == "land"}
    assert not inside & set(arcs)
    lines = chains(chart, arcs)
    assert len(lines) == 1
    assert len(lines[0]) == len(arcs) == 10


def test_open_arcs_are_walked_from_a_loose_end() -> None:
    chart = toy_chart()
    coast = [i for i, arc in enumerate(chart.arcs) if arc.kind == "coast"]
    assert sorted(len(line) for line in chains(chart, coast)) == [1, 3, 3]


def test_simplified_lines_keep_their_ends_and_their_corners() -> None:
    line = ((0.0, 0.0), (5.0, 0.1), (10.0, 0.0), (10.0, 10.0))
    assert simplified(line, 0.5) == ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    rock = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0))
    assert simplified(rock, 1.0) == rock


def test_curves_end_clear_of_the_badges_at_both_ends() -> None:
    curve = clear_of_boxes(curve_between((0, 0), (100, 0)), (10, 5), (20, 5))
    assert 10 < curve.start[0] < 14
    assert 76 < curve.end[0] < 80
    assert curve_through((0, 0), (50, 30), (100, 0)).at(0.5) == (50, 30)
    crowded = clear_of_boxes(curve_between((0, 0), (8, 0)), (10, 5), (10, 5))
    assert crowded.start[0] < crowded.end[0]


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        ({"X": "Austria", "Y": "Turkey"}, ["A", "T"]),
        ({"X": "Kyness", "Y": "Kalm", "Z": "Brum"}, ["Ky", "Ka", "B"]),
        ({"X": "Aa", "Y": "Aa"}, ["Aa", "A2"]),
        ({"X": "!", "Y": "Y"}, ["?", "Y"]),
    ],
)
def test_every_power_has_a_sign_of_its_own(names: dict[str, str], signs: list[str]) -> None:
    assert list(initials({Power(key): name for key, name in names.items()}).values()) == signs


@pytest.mark.parametrize(
    ("coast", "name"), [("NC", "north coast"), ("SWC", "southwest coast"), ("XY", "XY"), ("C", "C")]
)
def test_coasts_are_named_in_words(coast: str, name: str) -> None:
    assert coast_name(coast) == name


@pytest.mark.parametrize("colour", ["#f4f4f4", "#ffd83b", "#101040", "#c8453c", "red;x"])
def test_a_badge_and_its_mark_differ_enough_to_be_read(colour: str) -> None:
    inks = power_inks(colour)
    light, dark = sorted((luminance(inks.badge), luminance(inks.mark)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_a_live_theme_falls_back_to_the_plain_one() -> None:
    assert live_theme(NIGHT).sea == f"var(--map-sea,{NIGHT.sea})"


def test_serving_a_drawing_does_not_load_the_map_making_libraries() -> None:
    code = (
        "import sys, diplomaccloud.atlas.render\n"
        "print([m for m in ('numpy', 'scipy', 'shapely') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_board_without_a_position_is_drawn_as_it_starts() -> None:
    chart: Chart = toy_chart()
    board: Board = chart.board
    assert render_map(chart) == render_map(chart, starting_position(board))
    assert Scene(chart, starting_position(board), LIGHT).place(Location("XXX")) is None


def badge_outlines(svg: str) -> dict[str, str]:
    """Return the outline that the badge of each kind of unit refers to."""
    root = parsed(svg)
    drawn = (e for e in root.iter(f"{SVG}g") if "unit" in e.get("class", "").split())
    return {e.get("class", ""): e.findall(f".//{SVG}use")[0].get("href", "") for e in drawn}


def test_armies_and_fleets_have_badges_of_unlike_outline() -> None:
    svg = render_overlay(toy_chart(), CROWDED)
    outlines = badge_outlines(svg)
    assert outlines == {"unit army": "#o-army-badge", "unit fleet": "#o-fleet-badge"}
    shapes = {e.get("id"): e.get("d") for e in parsed(svg).iter(f"{SVG}path") if e.get("id")}
    assert shapes["o-army-badge"] != shapes["o-fleet-badge"]


def test_an_overlay_has_names_and_for_small_screens_codes() -> None:
    root = parsed(render_overlay(toy_chart(), CROWDED))
    names, codes = (
        next(e for e in root.iter(f"{SVG}g") if e.get("class") == name)
        for name in ("names", "codes")
    )
    assert (names.get("display"), codes.get("display")) == (None, "none")
    assert {e.text for e in codes.iter(f"{SVG}text")} == {p.code for p in toy_board().provinces}


@pytest.mark.parametrize("chart", [toy_chart(), standard_chart()], ids=lambda chart: chart.world)
def test_codes_on_a_telephone_are_large_and_cover_neither_each_other_nor_units(
    chart: Chart,
) -> None:
    prints = code_prints(chart)
    pixel = 390 / float(view_box(chart).split()[2])
    places = [(shape.province, shape.anchors.units) for shape in chart.shapes]
    units = [units[Location(code)] for code, units in places if Location(code) in units]
    half_wide, half_high = (half * usual_label_size(chart) / 15 for half in (16, 11.5))
    badges = [Box(x - half_wide, y - half_high, x + half_wide, y + half_high) for x, y in units]
    assert [code for code, one in prints.items() if one.size * pixel < 8] == []
    boxes = [one.box for one in prints.values()]
    assert [pair for pair in combinations(boxes, 2) if pair[0].shared(pair[1])] == []
    assert [box for box in boxes for badge in badges if box.shared(badge)] == []


def test_an_owned_center_is_signed_with_the_letter_of_its_owner() -> None:
    root = parsed(render_overlay(toy_chart(), CROWDED))
    stars = next(e for e in root.iter(f"{SVG}g") if e.get("class") == "stars")
    signed = {g.get("data-power"): g.findtext(f"{SVG}text") for g in stars.iter(f"{SVG}g")}
    assert {power: sign for power, sign in signed.items() if power} == {"ALMAR": "A", "DUNN": "D"}


def test_names_are_drawn_over_arrows_and_under_units() -> None:
    order = Move(A_ALM, KET)
    root = parsed(render_overlay(toy_chart(), CROWDED, orders=[order]))
    layers = [e.get("class") for e in root]
    assert layers.index("orders") < layers.index("labels") < layers.index("units")


@pytest.mark.parametrize(
    ("name", "ends_by"),
    [(None, 91), (((80, 0), (12, 5)), 69), (((80, 40), (12, 5)), 91)],
    ids=["no name", "a name in the way", "a name aside"],
)
def test_an_arrow_ends_before_the_name_of_where_it_goes(
    name: tuple[tuple[float, float], tuple[float, float]] | None, ends_by: float
) -> None:
    curve = clear_of_boxes(curve_between((0, 0), (100, 0)), (10, 5), (10, 5), name)
    assert ends_by - 5 < curve.end[0] < ends_by


def test_borders_at_sea_are_smooth_and_keep_their_ends() -> None:
    line = ((0.0, 0.0), (10.0, 10.0), (20.0, 0.0))
    smooth = smoothed(line)
    assert (smooth[0], smooth[-1]) == (line[0], line[-1])
    assert max(y for _, y in smooth) < 8
    assert smoothed(line[:2])[-1] == line[1]


def test_work_for_a_chart_is_done_once_and_for_another_anew() -> None:
    seen: list[Chart] = []
    work = once_per_chart(lambda chart: seen.append(chart) or len(seen))
    one, other = toy_chart(), replace(toy_chart(), world="Elsewhere")
    assert [work(one), work(one), work(other), work(one)] == [1, 1, 2, 1]


def test_a_passage_through_closed_land_is_drawn_as_water() -> None:
    way = Passage((BOR, KET), ((10.0, 20.0), (30.0, 20.0)))
    root = parsed(render_base(replace(toy_chart(), passages=(way,))))
    group = next(e for e in root.iter(f"{SVG}g") if e.get("class") == "passages")
    inks = [path.get("stroke") for path in group.iter(f"{SVG}path")]
    assert inks == [LIGHT.coast, LIGHT.water_line, LIGHT.sea_label]
    assert 'class="passages"' not in render_base(toy_chart())


def test_a_fleet_driven_out_of_a_coast_stands_by_that_coast() -> None:
    chart = toy_chart()
    shapes = tuple(
        replace(shape, anchors=replace(shape.anchors, dislodged_coasts={F_EAST.location: (7, 8)}))
        if shape.province == "IST"
        else shape
        for shape in chart.shapes
    )
    out = Dislodged(F_EAST, by=ProvinceCode("BOR"), retreats=())
    scene = Scene(replace(chart, shapes=shapes), position(A_ALM, dislodged=(out,)), LIGHT)
    assert scene.place_of(F_EAST) == (7, 8)


def test_only_a_map_on_its_own_carries_its_letters() -> None:
    drawn = drawings()
    assert [name for name, svg in drawn.items() if "@font-face" in svg] == ["map"]
    assert "http" not in drawn["map"].replace("http://www.w3.org/2000/svg", "")


def test_countries_have_patterns_of_their_own_hidden_until_a_page_shows_them() -> None:
    overlay = parsed(render_overlay(toy_chart(), CROWDED))
    groups = [e for e in overlay.iter(f"{SVG}g") if e.get("class") == "pattern"]
    drawn = [e.get("d") for e in overlay.iterfind(f".//{SVG}pattern/{SVG}path")]
    assert len(groups) == len(drawn) == len(set(drawn)) == 2
    assert {e.get("display") for e in groups} == {"none"}
    shown = render_map(toy_chart(), CROWDED, patterns=True)
    assert shown.count("<pattern ") == render_map(toy_chart(), CROWDED).count("<pattern ") + 2
