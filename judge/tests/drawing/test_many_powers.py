"""More than ten powers have letters on their badges, and patterns where colors are similar."""

import re
from dataclasses import replace

import pytest
from judge.tests.drawing.checkerboard import checkerboard
from judge.tests.drawing.toy_map import parse_svg

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.many_powers import find_badge_letters, find_near_powers
from diplomaccloud.judge.drawing.overlay import render_map, render_overlay
from diplomaccloud.judge.drawing.styles import STYLES
from diplomaccloud.judge.position import starting_position


@pytest.fixture(scope="module")
def board_of():
    """Return a board whose powers have these names, then Realm P03 and so on."""
    board = checkerboard().board

    def build(*names):
        named = [replace(info, name=name) for info, name in zip(board.powers, names, strict=False)]
        return replace(board, powers=(*named, *board.powers[len(named) :]))

    return build


def test_each_of_many_powers_has_letters_of_its_own(board_of):
    letters = list(find_badge_letters(board_of("Ódran", "Odrysia", "Od")).values())
    assert letters[:4] == ["OD", "OR", "AA", "RE"]
    assert len(set(letters)) == 64
    assert all(re.fullmatch("[A-Z]{2}", pair) for pair in letters)


def test_few_powers_have_no_letters_and_no_patterns():
    board = standard_chart().board
    assert not find_badge_letters(board)
    assert not find_near_powers(board)
    assert 'class="letters"' not in render_map(standard_chart())


@pytest.mark.parametrize("style", STYLES)
def test_every_badge_has_its_letters(style):
    chart = checkerboard()
    letters = find_badge_letters(chart.board)
    drawn = parse_svg(render_map(chart, theme=STYLES[style]))
    units = [one for one in drawn.iter() if one.get("class", "").startswith("unit ")]
    assert len(units) == 64
    for unit in units:
        (text,) = (one for one in unit.iter() if one.get("class") == "letters")
        assert text.text == letters[Power(unit.get("data-power"))]


def list_patterned(svg):
    """Return the powers whose pattern shows."""
    return {
        country.get("data-power")
        for country in parse_svg(svg).iter()
        if country.get("class") == "country"
        for one in country
        if one.get("class") == "pattern" and one.get("display") != "none"
    }


def test_a_power_that_looks_like_one_near_it_shows_its_pattern():
    chart = checkerboard()
    palette = dict.fromkeys(chart.palette, "#808080")
    near = find_near_powers(chart.board)
    assert (Power("P00"), Power("P03")) in near
    assert (Power("P00"), Power("P04")) not in near
    alike = {second for _, second in near}
    position = starting_position(chart.board)
    for shown in (
        render_map(replace(chart, palette=palette)),
        render_overlay(replace(chart, palette=palette), position),
        render_overlay(chart, position, colors=palette),
    ):
        assert list_patterned(shown) == alike
    second = chart.board.powers[1].power
    palette[second] = "#101010"
    assert second not in list_patterned(render_map(replace(chart, palette=palette)))
