"""Rivers, ridges, cliffs and letters: only on charts that have them, and each where it belongs."""

import re
from dataclasses import replace

import pytest
from judge.tests.drawing.toy_map import ALMAR, parse_svg, ruled_toy_chart, toy_chart

from diplomaccloud.judge.board import BorderKind, BorderRule, Location, ProvinceCode, UnitKind
from diplomaccloud.judge.drawing.arrows import draw_orders, draw_retreats, trace_routes
from diplomaccloud.judge.drawing.base import draw_base, refine_chart
from diplomaccloud.judge.drawing.chart import Passage
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_card, render_map, render_thumbnail
from diplomaccloud.judge.drawing.scene import Scene
from diplomaccloud.judge.drawing.terrain import draw_stubs, draw_terrain
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT
from diplomaccloud.judge.orders import Move, SupportHold
from diplomaccloud.judge.position import Dislodged, starting_position
from diplomaccloud.judge.units import Unit

RULED = refine_chart(ruled_toy_chart())
SVG = "{http://www.w3.org/2000/svg}"
WIDE = re.compile(r'<path d="M([^"]+)" stroke-width="([.\d]+)"')


def with_rules(*rules):
    """Return the ruled toy chart with these rules alone; its borders stay."""
    return replace(RULED, board=replace(RULED.board, border_rules=rules))


def rivers(chart):
    """Return the width of the water at each start of a piece, in the order of the drawing."""
    drawn = draw_terrain(chart, LIGHT).split(f'stroke="{LIGHT.sea_border}"')[1].split("</g>")[0]
    found = {}
    for path, width in WIDE.findall(drawn):
        for piece in f"M{path}".split("M")[1:]:
            x, y = re.findall(r"-?[\d.]+", piece)[:2]
            found[float(x), float(y)] = float(width)
    return found


@pytest.mark.parametrize("chart", [standard_chart(), toy_chart()], ids=["Europe", "toy"])
def test_a_chart_without_rules_is_drawn_as_before(chart):
    assert draw_terrain(chart, LIGHT) == draw_stubs(chart, LIGHT) == ""
    assert 'class="terrain"' not in render_map(chart)


def test_a_river_gets_wider_toward_its_mouth():
    """Isthmos and Dunn meet the sea in the east."""
    (river,) = [rule for rule in RULED.board.border_rules if rule.first == "IST/EC"]
    widths = rivers(with_rules(river))
    downstream = [widths[spot] for spot in sorted(widths)]
    assert downstream == sorted(downstream)
    assert downstream[-1] > 1.5 * downstream[0]


def test_a_river_without_a_mouth_leaves_at_the_frame():
    """Almar and Kett meet the upper edge of the map."""
    widths = rivers(with_rules(RULED.board.border_rules[0]))
    downstream = [widths[spot] for spot in sorted(widths, key=lambda spot: -spot[1])]
    assert downstream == sorted(downstream)


def test_a_longer_river_is_wider():
    first, second = RULED.board.border_rules[:2]
    assert max(rivers(with_rules(first, second)).values()) >= max(
        rivers(with_rules(second)).values()
    )


def test_a_river_with_two_mouths_flows_to_both():
    """From sea to sea: a canal is widest at both ends."""
    at = Location
    board = replace(RULED.board, border_rules=())
    pairs = [(at("IST/WC"), at("BOR")), (at("IST/EC"), at("DUN"))]
    chart = with_rules(*(BorderRule(BorderKind.RIVER, *pair) for pair in pairs))
    assert board.fleet_borders == chart.board.fleet_borders
    widths = rivers(chart)
    left, *_, right = sorted(widths)
    middle = min(widths, key=lambda spot: abs(spot[0] - 244))
    assert widths[middle] < min(widths[left], widths[right])


def test_rivers_and_ridges_lie_over_the_tints_of_countries():
    drawn = render_map(ruled_toy_chart())
    assert drawn.index('class="countries"') < drawn.index('class="terrain"')
    assert drawn.index('class="terrain"') < drawn.index('class="labels"')


def test_a_ridge_has_peaks_and_a_shore_has_cliffs():
    ridge = draw_terrain(with_rules(RULED.board.border_rules[3]), LIGHT)
    assert ridge.count(f'fill="{LIGHT.hatch}"') > 5
    at = Location
    board = replace(
        RULED.board,
        fleet_borders=tuple(p for p in RULED.board.fleet_borders if {*p} != {"KET", "ESE"}),
        border_rules=(BorderRule(BorderKind.CLOSED, at("KET"), at("ESE"), (UnitKind.FLEET,)),),
    )
    cliff = draw_terrain(replace(RULED, board=board), LIGHT)
    assert f'fill="{LIGHT.hatch}"' not in cliff
    assert cliff.count("M") > 20


def test_a_gorge_has_a_river_between_cliffs():
    at = Location
    river = BorderRule(BorderKind.RIVER, at("ALM"), at("KET"))
    closed = BorderRule(BorderKind.CLOSED, at("ALM"), at("KET"), (UnitKind.ARMY,))
    board = replace(
        RULED.board, army_borders=RULED.board.army_borders[1:], border_rules=(river, closed)
    )
    drawn = draw_terrain(replace(RULED, board=board), LIGHT)
    assert LIGHT.sea_border in drawn
    assert f'fill="{LIGHT.hatch}"' not in drawn
    assert drawn.count("M") > 20


def test_a_lettered_passage_is_two_stubs_with_its_letter():
    drawn = parse_svg(f'<svg xmlns="{SVG[1:-1]}">{draw_stubs(RULED, LIGHT)}</svg>')
    assert [text.text for text in drawn.iter(f"{SVG}text")] == ["A", "A"]
    # The letters stand a little outside, on the frame.
    left, right = sorted(float(circle.get("cx")) for circle in drawn.iter(f"{SVG}circle"))
    assert -10 < left < 0
    assert right - 480 == -left
    lines = next(drawn.iter(f"{SVG}path")).get("d").split("M")[1:]
    assert sorted(float(line.split("l")[0].split()[0]) for line in lines) == [0, 480]
    assert 'class="passages"' not in draw_base(RULED, LIGHT)
    plain = replace(RULED.passages[0], mark="")
    assert 'class="passages"' in draw_base(replace(RULED, passages=(plain,)), LIGHT)


def test_a_lettered_passage_may_begin_at_the_edge():
    (passage,) = RULED.passages
    from_edge = replace(passage, points=((0.0, 90.0), (480.0, 90.0)))
    drawn = draw_stubs(replace(RULED, passages=(from_edge,)), LIGHT)
    assert [drawn.count(f'cx="{x}"') for x in (0, 480)] == [1, 1]


@pytest.mark.parametrize("line", [((9, 9), (5, 5)), ((0, 9), (0, 5)), ((0, 9), (480, 5), (0, 4))])
def test_a_lettered_passage_leaves_the_map_once(line):
    ends = (Location("WSE"), Location("ESE"))
    with pytest.raises(ValueError, match="does not leave the map at one edge"):
        Passage(ends, line, "A").stubs((480, 320))


def test_orders_through_a_lettered_passage_leave_at_one_edge_and_return_at_the_other():
    west, east = (Unit(UnitKind.FLEET, Location(sea), ALMAR) for sea in ("WSE", "ESE"))
    position = replace(starting_position(RULED.board), units=(west, east))
    for order in (Move(west, Location("ESE")), SupportHold(west, east)):
        drawn = re.findall(r'd="(M[^"]+)"', draw_orders(Scene(RULED, position, LIGHT), [order])[0])
        lines = [[*map(float, re.findall(r"-?[\d.]+", line))] for line in drawn if "Q" in line]
        assert lines
        assert all(abs(line[0] - line[-2]) < 200 for line in lines)
    (path,) = trace_routes(RULED, position, [Move(west, Location("ESE"))]).values()
    assert path.count("M") == 2
    driven = Dislodged(west, ProvinceCode("KET"), (Location("ESE"),))
    lines = draw_retreats(Scene(RULED, replace(position, dislodged=(driven,)), LIGHT), ())
    assert {path.count("M") for path in re.findall(r'd="(M[^"]+)"', lines)} == {2}


@pytest.mark.parametrize("theme", [LIGHT, NIGHT], ids=["light", "night"])
def test_every_kind_of_picture_shows_them(theme):
    chart = ruled_toy_chart()
    position = starting_position(chart.board)
    for drawn in (
        render_map(chart, theme=theme),
        render_thumbnail(chart, theme=theme),
        render_card(chart, position, theme),
    ):
        assert drawn.count('class="terrain"') == 1
        assert drawn.count(">A</text>") == 2
