"""Orders and their results as arrows, rings and crosses.

Solid: a move or retreat. Short dashes: support, up to the middle of the supported move or a
ring around the supported holder. Long dashes: convoy. A ring with cut corners: hold. Green
ring and plus: build. Red: failed, with a cross at the end; a red cross alone: disbanded.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.curves import (
    Box,
    Curve,
    clear_of_boxes,
    curve_between,
    curve_through,
)
from diplomaccloud.atlas.render.labels import label_box
from diplomaccloud.atlas.render.scene import HALF_HEIGHT, HALF_WIDTH, Scene, text_of
from diplomaccloud.atlas.render.strokes import LONG_DASHES, SHORT_DASHES, Pen
from diplomaccloud.atlas.render.units import draw_badge, placed
from diplomaccloud.judge.board import Location, ProvinceCode, province_of
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
    power_of,
)
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.units import Unit

_GAP = 3.5
"""Between a badge and the end of an arrow, in plain units."""

_INTO = -8.0
"""The same where nobody stands: the arrow goes on to about where the unit will stand."""

_SNUG = 1.6
"""Between a badge and the ring of a build, which must not cover the name above."""

_SHORTEST = 34.0
"""Of an arrow that ends before a name; a shorter one would be all head. In plain units."""

_BOW = 0.1
"""How far opposite moves bulge, in lengths."""

_THIN = (Hold, SupportHold, SupportMove, Convoy)


@dataclass(frozen=True, slots=True)
class _Hand:
    """What one order is drawn with; `ways` are those of all moves, by their unit."""

    scene: Scene
    ways: Mapping[Unit, Curve]
    pen: Pen
    failed: bool

    def box(self, gap: float = _GAP) -> Point:
        """Return the half sizes of a badge with `gap` plain units around it."""
        unit = self.scene.unit
        return (HALF_WIDTH + gap) * unit, (HALF_HEIGHT + gap) * unit

    def cross(self, at: Point) -> str:
        """Return the red cross of an order that failed or makes no sense."""
        return Pen(self.scene.theme.failure, self.pen.halo, self.pen.unit).cross(at)

    def cross_if_failed(self, at: Point) -> str:
        """Return `cross`, or nothing for an order that went well or is still open."""
        return self.cross(at) if self.failed else ""

    def way_of(self, unit: Unit, start: Point, end: Point) -> Curve:
        """Return the way on which `unit` is drawn, else the straight one from start to end."""
        way = self.ways.get(unit)
        return way if way and way.end == end else curve_between(start, end)


def draw_orders(
    scene: Scene, orders: Iterable[Order] = (), results: Iterable[OrderResult] = ()
) -> tuple[str, str]:
    """Return the drawing of `results`, and of those `orders` that have no result yet.

    In two parts: arrows and rings to go under the badges, which a long arrow would hide, and
    the marks of builds and disbands to go over them.
    """
    settled = tuple(results)
    done = dict.fromkeys(result.order for result in settled)
    pending = tuple(dict.fromkeys(order for order in orders if order not in done))
    ways = _ways(scene, (*done, *pending))
    every: list[tuple[Order, OrderResult | None]] = [(order, None) for order in pending]
    every += [(result.order, result) for result in settled]
    # Arrows and crosses last: a ring or a dashed line must not hide how a move ended.
    every.sort(key=lambda pair: not isinstance(pair[0], _THIN))
    below, above = (
        "".join(
            _draw(scene, ways, order, result)
            for order, result in every
            if isinstance(order, Build | Disband) is over
        )
        for over in (False, True)
    )
    style = 'pointer-events="none" fill="none" stroke-linejoin="round"'
    return (
        f'<g class="orders" {style}>{below}</g>',
        f'<g class="order-marks" {style}>{above}</g>',
    )


def draw_standoffs(scene: Scene, standoffs: Iterable[ProvinceCode]) -> str:
    """Return a mark in every province left empty by a standoff, to go under the badges.

    Before the moves, a unit that has left may still stand there: its badge must stay whole.
    """
    pen = Pen(scene.theme.failure, scene.theme.arrow_halo, scene.unit)
    drawn = []
    for code in standoffs:
        if (at := scene.place(Location(code))) is not None:
            drawn.append(
                f'<g class="standoff" data-province="{text_of(code)}"><title>'
                f"{text_of(f'Standoff in {code}')}</title>{pen.cross(at, 1.3)}</g>"
            )
    return f'<g class="standoffs" pointer-events="none" fill="none">{"".join(drawn)}</g>'


def _draw(
    scene: Scene, ways: Mapping[Unit, Curve], order: Order, result: OrderResult | None
) -> str:
    at = None if isinstance(order, Waive) else scene.place_of(order.unit)
    if at is None:
        return ""
    failed = result is not None and not result.succeeded
    body = _body(_Hand(scene, ways, _pen(scene, order, failed), failed), order, at)
    outcome = f' data-outcome="{result.outcome}"' if result else ""
    faint = ' opacity=".65"' if result and result.implicit else ""
    told = f"{order}: {result.outcome}. {result.reason}" if result else str(order)
    return (
        f'<g class="order {type(order).__name__.lower()}" data-order="{text_of(str(order))}"'
        f' data-power="{text_of(power_of(order))}"{outcome}{faint}>'
        f"<title>{text_of(told)}</title>{body}</g>"
    )


def _body(hand: _Hand, order: Order, at: Point) -> str:
    match order:
        case Hold():
            body = hand.pen.octagon(at) + hand.cross_if_failed(at)
        case Move() | Retreat():
            body = _move(hand, order, at)
        case SupportHold():
            body = _support_hold(hand, order, at)
        case SupportMove():
            body = _support_move(hand, order, at)
        case Convoy():
            body = _convoy(hand, order, at)
        case Build():
            body = _build(hand, order, at)
        case Disband():
            body = hand.pen.cross(at, 2.2)
        case Waive():
            body = ""
        case _:
            assert_never(order)
    return body


def _pen(scene: Scene, order: Order, failed: bool) -> Pen:
    theme = scene.theme
    ink = scene.inks_of(power_of(order)).bright
    if failed or isinstance(order, Disband):
        ink = theme.failure
    elif isinstance(order, Retreat):
        ink = theme.retreat
    elif isinstance(order, Build):
        ink = theme.build
    width = 3.4 if isinstance(order, (*_THIN, Build)) else 4.8
    return Pen(ink, theme.arrow_halo, scene.unit, width)


def _ways(scene: Scene, orders: Iterable[Order]) -> dict[Unit, Curve]:
    """Return the whole way of each move, badge to badge; opposite moves bulge apart."""
    listed = tuple(orders)
    moves = [order for order in listed if isinstance(order, Move)]
    trips = {(move.unit.province, province_of(move.to)) for move in moves}
    ways: dict[Unit, Curve] = {}
    for move in moves:
        start, end = scene.place_of(move.unit), scene.place(move.to)
        if start is None or end is None:
            continue
        goal = province_of(move.to)
        bow = _BOW if (goal, move.unit.province) in trips else 0.0
        ways[move.unit] = _by_sea(scene, move, listed, curve_between(start, end, bow))
    return ways


def _by_sea(scene: Scene, move: Move, orders: Iterable[Order], way: Curve) -> Curve:
    """Return `way` drawn half-way towards the fleets told to carry the army."""
    places = [
        at
        for order in orders
        if isinstance(order, Convoy)
        and (order.target.location, order.to) == (move.unit.location, province_of(move.to))
        and (at := scene.place_of(order.unit)) is not None
    ]
    if not places:
        return way
    middle = way.at(0.5)
    x = sum(place[0] for place in places) / len(places)
    y = sum(place[1] for place in places) / len(places)
    by = (middle[0] + x) / 2, (middle[1] + y) / 2
    return curve_through(way.start, by, way.end)


def _move(hand: _Hand, order: Move | Retreat, start: Point) -> str:
    end = hand.scene.place(order.to)
    if end is None:
        return hand.cross(start)
    way = hand.way_of(order.unit, start, end)
    taken = hand.failed or province_of(order.to) in hand.scene.occupied
    before = hand.box() if taken else hand.box(_INTO)
    curve = clear_of_boxes(way, hand.box(), before, _name_at(hand.scene, order.to))
    if curve.length() < _SHORTEST * hand.scene.unit:
        # The name is written over the arrow, and hides less of it than it would take away.
        curve = clear_of_boxes(way, hand.box(), before)
    return hand.pen.arrow(curve) + hand.cross_if_failed(hand.pen.behind(curve))


def _name_at(scene: Scene, location: Location) -> Box:
    """Return about the box of the name printed where a move goes."""
    shape = scene.shapes[province_of(location)]
    return label_box(scene, shape.anchors)


def _support_hold(hand: _Hand, order: SupportHold, at: Point) -> str:
    held = hand.scene.place_of(order.target)
    if held is None:
        return hand.cross(at)
    curve = clear_of_boxes(curve_between(at, held), hand.box(), hand.box(8.5))
    return (
        hand.pen.octagon(held, 7.5, SHORT_DASHES)
        + hand.pen.line(curve.path(), SHORT_DASHES)
        + hand.cross_if_failed(curve.end)
    )


def _support_move(hand: _Hand, order: SupportMove, at: Point) -> str:
    start, end = hand.scene.place_of(order.target), hand.scene.place(order.to)
    if start is None or end is None:
        return hand.cross(at)
    way = clear_of_boxes(hand.way_of(order.target, start, end), hand.box(), hand.box())
    return _link(hand, at, way.at(0.5), SHORT_DASHES)


def _convoy(hand: _Hand, order: Convoy, at: Point) -> str:
    ring = hand.pen.octagon(at, 4.0, LONG_DASHES)
    start, end = hand.scene.place_of(order.target), hand.scene.place(Location(order.to))
    if start is None or end is None:
        return ring + hand.cross(at)
    way = hand.way_of(order.target, start, end)
    return ring + _link(hand, at, way.nearest(at), LONG_DASHES)


def _link(hand: _Hand, at: Point, to: Point, dash: str) -> str:
    """Return a dashed line from the badge at `at` to a dot on another unit's way."""
    curve = clear_of_boxes(curve_between(at, to), hand.box(), None)
    mark = hand.cross(to) if hand.failed else hand.pen.dot(to)
    return hand.pen.line(curve.path(), dash) + mark


def _build(hand: _Hand, order: Build, at: Point) -> str:
    scene = hand.scene
    corner = at[0] + (HALF_WIDTH + 2) * scene.unit, at[1] - (HALF_HEIGHT + 2) * scene.unit
    badge = f'<g {placed(scene, at)} opacity=".8">{draw_badge(scene, order.unit)}</g>'
    mark = hand.cross(corner) if hand.failed else replace(hand.pen, width=4.4).plus(corner)
    return badge + hand.pen.octagon(at, _SNUG) + mark
