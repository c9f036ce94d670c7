"""Drawings of orders and their results: arrows, marks, failures, and their layers."""

import re
from dataclasses import replace
from math import hypot

import pytest
from judge.tests.drawing.toy_drawings import (
    A_ALM,
    A_BOR,
    A_KET,
    BOR,
    CROWDED,
    ESE,
    F_DUN,
    F_EAST,
    F_WSE,
    IST,
    KET,
    SVG,
    unit,
)
from judge.tests.drawing.toy_map import ALMAR, DUNN, parse_svg, toy_chart

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.drawing.overlay import render_map, render_orders, render_overlay
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.units import Unit

CROSS = re.compile(r"M\S+ \S+l(\S+) \1M\S+ \S+l-\1 \1$")
"""The path of a cross."""

ORDERS: dict[str, Order] = {
    "hold": Hold(A_ALM),
    "move": Move(A_KET, IST),
    "supporthold": SupportHold(F_DUN, A_BOR),
    "supportmove": SupportMove(F_DUN, F_EAST, KET),
    "convoy": Convoy(F_WSE, A_ALM, ProvinceCode("BOR")),
    "retreat": Retreat(F_EAST, ESE),
    "disband": Disband(A_BOR),
    "build": Build(unit("F ALM", ALMAR)),
}


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_is_drawn_with_its_text(name: str) -> None:
    root = parse_svg(render_overlay(toy_chart(), CROWDED, orders=[ORDERS[name]]))
    drawn = [e for e in root.iter() if "order" in e.get("class", "").split()]
    assert [e.get("class") for e in drawn] == [f"order {name}"]
    assert drawn[0].get("data-order") == str(ORDERS[name])
    assert drawn[0].find(f".//{SVG}path") is not None


@pytest.mark.parametrize(
    ("order", "outcome", "failed"),
    [
        (Move(A_KET, IST), Outcome.MOVED, False),
        (Move(A_KET, IST), Outcome.BOUNCED, True),
        (Move(A_ALM, BOR, via_convoy=True), Outcome.NOPATH, True),
        (SupportMove(F_DUN, F_EAST, KET), Outcome.CUT, True),
        (SupportHold(F_DUN, A_BOR), Outcome.VOID, True),
        (Convoy(F_WSE, A_ALM, ProvinceCode("BOR")), Outcome.DISRUPTED, True),
        (Retreat(F_EAST, ESE), Outcome.BOUNCED, True),
        (Build(unit("A ALM", ALMAR)), Outcome.VOID, True),
        (Hold(A_ALM), Outcome.HOLD, False),
    ],
    ids=str,
)
def test_a_failure_ends_in_a_cross_and_a_success_does_not(
    order: Order, outcome: Outcome, failed: bool
) -> None:
    result = OrderResult(order, outcome, "Because.")
    svg = render_map(toy_chart(), CROWDED, results=[result])
    group = next(e for e in parse_svg(svg).iter() if e.get("data-outcome") == outcome)
    assert group.findtext(f"{SVG}title") == f"{order}: {outcome}. Because."
    paths = [e.get("d", "") for e in group.iter(f"{SVG}path")]
    assert any(CROSS.match(path) for path in paths) is failed


@pytest.mark.parametrize("outcome", [Outcome.MOVED, Outcome.BOUNCED], ids=str)
def test_the_arrow_of_a_failed_move_is_broken_and_has_no_head(outcome: Outcome) -> None:
    move = Move(A_ALM, BOR)
    svg = render_map(toy_chart(), CROWDED, results=[OrderResult(move, outcome, "")])
    group = next(e for e in parse_svg(svg).iter() if e.get("data-outcome") == outcome)
    shaft = group.findall(f"{SVG}path")[0].get("d", "")
    heads = [e for e in group.iter(f"{SVG}path") if e.get("fill")]
    failed = outcome is Outcome.BOUNCED
    assert shaft.count("M") == (2 if failed else 1)
    assert (heads == []) is failed


def test_a_result_replaces_its_order() -> None:
    order = Move(A_KET, IST)
    svg = render_overlay(
        toy_chart(), CROWDED, orders=[order, order], results=[OrderResult(order, Outcome.MOVED, "")]
    )
    assert svg.count('data-order="A KET - IST"') == 1


@pytest.mark.parametrize(
    "order",
    [
        Waive(ALMAR),
        Hold(unit("A XXX", ALMAR)),
        Move(A_ALM, Location("XXX")),
        Move(unit("A XXX", ALMAR), IST),
        SupportHold(A_ALM, unit("A XXX", DUNN)),
        SupportMove(A_ALM, unit("A XXX", DUNN), Location("YYY")),
        Convoy(F_WSE, unit("A XXX", DUNN), ProvinceCode("YYY")),
        Move(A_ALM, Location("ALM")),
        Hold(Unit(UnitKind.ARMY, Location("ALM"), Power("NOBODY"))),
        Build(Unit(UnitKind.FLEET, Location("IST/NW"), Power("NOBODY"))),
    ],
    ids=str,
)
def test_an_order_that_makes_no_sense_does_not_break_the_drawing(order: Order) -> None:
    result = OrderResult(order, Outcome.VOID, "No such place.")
    parse_svg(render_overlay(toy_chart(), CROWDED, results=[result]))


def test_opposite_moves_bend_apart_and_a_convoyed_army_bends_toward_its_fleet() -> None:
    chart = toy_chart()
    there, back = Move(A_KET, IST), Move(F_EAST, KET)
    alone = render_overlay(chart, CROWDED, orders=[there])
    both = render_overlay(chart, CROWDED, orders=[there, back])
    assert _ways(alone)["A KET - IST"] != _ways(both)["A KET - IST"]
    army = Move(A_ALM, BOR, via_convoy=True)
    convoy = Convoy(F_WSE, A_ALM, ProvinceCode("BOR"))
    carried = render_overlay(chart, CROWDED, orders=[army, convoy])
    direct = render_overlay(chart, CROWDED, orders=[army])
    assert _ways(carried)[str(army)] != _ways(direct)[str(army)]


def _ways(svg: str) -> dict[str, str]:
    return dict(re.findall(r'data-order="([^"]*)".*?<path d="([^"]*)"', svg))


def test_an_arrow_starts_where_the_unit_stood_after_it_left() -> None:
    def measure(position: Position) -> float:
        root = parse_svg(render_overlay(toy_chart(), position, orders=[Move(A_KET, IST)]))
        arrow = next(e for e in root.iter() if e.get("class") == "order move")
        line = arrow.find(f".//{SVG}path")
        assert line is not None
        x, y, *_, end_x, end_y = map(float, re.findall(r"-?[\d.]+", line.get("d", "")))
        return hypot(end_x - x, end_y - y)

    gone = replace(CROWDED, units=tuple(u for u in CROWDED.units if u != A_KET), dislodged=())
    stays = replace(CROWDED, dislodged=())
    assert A_KET in stays.units
    assert measure(gone) > measure(stays)


def test_arrows_are_above_rings_and_dashed_lines() -> None:
    orders = [Move(A_KET, IST), Hold(A_ALM), SupportHold(F_DUN, A_BOR)]
    svg = render_overlay(toy_chart(), CROWDED, orders=orders)
    kinds = [e.get("class") for e in parse_svg(svg).iter() if e.get("data-order")]
    assert kinds == ["order hold", "order supporthold", "order move"]


def test_badges_are_above_arrows_and_below_the_marks_of_disbands() -> None:
    root = parse_svg(
        render_overlay(toy_chart(), CROWDED, orders=[Move(A_KET, IST), Disband(A_BOR)])
    )
    layers = [e.get("class") for e in root if e.get("class")]
    assert layers.index("orders") < layers.index("units") < layers.index("order-marks")
    drawn = {e.get("class"): [o.get("data-order") for o in e] for e in root}
    assert (drawn["orders"], drawn["order-marks"]) == (["A KET - IST"], ["A BOR D"])


def test_orders_alone_are_drawn_as_in_the_overlay() -> None:
    orders = [Move(A_KET, IST), Disband(A_BOR)]
    overlay = render_overlay(toy_chart(), CROWDED, orders=orders)
    alone = render_orders(toy_chart(), CROWDED, orders)
    below, above = alone.split('<g class="order-marks"')
    assert below in overlay
    assert above in overlay


def test_names_are_above_arrows_and_below_units() -> None:
    order = Move(A_ALM, KET)
    root = parse_svg(render_overlay(toy_chart(), CROWDED, orders=[order]))
    layers = [e.get("class") for e in root]
    assert layers.index("orders") < layers.index("labels") < layers.index("units")
