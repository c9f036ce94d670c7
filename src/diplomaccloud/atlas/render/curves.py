"""The quadratic curves that orders are drawn along, and where they leave a badge."""

from dataclasses import dataclass
from math import dist, hypot
from typing import TypeAlias

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.paths import num

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
