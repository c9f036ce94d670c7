"""The texts on a map: names, and codes for small screens."""

from dataclasses import replace
from itertools import combinations

import pytest
from tests.atlas.toy_drawings import CROWDED, SVG
from tests.atlas.toy_map import parse_svg, toy_board, toy_chart

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render.labels import Labels, place_codes
from diplomaccloud.atlas.render.overlay import render_overlay
from diplomaccloud.atlas.render.scene import coast_name, view_box
from diplomaccloud.atlas.render.sizes import badge_box, badge_scale, place_badges
from diplomaccloud.atlas.standard import standard_chart


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
