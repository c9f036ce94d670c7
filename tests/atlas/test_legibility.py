"""Names and marks on a map are readable and stand where players understand them."""

import re
from functools import cache
from itertools import combinations

import pytest
from judge.tests.drawing.toy_map import ALMAR, DUNN, parse_svg, toy_chart
from shapely import MultiPoint, Point, Polygon
from shapely.geometry import box as rectangle

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.judge.board import Location, UnitKind, province_of
from diplomaccloud.judge.drawing.base import refine_chart
from diplomaccloud.judge.drawing.chart import Chart, Shape
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.labels import (
    MARK_SIZE,
    find_coast_lines,
    is_coast_obvious,
    mark_box,
    place_coast_marks,
)
from diplomaccloud.judge.drawing.overlay import render_orders, render_overlay
from diplomaccloud.judge.drawing.scene import DISLODGED_SIZE, Scene, coast_suffix, view_box
from diplomaccloud.judge.drawing.sizes import (
    HALF_HEIGHT,
    HALF_WIDTH,
    Box,
    Grid,
    badge_box,
    badge_scale,
    label_box,
    place_badges,
    usual_label_size,
)
from diplomaccloud.judge.drawing.theme import LIGHT, is_dark, luminance, power_inks
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.units import Unit

SVG = "{http://www.w3.org/2000/svg}"
SEEDS = ("harbor", "quince", "lantern-9", "hero 1", "hero 8")
COLORS = ("#a32114", "#1c2a7a", "#5589f1", "#213b3b", "#62966f", "#cfa8dc", "#eebf45", "#5a1a78")


@cache
def chart_of(seed: str) -> Chart:
    """Return the map of `seed` as it is drawn; without a seed, the standard map."""
    return refine_chart(make_chart(seed) if seed else standard_chart())


def list_split_shapes(chart: Chart) -> list[Shape]:
    return [shape for shape in chart.shapes if shape.province in place_coast_marks(chart)]


def find_mainland(chart: Chart, shape: Shape) -> Polygon:
    rings = ([chart.outline(ring) for ring in rings] for rings in shape.polygons)
    parts = [Polygon(outer, holes) for outer, *holes in rings]
    return max(parts, key=lambda part: part.area)


def to_polygon(box: Box) -> Polygon:
    return rectangle(box.left, box.top, box.right, box.bottom)


@pytest.mark.parametrize("seed", ["", *SEEDS])
def test_a_coasts_mark_is_on_its_land_and_nearest_to_its_own_coast(seed: str) -> None:
    chart = chart_of(seed)
    assert list_split_shapes(chart)
    for shape in list_split_shapes(chart):
        lines = {
            coast_suffix(coast): MultiPoint(line)
            for coast, line in find_coast_lines(chart, shape).items()
        }
        marks = place_coast_marks(chart)[shape.province]
        assert {mark.text for mark in marks} == set(lines)
        for mark in marks:
            printed = to_polygon(mark_box(chart, mark.at))
            inside = find_mainland(chart, shape).intersection(printed).area / printed.area
            away = {text: line.distance(Point(mark.at)) for text, line in lines.items()}
            assert inside > 0.75, (shape.province, mark)
            assert min(away, key=lambda text: away[text]) == mark.text, (shape.province, away)


@pytest.mark.parametrize(
    ("seed", "players"),
    [pytest.param("m 2", 5, marks=pytest.mark.long), ("m 6", 7), ("m 8", 5)],
)
def test_a_coasts_mark_stands_at_its_coast_where_a_fleet_would_be_in_the_way(seed, players) -> None:
    chart = refine_chart(make_chart(seed, players))
    size = MARK_SIZE * usual_label_size(chart)
    for shape in list_split_shapes(chart):
        lines = {
            coast_suffix(coast): MultiPoint(line)
            for coast, line in find_coast_lines(chart, shape).items()
        }
        for mark in place_coast_marks(chart)[shape.province]:
            away = lines[mark.text].distance(Point(mark.at)) / size
            assert away < 2.9, (shape.province, mark)
    marks = [mark.at for placed in place_coast_marks(chart).values() for mark in placed]
    assert min(Point(*one).distance(Point(*two)) for one, two in combinations(marks, 2)) > 3 * size


@pytest.mark.parametrize("seed", ["", *SEEDS])
def test_a_coasts_mark_covers_nothing_else(seed: str) -> None:
    chart = chart_of(seed)
    scene = Scene(chart, starting_position(chart.board), LIGHT)
    unit = usual_label_size(chart) / 15
    for shape in list_split_shapes(chart):
        (x, y), (wide, high) = label_box(scene.chart, shape.anchors)
        army = place_badges(chart)[Location(shape.province)]
        taken = [rectangle(x - wide, y - high * 0.7, x + wide, y + high * 0.7)]
        taken += [rectangle(army[0] - 16 * unit, army[1] - 16 * unit, army[0], army[1])]
        taken += [Point(shape.anchors.star).buffer(7 * unit)] if shape.anchors.star else []
        marks = [
            to_polygon(mark_box(chart, mark_place.at))
            for mark_place in place_coast_marks(chart)[shape.province]
        ]
        assert not [pair for pair in combinations(marks, 2) if pair[0].intersects(pair[1])]
        for mark in marks:
            shared = [mark_place.intersection(mark).area / mark.area for mark_place in taken]
            assert max(shared) < 0.02, (shape.province, shared)


def test_a_fleet_far_from_its_coasts_mark_shows_the_coasts_letters() -> None:
    chart = chart_of("lantern-9")
    places = {
        place: is_coast_obvious(chart, place)
        for shape in list_split_shapes(chart)
        for place in shape.anchors.units
        if coast_suffix(place)
    }
    assert set(places.values()) == {True, False}
    power = chart.board.powers[0].power
    for place, plain in places.items():
        fleet = Unit(UnitKind.FLEET, place, power)
        svg = render_overlay(chart, Position(Phase.parse("S1901M"), (fleet,), {}))
        tags = [e.text for e in parse_svg(svg).iter() if e.get("class") == "coast-tag"]
        assert tags == ([] if plain else [coast_suffix(place)])


@pytest.mark.parametrize(
    ("side", "size", "cells"),
    [
        (60.0, 1200.0, 100),
        (60.0, 480.0, 100),
        (60.0, 240.0, 400),
        (12.5, 100.0, 100),
        (600.0, 1200.0, 10_000),
        (100_000.0, 100_000.0, 20_000),
    ],
)
def test_the_number_of_cells_in_a_province_is_limited(side: float, size: float, cells: int) -> None:
    outline = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]
    grid = Grid([outline], (size, size / 2))
    assert grid.count == pytest.approx(cells, rel=0.02)
    assert grid.outside_share(Box(0.0, 0.0, side, side)) == pytest.approx(0, abs=0.02)


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def find_country_color(color: str) -> str:
    """Return the color of a country on the map by day."""
    pairs = zip(
        bytes.fromhex(power_inks(color).tint[1:]), bytes.fromhex(LIGHT.land[1:]), strict=True
    )
    return "#" + "".join(f"{round(0.54 * tint + 0.46 * ground):02x}" for tint, ground in pairs)


@pytest.mark.parametrize("color", COLORS)
def test_letters_can_be_read_on_every_country(color: str) -> None:
    ink = LIGHT.dark_label if is_dark(color) else LIGHT.label
    assert contrast(ink, find_country_color(color)) > 3.4


def test_some_countries_are_dark_and_some_are_not() -> None:
    dark = {"#a32114", "#1c2a7a", "#213b3b", "#5a1a78"}
    assert {color for color in COLORS if is_dark(color)} == dark


@pytest.mark.parametrize("color", COLORS)
def test_a_star_stands_out_from_its_rim(color: str) -> None:
    assert contrast(power_inks(color).deep, LIGHT.star_rim) >= 4.5


def test_names_in_dark_countries_are_light() -> None:
    chart = toy_chart()
    colors = {ALMAR: "#101040", DUNN: "#ffd83b"}
    svg = render_overlay(chart, starting_position(chart.board), colors=colors)
    names = next(e for e in parse_svg(svg).iter(f"{SVG}g") if e.get("class") == "names")
    written = {g.get("class"): [text.text for text in g] for g in names}
    assert written["dark-labels"] == ["Almar", "Kett"]
    assert {"Dunn", "Borr"} <= set(written["land-labels"])


@pytest.mark.parametrize("seed", ["", *SEEDS])
def test_a_dislodged_unit_is_clear_of_an_attacking_fleet_on_any_coast(seed: str) -> None:
    chart = chart_of(seed)
    attacker, defender, *_ = (info.power for info in chart.board.powers)
    scale = (1 + DISLODGED_SIZE) * badge_scale(chart)
    badge = HALF_WIDTH * scale, HALF_HEIGHT * scale
    for shape in list_split_shapes(chart):
        for place in filter(coast_suffix, shape.anchors.units):
            fleet = Unit(UnitKind.FLEET, place, attacker)
            army = Unit(UnitKind.ARMY, Location(shape.province), defender)
            dislodged = Dislodged(army, by=shape.province, retreats=())
            position = Position(Phase.parse("S1901R"), (fleet,), {}, (dislodged,))
            scene = Scene(chart, position, LIGHT)
            (x0, y0), (x1, y1) = scene.place_of(fleet) or (0, 0), scene.place_of(army) or (0, 0)
            apart = max(abs(x0 - x1) / badge[0], abs(y0 - y1) / badge[1])
            assert apart > 0.99, (place, apart)


def test_an_arrow_enters_an_empty_province_and_stops_before_a_unit() -> None:
    chart = toy_chart()
    army, other = (Unit(UnitKind.ARMY, Location(code), ALMAR) for code in ("BOR", "DUN"))
    ends = []
    for units in ((army,), (army, other)):
        held = Position(Phase.parse("S1901M"), units, {})
        drawn_orders = render_orders(chart, held, [Move(army, Location("DUN"))])
        tip = re.search(r'd="M(\S+) (\S+)L', drawn_orders)
        assert tip is not None
        goal = Scene(chart, held, LIGHT).place(Location("DUN")) or (0, 0)
        unit = usual_label_size(chart) / 15
        ends.append([abs(float(tip[i + 1]) - goal[i]) / unit for i in (0, 1)])
    (free_x, free_y), (held_x, held_y) = ends
    assert max(free_x - HALF_WIDTH, free_y - HALF_HEIGHT) < 0
    assert max(held_x - HALF_WIDTH, held_y - HALF_HEIGHT) > 0


@pytest.mark.parametrize("seed", ["", *SEEDS])
def test_badges_are_in_their_province_and_clear_of_names_stars_and_each_other(seed: str) -> None:
    chart = chart_of(seed)
    scene = Scene(chart, starting_position(chart.board), LIGHT)
    scale = badge_scale(chart)
    badges = place_badges(chart)
    names, stars, covered = [], [], 0
    for shape in chart.shapes:
        (x, y), (wide, high) = label_box(chart, shape.anchors)
        names.append(rectangle(x - wide, y - high * 0.7, x + wide, y + high * 0.7))
        if shape.anchors.star is not None:
            stars.append(Point(shape.anchors.star).buffer(7 * scale))
    for location, badge in badges.items():
        drawn = to_polygon(badge_box(badge, scale))
        assert scene.place(location) == badge
        land = find_mainland(chart, scene.shapes[province_of(location)])
        if location == Location(province_of(location)):
            assert land.buffer(1).contains(Point(badge)), location
        assert [star for star in stars if drawn.intersection(star).area > 0.01 * drawn.area] == []
        covered += max(drawn.intersection(name).area for name in names) > 0.01 * drawn.area
    # A name gives way to a badge that has no other place.
    assert covered <= 0.12 * len(badges)
    homes = [
        badge for location, badge in badges.items() if location == Location(province_of(location))
    ]
    boxes = [badge_box(badge, scale) for badge in homes]
    assert [pair for pair in combinations(boxes, 2) if pair[0].shared_area(pair[1])] == []


def test_a_badge_is_24_pixels_wide_and_high_on_a_map_of_a_desktop_computer() -> None:
    """WCAG 2.5.8 asks for targets of this size; the map of Europe is then 960 pixels wide."""
    chart = chart_of("")
    pixel = 960 / float(view_box(chart).split()[2])
    height = 2 * HALF_HEIGHT * badge_scale(chart) * pixel
    assert height >= 24
