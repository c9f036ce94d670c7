"""The sets of colors that generated maps choose from, and their use on maps."""

from colorsys import rgb_to_hls
from dataclasses import replace
from itertools import combinations
from math import dist

import pytest

from diplomaccloud.atlas.generator import pipeline
from diplomaccloud.atlas.generator.assembly import assign_colors, choose_palette, part_colors
from diplomaccloud.atlas.generator.pipeline import build_spec, make_chart
from diplomaccloud.atlas.generator.random_streams import random_stream
from diplomaccloud.judge.drawing.many_powers import find_near_powers
from diplomaccloud.judge.drawing.palette import (
    color_difference,
    color_sets,
    find_least_difference,
    many_colors,
)
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT, WASH, luminance, power_inks

MIN_DIFFERENCES = {
    2: (85, 48, 50),
    3: (55, 31, 32),
    4: (44, 22, 24),
    5: (40, 21, 23),
    6: (35, 16, 18),
    7: (30, 15, 16),
    8: (28, 12.7, 14),
    9: (23.5, 12.6, 13.5),
    10: (22, 12.6, 13.4),
}
"""The smallest ΔE76 for any kind of vision: of inks, and of countries by day and by night."""

SETS = [(count, inks) for count in MIN_DIFFERENCES for inks in color_sets(count)]
IDS = [f"{count}-{inks[0]}" for count, inks in SETS]
every_set = pytest.mark.parametrize(("count", "inks"), SETS, ids=IDS)


def country(ink, theme):
    """Return the color of a level country: its tint over the land."""
    tint, land = (bytes.fromhex(color[1:]) for color in (power_inks(ink).tint, theme.land))
    mixed = (round(WASH * a + (1 - WASH) * b) for a, b in zip(tint, land, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def contrast(first, second):
    dark, light = sorted(map(luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("count", MIN_DIFFERENCES)
def test_there_are_several_sets_and_all_differ(count):
    sets = color_sets(count)
    assert len(sets) >= (8 if count <= 7 else 7)
    assert len({frozenset(inks) for inks in sets}) == len(sets)
    for first, second in combinations(sets, 2):
        assert max(min(color_difference(ink, like) for like in second) for ink in first) > 5


@every_set
def test_colors_of_a_set_differ_for_every_kind_of_vision(count, inks):
    drawn = [inks, *([country(ink, theme) for ink in inks] for theme in (LIGHT, NIGHT))]
    assert len(set(inks)) == count
    for seen, least in zip(drawn, MIN_DIFFERENCES[count], strict=True):
        assert find_least_difference(seen) >= least


@every_set
def test_every_country_stands_out_from_parchment_and_water(count, inks):
    for ink in inks:
        assert color_difference(ink, LIGHT.land) > 20
        assert color_difference(ink, LIGHT.sea) > 10
        by_day, by_night = country(ink, LIGHT), country(ink, NIGHT)
        assert color_difference(by_day, LIGHT.land) > 13
        assert color_difference(by_day, LIGHT.sea) > 5.5
        assert color_difference(by_night, NIGHT.land) > 6.5
        assert color_difference(by_night, NIGHT.sea) > 10


@every_set
def test_marks_are_readable_on_every_badge(count, inks):
    for shades in map(power_inks, inks):
        assert contrast(shades.badge, shades.mark) > 4.3


@every_set
def test_no_ink_is_pink_or_glaring(count, inks):
    for red, green, blue in (bytes.fromhex(ink[1:]) for ink in inks):
        _, lightness, _ = rgb_to_hls(red / 255, green / 255, blue / 255)
        assert not (red >= blue > green and lightness > 0.5)
        assert 0.1 < lightness < 0.75


@pytest.mark.parametrize("count", MIN_DIFFERENCES)
def test_every_set_is_chosen_for_some_seed(count):
    reached = {choose_palette(count, random_stream(str(seed), "colours")) for seed in range(200)}
    assert reached == set(color_sets(count))


@every_set
def test_every_power_gets_a_different_color(count, inks):
    middles = [(100.0 * (number % 4), 80.0 * (number // 4)) for number in range(count)]
    assert sorted(assign_colors(inks, middles)) == sorted(inks)


def test_neighbors_get_the_most_different_colors():
    blues, yellows = {"#182850", "#2050b0"}, {"#f0d050", "#c09030"}
    middles = [(0.0, 0.0), (10.0, 0.0), (900.0, 0.0), (910.0, 0.0)]
    color, neighbor, *_ = assign_colors([*sorted(blues), *sorted(yellows)], middles)
    assert (color in blues) != (neighbor in blues)


@pytest.mark.parametrize("count", [11, 20, 34])
def test_among_more_than_ten_powers_the_colors_of_near_ones_differ_well(count):
    middles = [(100.0 * (number % 6), 80.0 * (number // 6)) for number in range(count)]
    pairs = [
        (first, second)
        for first, second in combinations(range(count), 2)
        if dist(middles[first], middles[second]) <= 130
    ]
    palette = choose_palette(count, random_stream("", "colours"))
    colors = part_colors(palette, pairs)
    assert sorted(colors) == sorted(set(palette))
    assert all(color_difference(colors[first], colors[second]) >= 22 for first, second in pairs)


@pytest.mark.long
@pytest.mark.parametrize("players", [11, 13, 15, 17, 20, 26])
def test_near_powers_of_a_map_have_colors_that_differ_well(players):
    chart = make_chart("colors", players)
    near = find_near_powers(chart.board)
    assert len(near) >= players / 2
    for first, second in near:
        assert color_difference(chart.palette[first], chart.palette[second]) >= 22


def test_a_map_has_the_colors_that_its_seed_chooses():
    made = [make_chart(seed, 2) for seed in "abc"]
    for chart in made:
        palette = choose_palette(
            2, random_stream(build_spec(chart.seed, 2, None, None).key, "colours")
        )
        assert set(chart.palette.values()) == set(palette)
        assert chart.fairness["colour_difference"] == round(find_least_difference(palette), 4)
    assert len({frozenset(chart.palette.values()) for chart in made}) > 1


def test_colors_change_nothing_else_on_a_map(chart, monkeypatch):
    other = next(inks for inks in color_sets(7) if set(inks) != set(chart.palette.values()))
    monkeypatch.setattr(pipeline, "choose_palette", lambda count, rng: other)
    recolored = make_chart("the first map")
    assert set(recolored.palette.values()) == set(other)
    assert replace(recolored, palette=chart.palette, fairness=chart.fairness) == chart


@pytest.mark.parametrize(
    ("count", "least"), [(1, 0), (7, 22), (11, 22), (22, 16), (34, 12), (64, 6)]
)
def test_any_number_of_powers_has_colors(count, least):
    colors = many_colors(count)
    assert len(set(colors)) == count
    assert count == 1 or find_least_difference(colors) >= least
