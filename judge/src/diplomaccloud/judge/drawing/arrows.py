"""Draw orders and their results as arrows, rings and crosses.

Solid: a move or retreat. Short dashes: support, up to the supported move, near its middle, or a
ring around the supported unit. Long dashes: convoy. A ring with cut corners: hold. Green ring
and plus: build; a dotted green ring: a place to build. A broken line with a cross: failed; the
cross ends a move, and is beside the unit that supports or convoys. A red cross alone: disbanded.
All but builds and disbands have the color of their power.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import dist, hypot
from typing import TypeAlias, assert_never

from diplomaccloud.judge.board import Location, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.drawing.base import refine_chart
from diplomaccloud.judge.drawing.chart import Chart, Point
from diplomaccloud.judge.drawing.paths import num
from diplomaccloud.judge.drawing.scene import DISLODGED_SIZE, Scene, escape_text, frame_scale
from diplomaccloud.judge.drawing.sizes import (
    HALF_HEIGHT,
    HALF_WIDTH,
    Box,
    badge_box,
    box_around,
    label_box,
)
from diplomaccloud.judge.drawing.theme import LIGHT, needs_light_casing
from diplomaccloud.judge.drawing.units import build_transform, draw_badge
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
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.units import Unit

# The curves that orders are drawn along.

_SAMPLES = 48
_STEPS = tuple(i / _SAMPLES for i in range(_SAMPLES + 1))
_NO_LENGTH = 1e-6
"""A length in map units that is no longer than an error of rounding."""

_MAX_CUT = 0.45
"""The part of a curve that may be cut off at each end."""

_END_STEPS = _STEPS[: int(_MAX_CUT * _SAMPLES) + 2]
_END_WEIGHTS = tuple((t, 2 * t * (1 - t), t * t) for t in _END_STEPS)
"""The steps at an end, with the weights there of the control point and of the other end."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic Bézier curve."""

    start: Point
    control: Point
    end: Point

    def at(self, t: float) -> Point:
        """Return the point at `t`, 0 at the start and 1 at the end."""
        a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        return (
            a * self.start[0] + b * self.control[0] + c * self.end[0],
            a * self.start[1] + b * self.control[1] + c * self.end[1],
        )

    def part(self, t0: float, t1: float) -> "Curve":
        """Return the part of the curve from `t0` to `t1`."""
        start, end = self.at(t0), self.at(t1)
        ahead = _interpolate(self.control, self.end, t0)
        behind = _interpolate(self.start, self.control, t0)
        return Curve(start, _interpolate(behind, ahead, t1), end)

    def end_direction(self) -> Point:
        """Return the unit vector at the end of the curve; east for a curve without length."""
        for source in (self.control, self.start):
            dx, dy = self.end[0] - source[0], self.end[1] - source[1]
            if (length := hypot(dx, dy)) > _NO_LENGTH:
                return dx / length, dy / length
        return 1.0, 0.0

    def chord(self) -> Point:
        """Return the unit vector from start to end, or `end_direction` if they coincide."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        length = hypot(dx, dy)
        return (dx / length, dy / length) if length > _NO_LENGTH else self.end_direction()

    def length(self) -> float:
        """Return the approximate length: the mean of the chord and the line through `control`."""
        by = dist(self.start, self.control) + dist(self.control, self.end)
        return (dist(self.start, self.end) + by) / 2

    def before_end(self, distance: float) -> float:
        """Return about where on the curve, from 0 to 1, the end is `distance` away."""
        far = (t for t in reversed(_STEPS) if dist(self.at(t), self.end) >= distance)
        return next(far, 0.0)

    def nearest(self, point: Point) -> Point:
        """Return the sampled point of the curve nearest to `point`."""
        return min(map(self.at, _STEPS), key=lambda sample: dist(sample, point))

    def path(self) -> str:
        """Return the curve as SVG path data."""
        points = (*self.start, *self.control, *self.end)
        x0, y0, x1, y1, x2, y2 = (num(value) for value in points)
        return f"M{x0} {y0}Q{x1} {y1} {x2} {y2}"


def curve_between(start: Point, end: Point, bow: float = 0.0) -> Curve:
    """Return a curve that bends to its right by `bow` of its length (0: straight)."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return Curve(start, (middle[0] - dy * bow * 2, middle[1] + dx * bow * 2), end)


def curve_through(start: Point, by: Point, end: Point) -> Curve:
    """Return a curve with its midpoint at `by`."""
    control = 2 * by[0] - (start[0] + end[0]) / 2, 2 * by[1] - (start[1] + end[1]) / 2
    return Curve(start, control, end)


def trim_to_boxes(
    curve: Curve, at_start: Point | None, at_end: Point | None, name: Box | None = None
) -> Curve:
    """Return the part of `curve` outside boxes of these half sizes around its two ends.

    It also ends before `name`, a box near its end that it must not cover. At least the middle
    tenth remains, so that a line between crowded places is still visible.
    """
    first = last = 0.0
    if at_start is not None:
        first = _find_exit(curve, *at_start)
    if at_end is not None:
        last = _find_exit(Curve(curve.end, curve.control, curve.start), *at_end)
    if name is not None and _may_cross(curve, name):
        covered = (t for t in reversed(_END_STEPS) if not _is_outside(curve.at(1 - t), name))
        last = max(last, next(covered, 0.0))
    return curve.part(min(first, _MAX_CUT), 1 - min(last, _MAX_CUT))


def _find_exit(curve: Curve, half_width: float, half_height: float) -> float:
    """Return where the curve leaves the box around its start, or `_MAX_CUT`."""
    (x, y), (by_x, by_y), (to_x, to_y) = curve.start, curve.control, curve.end
    by_x, by_y, to_x, to_y = by_x - x, by_y - y, to_x - x, to_y - y
    for t, by, to in _END_WEIGHTS:
        if abs(by * by_x + to * to_x) > half_width or abs(by * by_y + to * to_y) > half_height:
            return t
    return _MAX_CUT


def _may_cross(curve: Curve, box: Box) -> bool:
    """Return whether the box around all points of `curve` touches this one."""
    xs, ys = zip(curve.start, curve.control, curve.end, strict=True)
    return (
        min(xs) <= box.right
        and max(xs) >= box.left
        and min(ys) <= box.bottom
        and max(ys) >= box.top
    )


def _is_outside(point: Point, box: Box) -> bool:
    return not (box.left <= point[0] <= box.right and box.top <= point[1] <= box.bottom)


def _interpolate(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


# The strokes that orders are drawn with. Each has a casing and an edge, one light and one dark.
#
# Any ground differs enough in brightness from a light line or from a dark one, so a stroke is
# visible wherever it leads, even on land of its own color.

SOLID = ""
SHORT_DASHES = "5 4"
LONG_DASHES = "14 6"
SITE_DASHES = "3 4"
_PEN_WIDTH = 4.0
_CASING, _EDGE = 1.5, 1.2
_HEAD_LENGTH = 15.0
_HEAD_HALF_WIDTH = 8.0
_CROSS_ARM = 5.8
_DOT_RADIUS = 3.4
_CUT_CORNER = 12
RING_GAP = 2.0
"""The gap between a badge and the ring around it."""

_BREAK = 14.0
"""The gap in the shaft of an order that failed; the round ends of its halves reach into it."""

_MIN_HALF = 9.0
"""The least length of each half of a broken shaft; a shorter shaft is drawn whole."""

_MAX_HEAD_SHARE = 0.6
"""The share of a short arrow that its head may take."""

_NECK = 0.8
"""Where the line enters the head, in lengths of the head: its round end must not show."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A color, the colors of its casing and edge, and the size of a plain unit in map units.

    `width` is in plain units. The strokes of a `broken` pen have a gap.
    """

    ink: str
    casing: str
    edge: str
    unit: float
    width: float = _PEN_WIDTH
    broken: bool = False
    covers: list[Box] = field(default_factory=list)
    """The boxes of what was drawn that no letter may be under."""

    def line(self, path: str, dash: str = SOLID) -> str:
        """Return `path` as a stroke, with dashes in plain units."""
        dashes = " ".join(num(float(length) * self.unit) for length in dash.split())
        dashed = f' stroke-dasharray="{dashes}" stroke-linecap="butt"' if dashes else ""
        return "".join(
            f'<path d="{path}" stroke="{color}"'
            f' stroke-width="{num((self.width + 2 * growth) * self.unit)}"'
            f"{'' if growth else dashed}/>"
            for color, growth in self._list_layers()
        )

    def shaft(self, curve: Curve, dash: str = SOLID) -> str:
        """Return `curve` as a stroke, in two halves if the pen is broken."""
        length = curve.length()
        half = (length - _BREAK * self.unit) / 2
        if not self.broken or half < _MIN_HALF * self.unit:
            return self.line(curve.path(), dash)
        halves = curve.part(0, half / length), curve.part(1 - half / length, 1)
        return self.line(halves[0].path() + halves[1].path(), dash)

    def arrow(self, curve: Curve) -> str:
        """Return `curve` with a head at its end."""
        head = min(_HEAD_LENGTH * self.unit, curve.length() * _MAX_HEAD_SHARE)
        neck = curve.before_end(head * _NECK)
        shaft, point = curve.part(0, neck).path(), self._build_head(curve, neck, head)
        return "".join(
            f'<path d="{shaft}" stroke="{color}"'
            f' stroke-width="{num((self.width + 2 * growth) * self.unit)}"/>'
            f'<path d="{point}" fill="{color}" stroke="{color}"'
            f' stroke-width="{num(2 * growth * self.unit)}"/>'
            for color, growth in self._list_layers()
        )

    def cross(self, at: Point, size: float = 1.0) -> str:
        """Return a cross of two strokes."""
        arm = _CROSS_ARM * size * self.unit
        self._cover(at, arm, arm)
        step, back = num(2 * arm), num(-2 * arm)
        x, y, right = num(at[0] - arm), num(at[1] - arm), num(at[0] + arm)
        return self.line(f"M{x} {y}l{step} {step}M{right} {y}l{back} {step}")

    def plus(self, at: Point) -> str:
        """Return an upright cross."""
        arm = _CROSS_ARM * self.unit
        self._cover(at, arm, arm)
        x, y, step = num(at[0] - arm), num(at[1] - arm), num(2 * arm)
        return self.line(f"M{x} {num(at[1])}h{step}M{num(at[0])} {y}v{step}")

    def dot(self, at: Point) -> str:
        """Return a small filled circle."""
        center = f'cx="{num(at[0])}" cy="{num(at[1])}"'
        return "".join(
            f'<circle {center} r="{num((_DOT_RADIUS + growth) * self.unit)}" fill="{color}"/>'
            for color, growth in self._list_layers()
        )

    def octagon(
        self, at: Point, gap: float = RING_GAP, dash: str = SOLID, *, longer: float = 0.0
    ) -> str:
        """Return a ring with cut corners around the badge at `at`, `gap` plain units away.

        It reaches `longer` plain units farther on the left and the right.
        """
        half_x = (HALF_WIDTH + gap + longer) * self.unit
        half_y = (HALF_HEIGHT + gap) * self.unit
        self._cover(at, half_x, half_y)
        cut = _CUT_CORNER * self.unit
        flat, tall = num(2 * (half_x - cut)), num(2 * (half_y - cut))
        step, back = num(cut), num(-cut)
        start = f"M{num(at[0] - half_x + cut)} {num(at[1] - half_y)}"
        path = (
            f"{start}h{flat}l{step} {step}v{tall}l{back} {step}h{_negate(flat)}"
            f"l{back} {back}v{_negate(tall)}z"
        )
        return self.line(path, dash)

    def _cover(self, at: Point, half_width: float, half_height: float) -> None:
        """Note that a stroke along the edge of this box is drawn."""
        line = (self.width / 2 + _CASING + _EDGE) * self.unit
        self.covers.append(box_around(at, half_width + line, half_height + line))

    def _list_layers(self) -> tuple[tuple[str, float], ...]:
        """Return the colors from the lowest one up, and how far each reaches beyond the ink."""
        return (self.edge, _CASING + _EDGE), (self.casing, _CASING), (self.ink, 0.0)

    def _build_head(self, curve: Curve, neck: float, length: float) -> str:
        """Return an arrowhead in line with the neck; on a bent curve the end point would be off."""
        dx, dy = curve.part(neck, 1).chord()
        half = _HEAD_HALF_WIDTH * self.unit * length / (_HEAD_LENGTH * self.unit)
        x, y = curve.end
        back_x, back_y = x - dx * length, y - dy * length
        reach = (_CASING + _EDGE) * self.unit
        xs = x, back_x - dy * half, back_x + dy * half
        ys = y, back_y + dx * half, back_y - dx * half
        self.covers.append(Box(min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach))
        return (
            f"M{num(x)} {num(y)}L{num(back_x - dy * half)} {num(back_y + dx * half)}"
            f"L{num(back_x + dy * half)} {num(back_y - dx * half)}z"
        )


def _negate(text: str) -> str:
    return text[1:] if text.startswith("-") else f"-{text}"


def mark_pen(scene: Scene, ink: str, covers: list[Box] | None = None) -> Pen:
    """Return a pen for a mark of a color that is the same in every game."""
    casing, edge = scene.theme.casing_light, scene.theme.casing_dark
    return Pen(ink, casing, edge, scene.unit, covers=[] if covers is None else covers)


# Orders and their results.


_GAP = 5.0
"""The gap between a badge and the end of an arrow, in plain units."""

_EMPTY_GAP = -9.0
"""The gap in an empty province: the arrow leads from and to where the unit stood or will stand."""

_SITE_GAP = -6.0
"""The gap between a badge and the ring where one may be built: the ring is smaller."""

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

_STAR_SPACE = 12.0
"""How far the middle of a cross is from that of a star, across or down, in plain units."""

_MIDDLE = 0.5
"""Where a support meets the supported move."""

_HEAD_SPACE = 11.0
"""The space around the tip and the back of an arrowhead without a support, in plain units."""

_SUPPORT_BOWS = (0.0, 0.05, -0.05, 0.1, -0.1, 0.15, -0.15, 0.2, -0.2)
"""How far a support may bend to leave that space, relative to its length."""

_MIN_LENGTH = 34.0
"""The length of an arrow that stops before a name, in plain units; a shorter one is all head."""

_MEETING_STEP = 15.0
"""The distance between the ends of two supports of one move, in plain units: a cross is as wide."""

_BOW = 0.1
"""How far opposite moves bend apart, relative to their length."""

_OFFSETS = (12.0, 18.0, 24.0, 30.0, 36.0)
"""How far near neighbors that change places bend apart at least, in plain units, until enough of
the arrows shows."""

_SHIP_LENGTH = 4.5
"""How much farther the ring around a fleet reaches on both sides, in plain units."""

_TOP_ORDERS = (Retreat, Build, Disband)
"""The orders drawn above badges: the unit that a retreat leads past is always in its way."""

_THIN_ORDERS = (Hold, SupportHold, SupportMove, Convoy)


Trip: TypeAlias = tuple[ProvinceCode, ProvinceCode]
"""The provinces that a move leads from and to."""


_GATE = 15.0
"""Half the space around the letter of a passage that no arrow enters, in plain units."""


@dataclass(frozen=True, slots=True)
class _OrderContext:
    """Everything needed to draw one order.

    `routes` has the curves of all moves, and `meetings` where each support meets its move, from 0
    at its start to 1 at its end.
    """

    scene: Scene
    routes: Mapping[Trip, Curve]
    meetings: Mapping[SupportMove, float]
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

    def route_of(self, unit: Unit, to: Location | ProvinceCode) -> Curve | None:
        """Return the route on which `unit` is drawn, by default a straight one.

        A support or convoy may name no coast, so that only provinces are compared.
        The result is `None` if a place is unknown.
        """
        route = self.routes.get((unit.province, province_of(to)))
        return route or _find_straight_route(self.scene, unit, to)


def draw_orders(
    scene: Scene,
    orders: Iterable[Order] = (),
    results: Iterable[OrderResult] = (),
    covers: list[Box] | None = None,
) -> tuple[str, str]:
    """Return the drawing of `results`, and of those `orders` that have no result yet.

    Boxes of what no letter may be under are added to `covers`.

    It has two parts: arrows and rings, drawn below the badges so that no arrow hides one, and
    retreats and the marks of builds and disbands, drawn above them.
    """
    known_results = tuple(results)
    resolved = dict.fromkeys(result.order for result in known_results)
    pending = tuple(dict.fromkeys(order for order in orders if order not in resolved))
    routes = find_routes(scene, (*resolved, *pending))
    meetings = _spread_meetings(scene, routes, (*resolved, *pending))
    usual = _OrderContext(scene, routes, meetings, mark_pen(scene, "", covers), failed=False)
    pairs: list[tuple[Order, OrderResult | None]] = [(order, None) for order in pending]
    pairs += [(result.order, result) for result in known_results]
    # Arrows and crosses come last: no ring or dashed line may hide how a move ended.
    pairs.sort(key=lambda pair: not isinstance(pair[0], _THIN_ORDERS))
    below, above = (
        "".join(
            _draw_order(usual, order, result)
            for order, result in pairs
            if isinstance(order, _TOP_ORDERS) is on_top
        )
        for on_top in (False, True)
    )
    below = _draw_sites(scene, (*resolved, *pending)) + below
    style = 'pointer-events="none" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return (
        f'<g class="orders" {style}>{below}</g>',
        f'<g class="order-marks" {style}>{above}</g>',
    )


def draw_standoffs(
    scene: Scene, standoffs: Iterable[ProvinceCode], covers: list[Box] | None = None
) -> str:
    """Return a mark in every province left empty by a standoff, drawn below the badges.

    In a drawing of the position before the moves, a unit that left may still stand there; its
    badge must stay visible. The boxes of the marks are added to `covers`.
    """
    pen = mark_pen(scene, scene.theme.failure, covers)
    drawn = []
    for code in standoffs:
        if (at := scene.place(Location(code))) is not None:
            drawn.append(
                f'<g class="standoff" data-province="{escape_text(code)}"><title>'
                f"{escape_text(f'Standoff in {code}')}</title>{pen.cross(at, _STANDOFF_CROSS)}</g>"
            )
    style = 'pointer-events="none" fill="none" stroke-linecap="round"'
    return f'<g class="standoffs" {style}>{"".join(drawn)}</g>'


def draw_retreats(scene: Scene, orders: Iterable[Order]) -> str:
    """Return dashed lines from each dislodged unit without an order to where it may retreat to."""
    ordered = {order.unit for order in orders if isinstance(order, Retreat | Disband)}
    pen = replace(mark_pen(scene, scene.theme.retreat), width=_FAINT_WIDTH)
    half = HALF_WIDTH * DISLODGED_SIZE * scene.unit, HALF_HEIGHT * DISLODGED_SIZE * scene.unit
    drawn = []
    for entry in scene.position.dislodged:
        start = scene.place_of(entry.unit)
        if start is None or entry.unit in ordered:
            continue
        for place in entry.retreats:
            if (end := scene.place(place)) is not None:
                gate = _GATE * frame_scale(scene.chart)
                if gates := _find_gates(scene, entry.unit.province, province_of(place)):
                    leaving = trim_to_boxes(curve_between(start, gates[0]), half, (gate, gate))
                    returning = trim_to_boxes(curve_between(gates[1], end), (gate, gate), None)
                    path = leaving.path() + returning.path()
                else:
                    path = trim_to_boxes(curve_between(start, end), half, None).path()
                title = f"<title>{escape_text(f'{entry.unit} may retreat to {place}')}</title>"
                drawn.append(f"<g>{title}{pen.line(path, SHORT_DASHES)}{pen.dot(end)}</g>")
    style = 'pointer-events="none" fill="none" stroke-linecap="round"'
    return f'<g class="retreats" {style}>{"".join(drawn)}</g>'


def _draw_sites(scene: Scene, orders: Iterable[Order]) -> str:
    """Return a dotted ring at each place in Winter where a power may build and does not yet."""
    position, board = scene.position, scene.chart.board
    if position.phase.stage is not Stage.ADJUSTMENTS:
        return ""
    built = {order.unit.province for order in orders if isinstance(order, Build)}
    pen = replace(mark_pen(scene, scene.theme.build), width=_RING_WIDTH)
    drawn = []
    for power, centers in board.build_centers.items():
        if len(position.centers_of(power)) <= len(position.units_of(power)):
            continue
        for code in centers:
            at = scene.place(Location(code))
            is_free = position.centers.get(code) == power and code not in scene.occupied
            if is_free and code not in built and at is not None:
                place, text = (
                    escape_text(code),
                    f"{board.power_info[power].name} may build in {code}",
                )
                drawn.append(
                    f'<g class="site" data-province="{place}"><title>{escape_text(text)}</title>'
                    f"{pen.octagon(at, _SITE_GAP, SITE_DASHES)}</g>"
                )
    return "".join(drawn)


def _draw_order(usual: _OrderContext, order: Order, result: OrderResult | None) -> str:
    scene = usual.scene
    at = None if isinstance(order, Waive) else scene.place_of(order.unit)
    if at is None:
        return ""
    failed = result is not None and not result.succeeded
    pen = replace(_choose_pen(scene, order, result), covers=usual.pen.covers)
    context = replace(usual, pen=pen, failed=failed)
    body = _draw_body(context, order, at)
    outcome = f' data-outcome="{result.outcome}"' if result else ""
    tooltip = f"{order}: {result.outcome}. {result.why}" if result else str(order)
    return (
        f'<g class="order {type(order).__name__.lower()}" data-order="{escape_text(str(order))}"'
        f' data-power="{escape_text(power_of(order))}"{outcome}>'
        f"<title>{escape_text(tooltip)}</title>{body}</g>"
    )


def _draw_body(context: _OrderContext, order: Order, at: Point) -> str:
    match order:
        case Hold():
            body = context.ring(order.unit, at)
            body += context.cross(context.corner(at)) if context.failed else ""
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
    casing, edge = theme.casing_dark, theme.casing_light
    if needs_light_casing(scene.color_of(power)):
        casing, edge = edge, casing
    return Pen(scene.inks_of(power).badge, casing, edge, scene.unit, width, broken=failed)


def find_routes(scene: Scene, orders: Iterable[Order]) -> dict[Trip, Curve]:
    """Return the full route of each move, from badge to badge; opposite moves bend apart."""
    all_orders = tuple(orders)
    moves = [order for order in all_orders if isinstance(order, Move)]
    trips = {(move.unit.province, province_of(move.to)) for move in moves}
    routes: dict[Trip, Curve] = {}
    for move in moves:
        route = _find_straight_route(scene, move.unit, move.to)
        if route is None:
            continue
        trip = move.unit.province, province_of(move.to)
        if trip[::-1] in trips and trip[0] != trip[1]:
            route = _bend_apart(scene, route)
        routes[trip] = _bend_toward_convoy(scene, move, all_orders, route)
    return routes


def _find_straight_route(scene: Scene, unit: Unit, to: Location | ProvinceCode) -> Curve | None:
    """Return the route, or its part from the edge on if it follows a lettered passage."""
    start, end = scene.place_of(unit), scene.goal_of(unit, Location(to))
    if start is None or end is None:
        return None
    gates = _find_gates(scene, unit.province, province_of(to))
    return curve_between(gates[1] if gates else start, end)


def _find_gates(scene: Scene, start: ProvinceCode, end: ProvinceCode) -> tuple[Point, Point] | None:
    """Return where the lettered passage between two provinces leaves the map, and returns."""
    for passage in scene.chart.passages:
        ends = [province_of(place) for place in passage.ends]
        if passage.mark and set(ends) == {start, end}:
            leaving, returning = passage.stubs(scene.chart.size)
            gates = leaving[-1], returning[0]
            return gates if ends[0] == start else gates[::-1]
    return None


def _find_way_out(context: _OrderContext, at: Point, gate: Point) -> Curve:
    """Return the way from the badge at `at` to the letter at `gate`."""
    half = _GATE * frame_scale(context.scene.chart)
    return trim_to_boxes(curve_between(at, gate), context.box(), (half, half))


def _bend_apart(scene: Scene, route: Curve) -> Curve:
    """Return `route` bent to its right until enough of it shows beside the badges at its ends."""
    unit, length = scene.unit, dist(route.start, route.end)
    box = (HALF_WIDTH + _GAP) * unit, (HALF_HEIGHT + _GAP) * unit
    bent = route
    for offset in _OFFSETS:
        bow = max(_BOW, offset * unit / length) if length > _NO_LENGTH else _BOW
        bent = curve_between(route.start, route.end, bow)
        if trim_to_boxes(bent, box, box).length() >= _MIN_LENGTH * unit:
            break
    return bent


def _spread_meetings(
    scene: Scene, routes: Mapping[Trip, Curve], orders: Iterable[Order]
) -> dict[SupportMove, float]:
    """Return where the supports of each move meet it, side by side in the order of the units."""
    supports: dict[Trip, list[tuple[float, SupportMove]]] = {}
    for order in orders:
        if isinstance(order, SupportMove):
            trip = order.target.province, province_of(order.to)
            route, at = routes.get(trip), scene.place_of(order.unit)
            if route is None:
                route = _find_straight_route(scene, order.target, order.to)
            if route is not None and at is not None:
                dx, dy = route.chord()
                supports.setdefault(trip, []).append((at[0] * dx + at[1] * dy, order))
    box = (HALF_WIDTH + _GAP) * scene.unit, (HALF_HEIGHT + _GAP) * scene.unit
    meetings: dict[SupportMove, float] = {}
    for trip, ranked in supports.items():
        first = ranked[0][1]
        route = routes.get(trip) or _find_straight_route(scene, first.target, first.to)
        if route is None or len(ranked) == 1:
            continue
        length = max(trim_to_boxes(route, box, box).length(), scene.unit)
        # No support may end on the arrowhead.
        last = max(_MIDDLE, 1 - (_HEAD_LENGTH + _DOT_RADIUS) * scene.unit / length)
        step = min(_MEETING_STEP * scene.unit / length, last / len(ranked))
        start = min(_MIDDLE - step * (len(ranked) - 1) / 2, last - step * (len(ranked) - 1))
        for number, (_, order) in enumerate(sorted(ranked, key=lambda pair: pair[0])):
            meetings[order] = start + number * step
    return meetings


def _bend_toward_convoy(scene: Scene, move: Move, orders: Iterable[Order], route: Curve) -> Curve:
    """Return `route` bent halfway toward the fleets ordered to convoy the army."""
    places = [
        at
        for order in orders
        if isinstance(order, Convoy)
        and (order.target.province, order.to) == (move.unit.province, province_of(move.to))
        and (at := scene.place_of(order.unit)) is not None
    ]
    if not places:
        return route
    middle, start, end = route.at(0.5), route.start, route.end
    x = sum(place[0] for place in places) / len(places)
    y = sum(place[1] for place in places) / len(places)
    return curve_through(start, ((middle[0] + x) / 2, (middle[1] + y) / 2), end)


def _draw_move(context: _OrderContext, order: Move | Retreat, start: Point) -> str:
    if isinstance(order, Retreat):
        route = _find_straight_route(context.scene, order.unit, order.to)
    else:
        route = context.route_of(order.unit, order.to)
    if route is None:
        return context.cross(context.corner(start))
    blocked = context.failed or province_of(order.to) in context.scene.occupied
    end_box = context.box() if blocked else context.box(_EMPTY_GAP)
    vacated = order.unit.province not in context.scene.occupied
    start_box = context.box(_EMPTY_GAP) if vacated else context.box()
    gates, way_out = _find_gates(context.scene, order.unit.province, province_of(order.to)), ""
    if gates:
        way_out = context.pen.shaft(_find_way_out(context, start, gates[0]))
        gate_half = _GATE * frame_scale(context.scene.chart)
        start_box = gate_half, gate_half
    # The approximate box of the name printed at the destination.
    shape = context.scene.shapes[province_of(order.to)]
    center, half = label_box(context.scene.chart, shape.anchors)
    name = box_around(center, *half)
    curve = trim_to_boxes(route, start_box, end_box, name)
    if curve.length() < _MIN_LENGTH * context.scene.unit:
        # A name drawn over the arrow hides less of it than stopping before the name would.
        curve = trim_to_boxes(route, start_box, end_box)
    if not context.failed:
        return way_out + context.pen.arrow(curve)
    curve = _stop_before_star(context.scene, curve)
    return way_out + context.pen.shaft(curve) + context.cross(_find_cross(context.scene, curve))


def _find_cross(scene: Scene, curve: Curve) -> Point:
    """Return the middle of a cross that ends an arrow without covering what it points to."""
    (x, y), (dx, dy), reach = curve.end, curve.end_direction(), _CROSS_ARM * scene.unit
    return x - dx * reach, y - dy * reach


def _stop_before_star(scene: Scene, curve: Curve) -> Curve:
    """Return the part of `curve` whose cross no star hides, or all of it without such a part.

    Stars are drawn above crosses.
    """
    space = _STAR_SPACE * scene.unit
    stars = [shape.anchors.star for shape in scene.shapes.values() if shape.anchors.star]
    for step in _STEPS[: _SAMPLES // 2]:
        part = curve.part(0, 1 - step)
        at = _find_cross(scene, part)
        if all(max(abs(at[0] - x), abs(at[1] - y)) > space for x, y in stars):
            return part
    return curve


def _draw_support_hold(context: _OrderContext, order: SupportHold, at: Point) -> str:
    held = context.scene.place_of(order.target)
    if held is None:
        return context.cross(context.corner(at))
    gates = _find_gates(context.scene, order.unit.province, order.target.province)
    curve = trim_to_boxes(curve_between(at, held), context.box(), context.box(_SUPPORT_GAP))
    if gates:
        curve = _find_way_out(context, at, gates[0])
    return context.pen.octagon(held, _SUPPORT_RING_GAP, SHORT_DASHES) + _draw_dashes(
        context, curve, SHORT_DASHES
    )


def _draw_support_move(context: _OrderContext, order: SupportMove, at: Point) -> str:
    route = context.route_of(order.target, order.to)
    if route is None:
        return context.cross(context.corner(at))
    meeting = context.meetings.get(order, _MIDDLE)
    meets = [trim_to_boxes(route, context.box(), context.box()).at(meeting)]
    scene, source, goal = context.scene, order.target.province, province_of(order.to)
    # Around the globe, the support may meet the move before its edge, or leave the map itself.
    start = scene.place_of(order.target)
    if start is not None and (gates := _find_gates(scene, source, goal)):
        meets.append(_find_way_out(context, start, gates[0]).at(meeting))
    if gates := _find_gates(scene, order.unit.province, goal):
        meets.append(gates[0])
    meet = min(meets, key=lambda spot: dist(at, spot))
    return _draw_link(context, at, meet, SHORT_DASHES, _choose_bow(context, route, at, meet))


def _choose_bow(context: _OrderContext, route: Curve, at: Point, meet: Point) -> float:
    """Return how far a support from `at` bends to lead past the head of the arrow on `route`.

    It is 0 if a straight line does, or if none does.
    """
    unit = context.scene.unit
    heads = [trim_to_boxes(route, None, context.box(gap)) for gap in (_GAP, _EMPTY_GAP)]
    spots = [head.at(t) for head in heads for t in (head.before_end(_HEAD_LENGTH * unit), 1.0)]

    def is_clear(bow: float) -> bool:
        line = map(curve_between(at, meet, bow).at, _STEPS)
        return all(dist(place, spot) > _HEAD_SPACE * unit for place in line for spot in spots)

    return next(filter(is_clear, _SUPPORT_BOWS), 0.0)


def _draw_convoy(context: _OrderContext, order: Convoy, at: Point) -> str:
    ring = context.ring(order.unit, at, dash=LONG_DASHES)
    route = context.route_of(order.target, order.to)
    if route is None:
        return ring + context.cross(context.corner(at))
    return ring + _draw_link(context, at, route.nearest(at), LONG_DASHES)


def _draw_link(context: _OrderContext, at: Point, to: Point, dash: str, bow: float = 0.0) -> str:
    """Return a dashed line from the badge at `at` to a dot on another unit's route.

    A failed one has no dot. `bow` is that of `curve_between`.
    """
    curve = trim_to_boxes(curve_between(at, to, bow), context.box(), None)
    dot = "" if context.failed else context.pen.dot(to)
    return _draw_dashes(context, curve, dash) + dot


def _draw_dashes(context: _OrderContext, curve: Curve, dash: str) -> str:
    """Return a dashed line; the cross of a failed one is near the unit at its start."""
    if not context.failed:
        return context.pen.shaft(curve, dash)
    away = _CROSS_ARM * context.scene.unit / max(curve.length(), _NO_LENGTH)
    return context.pen.shaft(curve, dash) + context.cross(curve.at(min(away, _MIDDLE)))


def _draw_build(context: _OrderContext, order: Build, at: Point) -> str:
    scene, corner = context.scene, context.corner(at)
    place = build_transform(scene, at, scene.size_of(order.unit))
    badge = f"<g {place}>{draw_badge(scene, order.unit)}</g>"
    context.pen.covers.append(badge_box(at, scene.unit))
    pen = replace(context.pen, width=_MARK_WIDTH)
    mark = pen.cross(corner) if context.failed else pen.plus(corner)
    return badge + context.ring(order.unit, at, _BUILD_GAP) + mark


# The paths along which units move when a turn is replayed.


def trace_routes(chart: Chart, position: Position, orders: Iterable[Order]) -> Mapping[Unit, str]:
    """Return the path of each ordered move and retreat, from badge to badge."""
    ordered = tuple(orders)
    scene = Scene(refine_chart(chart), position, LIGHT)
    routes = find_routes(scene, ordered)
    paths = {}
    for order in ordered:
        if isinstance(order, Move):
            route = routes.get((order.unit.province, province_of(order.to)))
        elif isinstance(order, Retreat):
            route = _find_straight_route(scene, order.unit, order.to)
        else:
            continue
        if route is None:
            continue
        start = scene.place_of(order.unit)
        gates = _find_gates(scene, order.unit.province, province_of(order.to))
        way_out = curve_between(start, gates[0]).path() if start and gates else ""
        paths[order.unit] = way_out + route.path()
    return paths


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
