"""Orders that meet, and names that give way to them."""

import re
from collections.abc import Mapping
from itertools import pairwise
from math import dist

import pytest

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.drawing.arrows import Curve, draw_orders
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.labels import Labels, Text, TextKey, list_codes, list_names
from diplomaccloud.judge.drawing.overlay import render_map, render_orders, render_overlay
from diplomaccloud.judge.drawing.room import find_moves
from diplomaccloud.judge.drawing.scene import Scene
from diplomaccloud.judge.drawing.sizes import Box, badge_box, badge_scale
from diplomaccloud.judge.drawing.theme import LIGHT
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.units import Unit

FRANCE = Power("FRANCE")


def unit(text: str) -> Unit:
    kind, place = text.split()
    return Unit(UnitKind(kind), Location(place), FRANCE)


F_MAO, A_GAS, F_WES = unit("F MAO"), unit("A GAS"), unit("F WES")
F_SPA, A_MAR, F_POR = unit("F SPA/NC"), unit("A MAR"), unit("F POR")
A_SIL, A_WAR, A_GAL = unit("A SIL"), unit("A WAR"), unit("A GAL")
A_BOH, A_PRU = unit("A BOH"), unit("A PRU")


def draw(units: list[Unit], orders: list[Order]) -> dict[str, list[list[float]]]:
    """Return the numbers of the paths and circles of each order, by its text."""
    position = Position(Phase.parse("S1901M"), tuple(units), {})
    drawn = render_orders(standard_chart(), position, orders)
    return {text: read_paths(body) for text, body in split_orders(drawn)}


def split_orders(drawn: str) -> list[tuple[str, str]]:
    return re.findall(r'data-order="([^"]*)"[^>]*>(.*?)</g>', drawn)


def read_paths(body: str) -> list[list[float]]:
    shapes = re.findall(r' d="([^"]*)"| cx="([^"]*)" cy="([^"]*)"', body)
    texts = (path or f"{x} {y}" for path, x, y in shapes)
    return [[float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", t)] for t in texts]


def end_of(paths: list[list[float]]) -> tuple[float, float]:
    """Return the center of the last circle: the end of a support."""
    return paths[-1][0], paths[-1][1]


@pytest.mark.parametrize("to", ["SPA", "SPA/NC"])
def test_a_support_meets_a_move_to_a_coast_where_the_arrow_is(to: str) -> None:
    move = Move(F_MAO, Location("SPA/NC"))
    drawn = draw([F_MAO, A_GAS], [move, SupportMove(A_GAS, F_MAO, Location(to))])
    x0, y0, x1, y1, x2, y2 = drawn["F MAO - SPA/NC"][0][:6]
    curve = [
        (
            (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t * t * x2,
            (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t * t * y2,
        )
        for t in (n / 40 for n in range(41))
    ]
    (support,) = (paths for text, paths in drawn.items() if " S " in text)
    assert min(dist(end_of(support), point) for point in curve) < 3


def test_a_support_alone_points_to_the_only_coast_that_the_fleet_reaches() -> None:
    there = draw([F_POR, A_MAR], [SupportMove(A_MAR, F_POR, Location("SPA"))])
    west = draw([F_WES, A_MAR], [SupportMove(A_MAR, F_WES, Location("SPA"))])
    south = draw([F_WES, A_MAR], [SupportMove(A_MAR, F_WES, Location("SPA/SC"))])
    (both,), (one,), (named,) = there.values(), west.values(), south.values()
    assert end_of(one) == end_of(named)
    army = draw([unit("A POR"), A_MAR], [SupportMove(A_MAR, unit("A POR"), Location("SPA"))])
    (plain,) = army.values()
    # Portugal borders both coasts, so that only the province is known.
    assert abs(end_of(both)[0] - end_of(plain)[0]) < 3


def test_a_fleet_that_is_named_without_its_coast_is_found_on_its_coast() -> None:
    units = [F_SPA, A_MAR, A_GAS]
    for order, named in (
        (SupportHold(A_MAR, unit("F SPA")), SupportHold(A_MAR, F_SPA)),
        (
            SupportMove(A_GAS, unit("F SPA"), Location("POR")),
            SupportMove(A_GAS, F_SPA, Location("POR")),
        ),
    ):
        assert list(draw(units, [order]).values()) == list(draw(units, [named]).values())


def test_a_convoy_meets_the_army_on_its_way() -> None:
    army, fleet = unit("A BRE"), unit("F ENG")
    convoy = Convoy(fleet, army, ProvinceCode("LON"))
    way = Move(army, Location("LON"), via_convoy=True)
    (_, move), (_, link) = sorted(
        draw([army, fleet], [way, convoy]).items(), key=lambda p: " C " in p[0]
    )
    x0, y0, x1, y1, x2, y2 = move[0][:6]
    middle = (x0 + 2 * x1 + x2) / 4, (y0 + 2 * y1 + y2) / 4
    assert dist(end_of(link), middle) < dist((x0, y0), (x2, y2)) / 2


def test_supports_of_one_move_end_side_by_side() -> None:
    move = Move(A_GAL, Location("SIL"))
    supporters = [A_BOH, A_PRU, A_WAR]
    supports: list[Order] = [SupportMove(one, A_GAL, Location("SIL")) for one in supporters]
    drawn = draw([A_GAL, *supporters], [move, *supports])
    ends = sorted(end_of(paths) for text, paths in drawn.items() if " S " in text)
    assert min(dist(first, second) for first, second in pairwise(ends)) > 6


def test_a_support_from_beyond_the_goal_leads_past_the_arrowhead() -> None:
    goal = Location("SPA/NC")
    drawn = draw([F_MAO, F_WES], [Move(F_MAO, goal), SupportMove(F_WES, F_MAO, goal)])
    tip = drawn["F MAO - SPA/NC"][1][:2]
    (support,) = (paths for text, paths in drawn.items() if " S " in text)
    link = Curve(*((x, y) for x, y in zip(support[0][0:6:2], support[0][1:6:2], strict=True)))
    assert dist(link.nearest((tip[0], tip[1])), tip) > 10
    assert dist(end_of(support), tip) > 10


@pytest.mark.parametrize("codes", [("BOH", "VIE"), ("VIE", "BUD")])
def test_no_star_hides_the_cross_of_units_that_could_not_change_places(
    codes: tuple[str, str],
) -> None:
    units = [unit(f"A {code}") for code in codes]
    moves = [Move(one, Location(to)) for one, to in zip(units, codes[::-1], strict=True)]
    results = [OrderResult(move, Outcome.BOUNCED, "") for move in moves]
    chart = standard_chart()
    svg = render_map(chart, Position(Phase.parse("S1901M"), tuple(units), {}), results=results)
    stars = [shape.anchors.star for shape in chart.shapes if shape.anchors.star]
    for _, body in split_orders(svg):
        x, y, step = map(float, re.findall(r'd="M(\S+) (\S+)l(\S+) \3M\S+ \S+l-', body)[-1])
        at = x + step / 2, y + step / 2
        assert min(dist(at, star) for star in stars) > 11 * badge_scale(chart)


@pytest.mark.parametrize("held", [False, True])
def test_the_cross_of_a_cut_support_is_near_its_unit(held: bool) -> None:
    order = SupportHold(A_MAR, F_SPA) if held else SupportMove(A_MAR, F_SPA, Location("POR"))
    position = Position(Phase.parse("S1901M"), (A_MAR, F_SPA), {})
    svg = render_map(standard_chart(), position, results=[OrderResult(order, Outcome.CUT, "")])
    ((_, body),) = split_orders(svg)
    crosses = re.findall(r'd="M(\S+) (\S+)l(\S+) \3M\S+ \S+l-', body)
    x, y, step = (float(number) for number in crosses[-1])
    at = x + step / 2, y + step / 2
    place = re.search(r'data-unit="A MAR".*?translate\((\S+) ([^)]+)\)', svg)
    other = re.search(r'data-unit="F SPA/NC".*?translate\((\S+) ([^)]+)\)', svg)
    assert place is not None
    assert other is not None
    near, far = (dist(at, (float(p[1]), float(p[2]))) for p in (place, other))
    assert near < far
    assert near < 45
    assert "<circle" not in body


@pytest.mark.parametrize(("first", "second"), [("SIL", "WAR"), ("HOL", "BEL"), ("BOH", "VIE")])
def test_neighbors_that_change_places_bow_apart(first: str, second: str) -> None:
    units = [unit(f"A {first}"), unit(f"A {second}")]
    drawn = draw(units, [Move(units[0], Location(second)), Move(units[1], Location(first))])
    curves = [paths[0][:6] for paths in drawn.values()]
    (x, y), (other_x, other_y) = (
        ((x0 + 2 * x1 + x2) / 4, (y0 + 2 * y1 + y2) / 4) for x0, y0, x1, y1, x2, y2 in curves
    )
    assert dist((x, y), (other_x, other_y)) > 16
    for x0, y0, x1, y1, x2, y2 in curves:
        assert dist((x0, y0), (x1, y1)) + dist((x1, y1), (x2, y2)) > 14


# Names give way.


def read_turn() -> tuple[Position, list[Order]]:
    """Return a turn in which the places of many names are taken."""
    units = [
        unit(text)
        for text in (
            *(f"A {code}" for code in ("HOL", "BEL", "RUH", "KIE", "MUN", "BER", "SIL", "BOH")),
            *(f"A {code}" for code in ("TYR", "VIE", "TRI", "SER", "BUD", "BUR", "MAR", "PIE")),
            *(f"A {code}" for code in ("VEN", "ROM", "WAR", "GAL")),
            *("F MAO", "F SPA/NC", "F NTH", "F SKA"),
        )
    ]
    by_code = {one.province: one for one in units}
    moves = {"BEL": "HOL", "RUH": "HOL", "BUD": "SER", "BOH": "VIE", "VIE": "BOH", "PIE": "MAR"}
    orders: list[Order] = [
        Move(by_code[ProvinceCode(start)], Location(end)) for start, end in moves.items()
    ]
    helpers = {"KIE": "HOL", "TYR": "MUN", "BER": "MUN", "TRI": "SER", "ROM": "VEN", "BUR": "MAR"}
    orders += [
        SupportHold(by_code[ProvinceCode(at)], by_code[ProvinceCode(held)])
        for at, held in helpers.items()
    ]
    orders += [Hold(one) for one in units if one.province not in {*moves, *helpers}]
    return Position(Phase.parse("F1910M"), tuple(units), {}), orders


@pytest.mark.parametrize("labels", [Labels.NAMES, Labels.CODES])
def test_no_letter_is_under_a_badge_or_what_orders_draw(labels: Labels) -> None:
    position, orders = read_turn()
    results = [OrderResult(order, Outcome.BOUNCED, "") for order in orders]
    scene = Scene(standard_chart(), position, LIGHT)
    covers: list[Box] = []
    draw_orders(scene, (), results, covers)
    coded = labels is Labels.CODES
    covers += [badge_box(at, scene.unit) for one in position.units if (at := scene.place_of(one))]
    usual = list_codes(scene.chart) if coded else list_names(scene.chart)
    moves = find_moves(scene, labels, covers)
    shown = {**usual, **moves}

    def find_covered(texts: Mapping[TextKey, Text | None]) -> set[TextKey]:
        return {
            key
            for key, text in texts.items()
            if text is not None
            for box in text.boxes
            if any(box.shared_area(cover) for cover in covers)
        }

    assert len(find_covered(usual)) > 8
    assert find_covered(shown) == set()
    names = {key.province for key, text in shown.items() if text is None and not key.coast}
    assert len(names) <= 2
    boxes = [(key, box) for key, text in shown.items() if text for box in text.boxes]
    assert [
        (first, second)
        for number, (first, box) in enumerate(boxes)
        for second, other in boxes[number + 1 :]
        if first != second and box.shared_area(other) > 0 and (first in moves or second in moves)
    ] == []


def test_names_give_way_to_orders_that_are_not_saved() -> None:
    position, orders = read_turn()
    drawn = render_orders(standard_chart(), position, orders, labels=Labels.BOTH)
    overlay = render_overlay(standard_chart(), position, orders=orders)
    start, end = overlay.index('<g class="labels"'), overlay.index('<g class="stars"')
    assert overlay[start:end] in drawn


def test_all_badges_of_a_picture_have_one_size() -> None:
    position, orders = read_turn()
    svg = render_map(standard_chart(), position, orders=orders)
    scales = re.findall(r'class="unit [^>]*scale\(([^)]+)\)', svg)
    assert len(scales) == len(position.units)
    assert len(set(scales)) == 1
