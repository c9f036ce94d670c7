"""Rivers, lakes, signs and names that are only drawn."""

from dataclasses import replace

import pytest
from judge.tests.drawing.toy_map import parse_svg, toy_chart

from diplomaccloud.judge.drawing.base import draw_base
from diplomaccloud.judge.drawing.chart import Feature, FeatureKind
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.features import draw_feature_names, draw_features
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_card, render_map, render_thumbnail
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT
from diplomaccloud.judge.position import starting_position

FEATURES = (
    Feature(FeatureKind.RIVER, ((200.0, 100.0), (230.0, 120.0), (300.0, 120.0))),
    Feature(FeatureKind.LAKE, ((90.0, 90.0), (120.0, 90.0), (110.0, 110.0)), "Lake <Kal>"),
    Feature(FeatureKind.NAME, ((40.0, 40.0), (80.0, 80.0)), "Kal & Pass"),
    Feature(FeatureKind.FOREST, ((50.0, 60.0), (70.0, 60.0))),
    Feature(FeatureKind.ICE, ((50.0, 20.0),)),
)


def with_features(*features):
    return replace(toy_chart(), features=features)


@pytest.mark.parametrize("chart", [standard_chart(), toy_chart()], ids=["Europe", "toy"])
def test_a_chart_without_features_is_drawn_as_before(chart):
    names = draw_feature_names(chart, LIGHT, Labels.NAMES)
    assert draw_features(chart, LIGHT) == names == ""


@pytest.mark.parametrize("theme", [LIGHT, NIGHT], ids=["light", "night"])
def test_signs_have_the_color_of_their_kind_and_lie_under_the_borders(theme):
    drawn = draw_base(with_features(*FEATURES), theme)
    assert drawn.index(theme.forest) < drawn.index(theme.border)
    assert theme.ice in drawn
    assert theme.desert not in drawn


def test_each_sign_is_drawn_once_for_each_place():
    one, two = (
        draw_features(with_features(Feature(FeatureKind.MARSH, places)), LIGHT)
        for places in (((50.0, 60.0),), ((50.0, 60.0), (70.0, 60.0)))
    )
    assert one.count("M") * 2 == two.count("M") > 0


def test_only_names_with_a_line_are_printed_and_they_are_escaped():
    drawn = draw_feature_names(with_features(*FEATURES), LIGHT, Labels.NAMES)
    assert "Kal &amp; Pass" in drawn
    assert "rotate(45)" in drawn
    assert "Lake" not in drawn
    parse_svg(render_map(with_features(*FEATURES)))


def test_pictures_without_names_have_no_names_of_features():
    chart = with_features(*FEATURES)
    small = render_thumbnail(chart) + render_card(chart, starting_position(chart.board))
    assert "Kal &amp; Pass" not in small + render_map(chart, labels=Labels.CODES)
