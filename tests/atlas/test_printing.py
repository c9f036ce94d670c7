"""Printed sheets: pages of the right size, our letters only, and the same bytes each time."""

import re
import sys
from base64 import b64decode
from dataclasses import replace

import pytest
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.atlas.printing.pdf import draw_content, render_sheet
from diplomaccloud.atlas.printing.relief import DOTS_PER_INCH, refine_relief
from diplomaccloud.atlas.printing.sheets import Content, Sheet, lay_out, show_parts
from diplomaccloud.judge import Game
from diplomaccloud.judge.drawing.chart import Relief
from diplomaccloud.judge.drawing.decoration import Decoration
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.position import starting_position

POINTS = 72 / 25.4
A4 = [210, 297]


def show(chart, **parts):
    return Content(chart, starting_position(chart.board), **parts)


def render(sheet, content):
    (pdf,) = render_sheet(sheet, content)
    return pdf


def list_slips(game):
    """Return the lines of each power's slip: a unit, its place and its choices."""
    data, _ = lay_out(Sheet.SLIPS, Content(standard_chart(), game.position))
    return {
        slip["name"]: ["{unit} {place} {choices}".format(**line) for line in slip["lines"]]
        for slip in data["slips"]
    }


def list_pages(pdf):
    """Return the size of each page in millimeters, the shorter side first."""
    boxes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [sorted(round(float(side) / POINTS) for side in box) for box in boxes]


@pytest.mark.parametrize(
    ("wanted", "parts"),
    [(Decoration.AUTO, True), (Decoration.FULL, True), (Decoration.PLAIN, False)],
)
def test_the_map_of_a_poster_does_not_repeat_the_title_and_the_key(wanted, parts):
    content = show_parts(show(standard_chart(), decoration=wanted))
    drawn = draw_content(content)
    assert ('class="compass"' in drawn) is parts
    assert 'class="cartouche"' not in drawn


LARGE = pytest.mark.long


@pytest.mark.parametrize(
    ("sheet", "pages"),
    [
        (Sheet.TURN, [A4]),
        (Sheet.SLIPS, [A4]),
        (Sheet.POSTER_A3, [[297, 420]]),
        pytest.param(Sheet.POSTER_A2, [[420, 594]], marks=LARGE),
        pytest.param(Sheet.POSTER_A1, [[594, 841]], marks=LARGE),
        (Sheet.TILES_A3, [A4] * 2),
        pytest.param(Sheet.TILES_A2, [A4] * 4, marks=LARGE),
        pytest.param(Sheet.TILES_A1, [A4] * 9, marks=LARGE),
    ],
)
def test_pages_have_the_size_of_the_paper_and_only_our_letters(sheet, pages):
    pdf = render(sheet, show(toy_chart()))
    assert list_pages(pdf) == pages
    fonts = set(re.findall(rb"/BaseFont ?/[A-Z]{6}\+([A-Za-z]+)", pdf))
    assert fonts == {b"TeXGyrePagella"}


def test_the_names_of_a_modern_map_have_no_serifs():
    pdf = render(Sheet.TURN, show(toy_chart(), style="modern"))
    fonts = set(re.findall(rb"/BaseFont ?/[A-Z]{6}\+([A-Za-z]+)", pdf))
    assert fonts >= {b"TeXGyrePagella", b"MapSans"}


def test_the_same_content_gives_the_same_bytes():
    assert render(Sheet.TURN, show(toy_chart())) == render(Sheet.TURN, show(toy_chart()))


def test_the_relief_is_as_fine_as_the_paper_shows():
    content = show(standard_chart())
    _, width = lay_out(Sheet.TURN, content)
    dots = max(map(int, re.findall(rb"/Width (\d+)", render(Sheet.TURN, content))))
    # The frame around the map has no relief.
    assert 0.9 < dots / (width / 25.4 * DOTS_PER_INCH) <= 1


@pytest.mark.parametrize(("columns", "rows"), [(1, 1500), (1500, 1)])
def test_a_relief_of_another_shape_takes_no_more_room(columns, rows):
    relief = Relief(columns, rows, bytes(range(1, 251)) * 6)
    chart = replace(toy_chart(), relief=relief)
    svg = refine_relief(render_map(chart), chart.size[0], 100)
    (relief_text,) = re.findall(r"data:image/png;base64,([^\"]+)", svg)
    png = b64decode(relief_text)
    sides = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
    assert max(sides) < 1600


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (1, 3)])
@pytest.mark.parametrize("sheet", [Sheet.POSTER_A1, Sheet.TILES_A2])
def test_head_map_and_key_share_the_sheet(sheet, shape):
    chart = toy_chart()
    side = max(chart.size)
    data, _ = lay_out(sheet, show(replace(chart, size=(side * shape[0], side * shape[1]))))
    poster = data["poster"]
    boxes = [poster[name] for name in ("head", "map", "panel")]
    for number, (left, top, width, height) in enumerate(boxes):
        assert min(left, top, width, height) > 0
        assert left + width < poster["width"]
        assert top + height < poster["height"]
        for other_left, other_top, other_width, other_height in boxes[:number]:
            across = min(left + width, other_left + other_width) - max(left, other_left)
            down = min(top + height, other_top + other_height) - max(top, other_top)
            assert min(across, down) < 0.01


def test_names_are_text_and_not_instructions():
    named = [replace(info, name='#panic("no") $x$ \\ */') for info in toy_chart().board.powers]
    board = replace(toy_chart().board, powers=tuple(named))
    chart = replace(toy_chart(), board=board, world=']#read("/etc/passwd") <&> 世界 \u202e')
    for sheet in (Sheet.TURN, Sheet.SLIPS):
        assert list_pages(render(sheet, show(chart)))


def test_a_turn_has_results_by_power_and_the_centers_after_it():
    game = Game(
        position="F1901M ITALY: A VEN, A ROM; AUSTRIA: F TRI; TURKEY: A CON; centers TURKEY: CON"
    )
    game.order("ITALY", "A VEN - TRI")
    game.order("TURKEY", "A CON - BUL")
    turn = game.adjudicate()
    content = Content(standard_chart(), turn.position, turn.resolution, title="Danube")
    data, _ = lay_out(Sheet.TURN, content)
    lines = [
        (group["name"], line["text"], line["note"])
        for column in data["results"]
        for group in column
        for line in group["lines"]
    ]
    assert ("Italy", "A VEN - TRI", "bounced") in lines
    assert "Turkey takes Bulgaria." in data["facts"]
    centers = {power["name"]: (power["centers"], power["change"]) for power in data["powers"]}
    assert centers["Turkey"] == (2, "+1")


@pytest.mark.parametrize(
    ("position", "lines"),
    [
        (
            "S1901M FRANCE: A PAR, F BRE; ITALY: A ROM",
            {"France": ["A PAR Paris ", "F BRE Brest "], "Italy": ["A ROM Rome "]},
        ),
        (
            "W1901A FRANCE: A PAR; centers FRANCE: PAR, BRE, MAR",
            {"France": ["Build  ", "Build  Free centers: BRE, MAR"]},
        ),
        (
            "W1901A FRANCE: A PAR, A BUR; centers FRANCE: PAR",
            {"France": ["Disband  Units: A BUR, A PAR"]},
        ),
    ],
)
def test_a_slip_has_a_line_for_each_order_with_the_choices(position, lines):
    assert list_slips(Game(position=position)) == lines


def test_a_slip_says_where_a_unit_can_retreat_to():
    game = Game(position="F1901M ITALY: A VEN; AUSTRIA: A TRI, A TYR; centers ITALY: VEN")
    game.order("AUSTRIA", "A TRI - VEN")
    game.order("AUSTRIA", "A TYR S A TRI - VEN")
    game.adjudicate()
    assert list_slips(game) == {"Italy": ["A VEN Venice Retreats: APU, PIE, ROM, TUS"]}


def test_without_the_package_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(ModuleNotFoundError, match="a PDF needs the package 'typst'"):
        render_sheet(Sheet.TURN, show(toy_chart()))
