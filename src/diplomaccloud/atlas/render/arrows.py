"""Draw orders and their results as arrows, rings and crosses.

Solid: a move or retreat. Short dashes: support, up to the middle of the supported move or a
ring around the supported unit. Long dashes: convoy. A ring with cut corners: hold. Green ring
and plus: build. A broken line with a cross at its end: failed. A red cross alone: disbanded.
All but builds and disbands have the color of their power.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from diplomaccloud.atlas.chart import Chart, Point
from diplomaccloud.atlas.render.base import refine_chart
from diplomaccloud.atlas.render.scene import Scene, escape_text
from diplomaccloud.atlas.render.sizes import HALF_HEIGHT, HALF_WIDTH, label_box
from diplomaccloud.atlas.render.strokes import (
    LONG_DASHES,
    RING_GAP,
    SHORT_DASHES,
    SOLID,
    Box,
    Curve,
    Pen,
    curve_between,
    curve_through,
    trim_to_boxes,
)
from diplomaccloud.atlas.render.theme import LIGHT
from diplomaccloud.atlas.render.units import build_transform, draw_badge, mark_pen
from diplomaccloud.judge.board import Location, ProvinceCode, UnitKind, province_of
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
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.units import Unit

_GAP = 5.0
"""The gap between a badge and the end of an arrow, in plain units."""

_EMPTY_GAP = -9.0
"""The gap in an empty province: the arrow leads from and to where the unit stood or will stand."""

_BUILD_GAP = 0.0
"""The gap between a badge and the ring of a build, which must cover little of the name above."""

_SUPPORT_RING_GAP = 7.0
"""The gap between a badge and the ring of its support, outside the ring of a hold."""

_SUPPORT_GAP = _SUPPORT_RING_GAP + 1
"""The gap between a supported badge and the end of the support, which meets its ring outside."""

_SIGN_GAP = -2
"""The gap between a badge's corner and the mark of a build or a failure there."""

_WIDTH, _THIN_WIDTH, _RING_WIDTH, _FAINT_WIDTH = 4.8, 3.4, 2.6, 1.6
"""The widths of moves, of other orders, of holds and builds, and of orders that nobody wrote."""

_MARK_WIDTH = 4.6
"""The width of crosses and plus signs, in plain units."""

_STANDOFF_CROSS, _DISBAND_CROSS = 1.3, 2.1
"""The sizes of the cross in an empty province, and of that over a whole badge."""

_MIDDLE = 0.5
"""Where a support meets the supported move."""

_MIN_LENGTH = 34.0
"""The length of an arrow that stops before a name, in plain units; a shorter one is all head."""

_BOW = 0.1
"""How far opposite moves bend apart, relative to their length."""

_SHIP_LENGTH = 4.5
"""How much farther the ring around a fleet reaches on both sides, in plain units."""

_TOP_ORDERS = (Retreat, Build, Disband)
"""The orders drawn above badges: the unit that a retreat leads past is always in its way."""

_THIN_ORDERS = (Hold, SupportHold, SupportMove, Convoy)


@dataclass(frozen=True, slots=True)
class _OrderContext:
    """Everything needed to draw one order; `routes` has the curves of all moves by unit."""

    scene: Scene
    routes: Mapping[Unit, Curve]
    pen: Pen
    failed: bool

    def box(self, gap: float = _GAP) -> Point:
        """Return half the width and height of a badge with `gap` plain units around it."""
        unit = self.scene.unit
        return (HALF_WIDTH + gap) * unit, (HALF_HEIGHT + gap) * unit

    def ring(self, unit: Unit, at: Point, gap: float = RING_GAP, dash: str = SOLID) -> str:
        """Return a ring around the badge of `unit` at `at`."""
        longer = _SHIP_LENGTH if unit.kind is UnitKind.FLEET else 0.0
        return self.pen.octagon(at, gap, dash, longer=longer)

    def corner(self, at: Point) -> Point:
        """Return the lower right corner of a badge at `at`: a mark there hides no name."""
        unit = self.scene.unit
        return at[0] + (HALF_WIDTH + _SIGN_GAP) * unit, at[1] + (HALF_HEIGHT + _SIGN_GAP) * unit

    def cross(self, at: Point) -> str:
        """Return the cross for an order that failed or makes no sense."""
        return replace(self.pen, width=_MARK_WIDTH).cross(at)

    def cross_if_failed(self, at: Point) -> str:
        """Return `cross` for an order that failed, otherwise nothing."""
        return self.cross(at) if self.failed else ""

    def route_of(self, unit: Unit, start: Point, end: Point) -> Curve:
        """Return the route on which `unit` is drawn, by default a straight one."""
        route = self.routes.get(unit)
        return route if route and route.end == end else curve_between(start, end)


def draw_orders(
    scene: Scene, orders: Iterable[Order] = (), results: Iterable[OrderResult] = ()
) -> tuple[str, str]:
    """Return the drawing of `results`, and of those `orders` that have no result yet.

    It has two parts: arrows and rings, drawn below the badges so that no arrow hides one, and
    retreats and the marks of builds and disbands, drawn above them.
    """
    known_results = tuple(results)
    resolved = dict.fromkeys(result.order for result in known_results)
    pending = tuple(dict.fromkeys(order for order in orders if order not in resolved))
    routes = find_routes(scene, (*resolved, *pending))
    pairs: list[tuple[Order, OrderResult | None]] = [(order, None) for order in pending]
    pairs += [(result.order, result) for result in known_results]
    # Arrows and crosses come last: no ring or dashed line may hide how a move ended.
    pairs.sort(key=lambda pair: not isinstance(pair[0], _THIN_ORDERS))
    below, above = (
        "".join(
            _draw_order(scene, routes, order, result)
            for order, result in pairs
            if isinstance(order, _TOP_ORDERS) is on_top
        )
        for on_top in (False, True)
    )
    style = 'pointer-events="none" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return (
        f'<g class="orders" {style}>{below}</g>',
        f'<g class="order-marks" {style}>{above}</g>',
    )


def draw_standoffs(scene: Scene, standoffs: Iterable[ProvinceCode]) -> str:
    """Return a mark in every province left empty by a standoff, drawn below the badges.

    In a drawing of the position before the moves, a unit that left may still stand there; its
    badge must stay visible.
    """
    pen = mark_pen(scene, scene.theme.failure)
    drawn = []
    for code in standoffs:
        if (at := scene.place(Location(code))) is not None:
            drawn.append(
                f'<g class="standoff" data-province="{escape_text(code)}"><title>'
                f"{escape_text(f'Standoff in {code}')}</title>{pen.cross(at, _STANDOFF_CROSS)}</g>"
            )
    style = 'pointer-events="none" fill="none" stroke-linecap="round"'
    return f'<g class="standoffs" {style}>{"".join(drawn)}</g>'


def _draw_order(
    scene: Scene, routes: Mapping[Unit, Curve], order: Order, result: OrderResult | None
) -> str:
    at = None if isinstance(order, Waive) else scene.place_of(order.unit)
    if at is None:
        return ""
    failed = result is not None and not result.succeeded
    context = _OrderContext(scene, routes, _choose_pen(scene, order, result), failed)
    body = _draw_body(context, order, at)
    outcome = f' data-outcome="{result.outcome}"' if result else ""
    tooltip = f"{order}: {result.outcome}. {result.reason}" if result else str(order)
    return (
        f'<g class="order {type(order).__name__.lower()}" data-order="{escape_text(str(order))}"'
        f' data-power="{escape_text(power_of(order))}"{outcome}>'
        f"<title>{escape_text(tooltip)}</title>{body}</g>"
    )


def _draw_body(context: _OrderContext, order: Order, at: Point) -> str:
    match order:
        case Hold():
            body = context.ring(order.unit, at) + context.cross_if_failed(context.corner(at))
        case Move() | Retreat():
            body = _draw_move(context, order, at)
        case SupportHold():
            body = _draw_support_hold(context, order, at)
        case SupportMove():
            body = _draw_support_move(context, order, at)
        case Convoy():
            body = _draw_convoy(context, order, at)
        case Build():
            body = _draw_build(context, order, at)
        case Disband():
            body = context.pen.cross(at, _DISBAND_CROSS)
        case Waive():
            body = ""
        case _:
            assert_never(order)
    return body


def _choose_pen(scene: Scene, order: Order, result: OrderResult | None) -> Pen:
    theme, failed = scene.theme, result is not None and not result.succeeded
    width = _THIN_WIDTH if isinstance(order, _THIN_ORDERS) else _WIDTH
    if isinstance(order, Hold | Build):
        width = _RING_WIDTH
    if result is not None and result.implicit:
        width = _FAINT_WIDTH
    if isinstance(order, Build | Disband):
        mark = theme.failure if failed or isinstance(order, Disband) else theme.build
        return replace(mark_pen(scene, mark), width=width)
    power = power_of(order)
    return Pen(
        scene.inks_of(power).badge, *scene.casing_of(power), scene.unit, width, broken=failed
    )


def find_routes(scene: Scene, orders: Iterable[Order]) -> dict[Unit, Curve]:
    """Return the full route of each move, from badge to badge; opposite moves bend apart."""
    all_orders = tuple(orders)
    moves = [order for order in all_orders if isinstance(order, Move)]
    trips = {(move.unit.province, province_of(move.to)) for move in moves}
    routes: dict[Unit, Curve] = {}
    for move in moves:
        start, end = scene.place_of(move.unit), scene.place(move.to)
        if start is None or end is None:
            continue
        goal = province_of(move.to)
        bow = _BOW if (goal, move.unit.province) in trips else 0.0
        routes[move.unit] = _bend_toward_convoy(
            scene, move, all_orders, curve_between(start, end, bow)
        )
    return routes


def _bend_toward_convoy(scene: Scene, move: Move, orders: Iterable[Order], route: Curve) -> Curve:
    """Return `route` bent halfway toward the fleets ordered to convoy the army."""
    places = [
        at
        for order in orders
        if isinstance(order, Convoy)
        and (order.target.location, order.to) == (move.unit.location, province_of(move.to))
        and (at := scene.place_of(order.unit)) is not None
    ]
    if not places:
        return route
    middle = route.at(0.5)
    x = sum(place[0] for place in places) / len(places)
    y = sum(place[1] for place in places) / len(places)
    by = (middle[0] + x) / 2, (middle[1] + y) / 2
    return curve_through(route.start, by, route.end)


def _draw_move(context: _OrderContext, order: Move | Retreat, start: Point) -> str:
    end = context.scene.place(order.to)
    if end is None:
        return context.cross(context.corner(start))
    route = context.route_of(order.unit, start, end)
    blocked = context.failed or province_of(order.to) in context.scene.occupied
    end_box = context.box() if blocked else context.box(_EMPTY_GAP)
    left = order.unit.province not in context.scene.occupied
    start_box = context.box(_EMPTY_GAP) if left else context.box()
    curve = trim_to_boxes(route, start_box, end_box, _find_name_box(context.scene, order.to))
    if curve.length() < _MIN_LENGTH * context.scene.unit:
        # A name drawn over the arrow hides less of it than stopping before the name would.
        curve = trim_to_boxes(route, start_box, end_box)
    if not context.failed:
        return context.pen.arrow(curve)
    return context.pen.shaft(curve) + context.cross(context.pen.place_behind(curve))


def _find_name_box(scene: Scene, location: Location) -> Box:
    """Return the approximate box of the name printed at a move's destination."""
    shape = scene.shapes[province_of(location)]
    return label_box(scene.chart, shape.anchors)


def _draw_support_hold(context: _OrderContext, order: SupportHold, at: Point) -> str:
    held = context.scene.place_of(order.target)
    if held is None:
        return context.cross(context.corner(at))
    curve = trim_to_boxes(curve_between(at, held), context.box(), context.box(_SUPPORT_GAP))
    return (
        context.pen.octagon(held, _SUPPORT_RING_GAP, SHORT_DASHES)
        + context.pen.shaft(curve, SHORT_DASHES)
        + context.cross_if_failed(curve.end)
    )


def _draw_support_move(context: _OrderContext, order: SupportMove, at: Point) -> str:
    start, end = context.scene.place_of(order.target), context.scene.place(order.to)
    if start is None or end is None:
        return context.cross(context.corner(at))
    route = trim_to_boxes(context.route_of(order.target, start, end), context.box(), context.box())
    return _draw_link(context, at, route.at(_MIDDLE), SHORT_DASHES)


def _draw_convoy(context: _OrderContext, order: Convoy, at: Point) -> str:
    ring = context.ring(order.unit, at, dash=LONG_DASHES)
    start, end = context.scene.place_of(order.target), context.scene.place(Location(order.to))
    if start is None or end is None:
        return ring + context.cross(context.corner(at))
    route = context.route_of(order.target, start, end)
    return ring + _draw_link(context, at, route.nearest(at), LONG_DASHES)


def _draw_link(context: _OrderContext, at: Point, to: Point, dash: str) -> str:
    """Return a dashed line from the badge at `at` to a dot on another unit's route."""
    curve = trim_to_boxes(curve_between(at, to), context.box(), None)
    mark = context.cross(to) if context.failed else context.pen.dot(to)
    return context.pen.shaft(curve, dash) + mark


def _draw_build(context: _OrderContext, order: Build, at: Point) -> str:
    scene, corner = context.scene, context.corner(at)
    place = build_transform(scene, at, scene.size_of(order.unit))
    badge = f"<g {place}>{draw_badge(scene, order.unit)}</g>"
    mark = (
        context.cross(corner)
        if context.failed
        else replace(context.pen, width=_MARK_WIDTH).plus(corner)
    )
    return badge + context.ring(order.unit, at, _BUILD_GAP) + mark


# The paths along which units move when a turn is replayed.


def trace_routes(chart: Chart, position: Position, orders: Iterable[Order]) -> Mapping[Unit, str]:
    """Return the path of each ordered move and retreat, from badge to badge."""
    ordered = tuple(orders)
    scene = Scene(refine_chart(chart), position, LIGHT)
    routes = dict(find_routes(scene, ordered))
    for order in ordered:
        if isinstance(order, Retreat):
            start, end = scene.place_of(order.unit), scene.place(order.to)
            if start is not None and end is not None:
                routes[order.unit] = curve_between(start, end)
    return {unit: route.path() for unit, route in routes.items()}


def trace_retreats(chart: Chart, before: Position, after: Position) -> Mapping[Unit, str]:
    """Return the path of each unit dislodged between two positions, to its new place."""
    refined = refine_chart(chart)
    scenes = Scene(refined, before, LIGHT), Scene(refined, after, LIGHT)
    paths = {}
    for entry in after.dislodged:
        start, end = (scene.place_of(entry.unit) for scene in scenes)
        if start is not None and end is not None:
            paths[entry.unit] = curve_between(start, end).path()
    return paths
