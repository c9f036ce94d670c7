"""Drawings are complete, well formed, safe, and identical every time."""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib.resources import files

import pytest
from tests.atlas.toy_drawings import A_ALM, A_KET, CROWDED, SVG, drawings, unit
from tests.atlas.toy_map import ALMAR, parse_svg, toy_chart

from diplomaccloud.atlas.chart import Chart, cache_per_chart
from diplomaccloud.atlas.render.overlay import render_map, render_overlay, render_thumbnail
from diplomaccloud.atlas.render.scene import Scene
from diplomaccloud.atlas.render.theme import LIGHT, NIGHT, css_variables, live_theme
from diplomaccloud.judge.board import Board, Location, Power, PowerInfo, ProvinceCode
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


def test_a_live_theme_falls_back_to_fixed_colors() -> None:
    assert live_theme(NIGHT).sea == f"var(--map-sea,{NIGHT.sea})"


def test_serving_a_drawing_does_not_load_the_map_making_libraries() -> None:
    code = (
        "import sys, diplomaccloud.atlas.render\n"
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
