"""The curves that orders are drawn along, and the strokes that draw them."""

from dataclasses import dataclass
from math import dist, hypot
from typing import TypeAlias

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.sizes import HALF_HEIGHT, HALF_WIDTH

_SAMPLES = 48
_STEPS = tuple(i / _SAMPLES for i in range(_SAMPLES + 1))
_NO_LENGTH = 1e-6
"""A length in map units that is no longer than an error of rounding."""

_MAX_CUT = 0.45
"""The part of a curve that may be cut off at each end."""

_END_STEPS = _STEPS[: int(_MAX_CUT * _SAMPLES) + 2]

Box: TypeAlias = tuple[Point, Point]
"""A center, and half the width and height."""


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
        samples = (self.at(i / _SAMPLES) for i in range(_SAMPLES + 1))
        return min(samples, key=lambda sample: hypot(sample[0] - point[0], sample[1] - point[1]))

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
    return Curve(
        start,
        (2 * by[0] - (start[0] + end[0]) / 2, 2 * by[1] - (start[1] + end[1]) / 2),
        end,
    )


def trim_to_boxes(
    curve: Curve, at_start: Point | None, at_end: Point | None, name: Box | None = None
) -> Curve:
    """Return the part of `curve` outside boxes of these half sizes around its two ends.

    It also ends before `name`, a box near its end that it must not cover. At least the middle
    tenth remains, so that a line between crowded places is still visible.
    """
    first = last = 0.0
    if at_start is not None:
        outside = (t for t in _END_STEPS if _is_outside(curve.at(t), curve.start, at_start))
        first = next(outside, _MAX_CUT)
    if at_end is not None:
        outside = (t for t in _END_STEPS if _is_outside(curve.at(1 - t), curve.end, at_end))
        last = next(outside, _MAX_CUT)
    if name is not None and _may_cross(curve, *name):
        covered = (t for t in reversed(_END_STEPS) if not _is_outside(curve.at(1 - t), *name))
        last = max(last, next(covered, 0.0))
    return curve.part(min(first, _MAX_CUT), 1 - min(last, _MAX_CUT))


def _may_cross(curve: Curve, center: Point, half: Point) -> bool:
    """Return whether the box around all points of `curve` touches this one."""
    return all(
        min(values) <= middle + reach and max(values) >= middle - reach
        for values, middle, reach in zip(
            zip(curve.start, curve.control, curve.end, strict=True), center, half, strict=True
        )
    )


def _is_outside(point: Point, center: Point, half: Point) -> bool:
    return abs(point[0] - center[0]) > half[0] or abs(point[1] - center[1]) > half[1]


def _interpolate(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


# The strokes that orders are drawn with. Each has a casing and an edge, one light and one dark.
#
# Any ground differs enough in brightness from a light line or from a dark one, so a stroke is
# visible wherever it leads, even on land of its own color.

SOLID = ""
SHORT_DASHES = "5 4"
LONG_DASHES = "14 6"
_WIDTH = 4.0
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
    width: float = _WIDTH
    broken: bool = False

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
        return self.line(self._build_shaft(curve), dash)

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
        step = num(2 * arm)
        back = num(-2 * arm)
        x, y = num(at[0] - arm), num(at[1] - arm)
        right = num(at[0] + arm)
        return self.line(f"M{x} {y}l{step} {step}M{right} {y}l{back} {step}")

    def place_behind(self, curve: Curve) -> Point:
        """Return where a cross ends an arrow without covering what it points to."""
        dx, dy = curve.end_direction()
        reach = _CROSS_ARM * self.unit
        return curve.end[0] - dx * reach, curve.end[1] - dy * reach

    def plus(self, at: Point) -> str:
        """Return an upright cross."""
        arm = _CROSS_ARM * self.unit
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
        cut = _CUT_CORNER * self.unit
        flat, tall = num(2 * (half_x - cut)), num(2 * (half_y - cut))
        step, back = num(cut), num(-cut)
        start = f"M{num(at[0] - half_x + cut)} {num(at[1] - half_y)}"
        path = (
            f"{start}h{flat}l{step} {step}v{tall}l{back} {step}h{_negate(flat)}"
            f"l{back} {back}v{_negate(tall)}z"
        )
        return self.line(path, dash)

    def _list_layers(self) -> tuple[tuple[str, float], ...]:
        """Return the colors from the lowest one up, and how far each reaches beyond the ink."""
        return (self.edge, _CASING + _EDGE), (self.casing, _CASING), (self.ink, 0.0)

    def _build_shaft(self, curve: Curve) -> str:
        length = curve.length()
        half = (length - _BREAK * self.unit) / 2
        if not self.broken or half < _MIN_HALF * self.unit:
            return curve.path()
        return curve.part(0, half / length).path() + curve.part(1 - half / length, 1).path()

    def _build_head(self, curve: Curve, neck: float, length: float) -> str:
        """Return an arrowhead in line with the neck; on a bent curve the end point would be off."""
        dx, dy = curve.part(neck, 1).chord()
        half = _HEAD_HALF_WIDTH * self.unit * length / (_HEAD_LENGTH * self.unit)
        x, y = curve.end
        back_x, back_y = x - dx * length, y - dy * length
        return (
            f"M{num(x)} {num(y)}L{num(back_x - dy * half)} {num(back_y + dx * half)}"
            f"L{num(back_x + dy * half)} {num(back_y - dx * half)}z"
        )


def _negate(text: str) -> str:
    return text[1:] if text.startswith("-") else f"-{text}"
