"""Titles, keys, compasses, scales and country names: clear of all else, and only where wanted."""

from dataclasses import replace
from itertools import combinations

import pytest
from judge.tests.drawing.toy_map import parse_svg, toy_chart

from diplomaccloud.judge import Game
from diplomaccloud.judge.drawing.base import refine_chart
from diplomaccloud.judge.drawing.bitmap import Bitmap
from diplomaccloud.judge.drawing.decoration import (
    Decoration,
    list_boxes,
    place_decoration,
    split_title,
)
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.features import list_feature_boxes
from diplomaccloud.judge.drawing.labels import Labels, list_names
from diplomaccloud.judge.drawing.overlay import (
    render_card,
    render_layer,
    render_map,
    render_orders,
    render_overlay,
    render_picture,
    render_thumbnail,
)
from diplomaccloud.judge.drawing.room import find_moves
from diplomaccloud.judge.drawing.scene import Scene
from diplomaccloud.judge.drawing.sizes import Box, badge_box, badge_scale, box_around, place_badges
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT
from diplomaccloud.judge.position import starting_position

DRAWN = 'class="decoration"'
TITLED = replace(standard_chart(), title="The Realms of Europe")
START = starting_position(TITLED.board)


def list_taken(chart):
    """Return the boxes of names, stars and places for units."""
    unit = badge_scale(chart)
    boxes = [box for text in list_names(chart).values() for box in text.boxes]
    boxes += list_feature_boxes(chart)
    boxes += [badge_box(at, unit) for at in place_badges(chart).values()]
    for shape in chart.shapes:
        boxes.append(badge_box(shape.anchors.dislodged, 0.8 * unit))
        if shape.anchors.star is not None:
            boxes.append(box_around(shape.anchors.star, 9 * unit, 9 * unit))
    return boxes


@pytest.mark.parametrize("chart", [standard_chart(), toy_chart()], ids=["Europe", "toy"])
def test_a_map_without_a_title_is_decorated_only_on_request(chart):
    position = starting_position(chart.board)
    plain = render_map(chart, decoration=Decoration.PLAIN)
    assert render_map(chart) == plain
    assert DRAWN not in plain + render_overlay(chart, position) + render_orders(chart, position, ())
    full = render_map(chart, decoration=Decoration.FULL)
    assert full.count(DRAWN) == 1
    assert 0 < len(full) - len(plain) <= 6_000


def test_a_map_with_a_title_is_decorated_except_where_it_is_small():
    assert DRAWN in render_map(TITLED)
    assert DRAWN in render_overlay(TITLED, START)
    assert DRAWN not in render_map(TITLED, labels=Labels.CODES)
    assert DRAWN not in render_map(TITLED, decoration=Decoration.PLAIN)
    small = render_thumbnail(TITLED) + render_card(TITLED, START) + render_picture(TITLED, START)
    assert DRAWN not in small + render_layer(TITLED, START, NIGHT)


def test_the_same_map_is_decorated_in_the_same_way():
    again = replace(TITLED, world=TITLED.world)
    assert render_map(TITLED) == render_map(again)


def test_a_sheet_with_a_title_of_its_own_gets_the_other_parts():
    drawn = render_map(TITLED, decoration=Decoration.PARTS)
    assert 'class="compass"' in drawn
    assert 'class="country-names"' in drawn
    assert 'class="cartouche"' not in drawn
    assert 'class="key"' not in drawn


def test_europe_has_room_for_all_parts_and_they_touch_nothing():
    chart = refine_chart(TITLED)
    placed = place_decoration(chart)
    assert None not in (placed.cartouche, placed.key, placed.compass, placed.scale)
    assert {"RUSSIA", "TURKEY"} <= {name.text for name in placed.names}
    boxes, taken = list_boxes(chart, Labels.NAMES, Decoration.AUTO), list_taken(chart)
    assert [(box, other) for box in boxes for other in taken if box.shared_area(other)] == []
    assert [pair for pair in combinations(boxes, 2) if pair[0].shared_area(pair[1])] == []
    (width, height) = chart.size
    inside = [box.left > 0 and box.top > 0 for box in boxes]
    inside += [box.right < width and box.bottom < height for box in boxes]
    assert all(inside)


def test_the_name_of_a_power_is_drawn_only_where_the_ground_is_its_own():
    def list_drawn(position):
        names = parse_svg(render_map(TITLED, position)).find(".//*[@class='country-names']")
        return {text.text for text in names}

    named = {name.text: name for name in place_decoration(refine_chart(TITLED)).names}
    under = sorted(named["RUSSIA"].provinces & START.centers.keys())
    assert {TITLED.board.by_code[code].home for code in named["RUSSIA"].provinces} == {"RUSSIA"}
    captured = replace(START, centers={**START.centers, under[0]: "TURKEY"})
    assert list_drawn(START) == named.keys()
    assert list_drawn(captured) == named.keys() - {"RUSSIA"}


def test_what_a_code_would_touch_is_marked_for_pages_that_show_either():
    both = parse_svg(render_overlay(TITLED, START, labels=Labels.BOTH))
    assert len(both.findall(".//*[@class='near']")) < 5
    codes = render_map(TITLED, labels=Labels.CODES, decoration=Decoration.FULL)
    assert 'class="country-names"' not in codes
    assert 'class="near"' not in codes


def test_a_name_that_gives_way_to_orders_avoids_the_decoration():
    chart = refine_chart(TITLED)
    game = Game(TITLED)
    scene = Scene(chart, game.position, LIGHT)
    decorated = list_boxes(chart, Labels.NAMES, Decoration.AUTO)
    # Every name of a sea must move.
    covers = [text.boxes[0] for text in list_names(chart).values()]
    apart = find_moves(scene, Labels.NAMES, covers, decorated)
    met = [
        text.lines
        for text in apart.values()
        if text is not None
        if any(box.shared_area(other) for box in text.boxes for other in decorated)
    ]
    assert met == []


@pytest.mark.parametrize(
    ("title", "world", "lines"),
    [
        ("The Isles of Kalora", "Kalora", [("The Isles of", False), ("Kalora", True)]),
        ("Kalora and the New World", "Kalora", [("Kalora", True), ("and the New World", False)]),
        ("The Isles of Kalora", "Renamed", [("The Isles of", False), ("Kalora", True)]),
        (
            "The Scattered Isles in the Sea of Tir",
            "Tir",
            [
                ("The Scattered Isles", False),
                ("in the Sea of", False),
                ("Tir", True),
            ],
        ),
        ("Europe", "Europe", [("Europe", True)]),
        ("", "", []),
    ],
)
def test_a_title_is_set_with_its_main_words_in_a_line_of_their_own(title, world, lines):
    assert split_title(title, world) == lines


def test_a_long_title_is_wrapped_and_no_title_can_break_the_drawing():
    hostile = replace(TITLED, title=f'"><script>&{"word " * 12}', world="")
    assert "<script>" not in render_map(hostile)
    parse_svg(render_map(hostile))
    assert all(len(line) < 30 for line, _ in split_title("word " * 15, ""))
    lines = [line for line, _ in split_title("The Realms around the Ice of Kalora", "Kalora")]
    assert lines == ["The Realms around", "the Ice of", "Kalora"]


def test_a_map_without_room_gets_its_title_on_the_frame():
    chart = refine_chart(replace(toy_chart(), title="The Great Realms of Toyland and Its Seas"))
    placed = place_decoration(chart)
    assert placed.cartouche is not None
    assert placed.cartouche.box.top > chart.size[1]
    parse_svg(render_map(chart))


def test_the_emptiest_box_has_the_same_room_on_all_sides():
    room = Bitmap((40, 30), 1)
    room.set_boxes([Box(5, 5, 25, 15)])
    assert room.find_emptiest(10, 4, 12) == Box(10, 8, 20, 12)
    assert room.find_emptiest(21, 4, 12) is None
    # What is at the right edge does not continue on the left.
    edge = Bitmap((40, 30), 1)
    edge.set_boxes([Box(36, 5, 40, 15), Box(0, 5, 4, 16)])
    assert edge.find_emptiest(6, 4, 12) is None


def test_outlines_are_filled_without_what_they_share():
    square, hole = [(2, 2), (12, 2), (12, 12), (2, 12), (2, 2)], [(5, 5), (5, 9), (9, 9), (9, 5)]
    filled = Bitmap((20, 20), 1)
    filled.flip_inside([square, [*hole, hole[0]]])
    assert filled.bits.bit_count() == 10 * 10 - 4 * 4
