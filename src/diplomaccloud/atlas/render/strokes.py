"""The strokes that orders are drawn with, each with a dark halo that stands out on any ground."""

from dataclasses import dataclass

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.curves import Curve
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import HALF_HEIGHT, HALF_WIDTH

SOLID = ""
SHORT_DASHES = "5 4"
LONG_DASHES = "14 6"

# Sizes in plain units.
_WIDTH = 4.0
_HALO = 2.6
_HEAD_LENGTH = 15.0
_HEAD_HALF_WIDTH = 8.2
_CROSS_ARM = 5.8
_DOT_RADIUS = 3.4
_DOT_EDGE = 1.5
_HEAD_EDGE = 1.6
_CUT_CORNER = 6
RING_GAP = 4.0
"""The gap between a badge and the ring around it."""

_HALO_OPACITY, _DASHED_HALO_OPACITY = 0.75, 0.6
"""The halo shows in the gaps between dashes, where it must not be mistaken for a line."""

_MAX_HEAD_SHARE = 0.6
"""The share of a short arrow that its head may take."""

_NECK = 0.8
"""Where the line enters the head, in lengths of the head: its round end must not show."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A color, its halo and the size of a plain unit in map units; `width` is in plain units."""

    ink: str
    halo: str
    unit: float
    width: float = _WIDTH

    def line(self, path: str, dash: str = SOLID) -> str:
        """Return `path` as a stroke, with dashes in plain units."""
        dashes = " ".join(num(float(length) * self.unit) for length in dash.split())
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        core = num(self.width * self.unit)
        shade = _DASHED_HALO_OPACITY if dash else _HALO_OPACITY
        return (
            f'<path d="{path}" stroke="{self.halo}" stroke-opacity="{shade}"'
            f' stroke-width="{num((self.width + _HALO) * self.unit)}"/>'
            f'<path d="{path}" stroke="{self.ink}" stroke-width="{core}"{dashed}/>'
        )

    def arrow(self, curve: Curve, dash: str = SOLID) -> str:
        """Return `curve` with a head at its end."""
        head = min(_HEAD_LENGTH * self.unit, curve.length() * _MAX_HEAD_SHARE)
        neck = curve.before_end(head * _NECK)
        return self.line(curve.part(0, neck).path(), dash) + self._head(curve, neck, head)

    def cross(self, at: Point, size: float = 1.0) -> str:
        """Return a cross of two strokes."""
        arm = _CROSS_ARM * size * self.unit
        step = num(2 * arm)
        back = num(-2 * arm)
        x, y = num(at[0] - arm), num(at[1] - arm)
        right = num(at[0] + arm)
        return self.line(f"M{x} {y}l{step} {step}M{right} {y}l{back} {step}")

    def place_behind(self, curve: Curve) -> Point:
        """Return where a cross covers the head of an arrow but not what it points to."""
        dx, dy = curve.end_direction()
        return curve.end[0] - dx * _CROSS_ARM * self.unit, curve.end[
            1
        ] - dy * _CROSS_ARM * self.unit

    def plus(self, at: Point) -> str:
        """Return an upright cross."""
        arm = _CROSS_ARM * self.unit
        x, y, step = num(at[0] - arm), num(at[1] - arm), num(2 * arm)
        return self.line(f"M{x} {num(at[1])}h{step}M{num(at[0])} {y}v{step}")

    def dot(self, at: Point) -> str:
        """Return a small filled circle."""
        return (
            f'<circle cx="{num(at[0])}" cy="{num(at[1])}" r="{num(_DOT_RADIUS * self.unit)}"'
            f' fill="{self.ink}" stroke="{self.halo}" stroke-opacity=".7"'
            f' stroke-width="{num(_DOT_EDGE * self.unit)}"/>'
        )

    def octagon(self, at: Point, gap: float = RING_GAP, dash: str = SOLID) -> str:
        """Return a ring with cut corners around the badge at `at`, `gap` plain units away."""
        half_x, half_y = (HALF_WIDTH + gap) * self.unit, (HALF_HEIGHT + gap) * self.unit
        cut = _CUT_CORNER * self.unit
        flat, tall = num(2 * (half_x - cut)), num(2 * (half_y - cut))
        step, back = num(cut), num(-cut)
        start = f"M{num(at[0] - half_x + cut)} {num(at[1] - half_y)}"
        path = (
            f"{start}h{flat}l{step} {step}v{tall}l{back} {step}h{_negate(flat)}"
            f"l{back} {back}v{_negate(tall)}z"
        )
        return self.line(path, dash)

    def _head(self, curve: Curve, neck: float, length: float) -> str:
        """Return an arrowhead in line with the neck; on a bent curve the end point would be off."""
        dx, dy = curve.part(neck, 1).chord()
        half = _HEAD_HALF_WIDTH * self.unit * length / (_HEAD_LENGTH * self.unit)
        x, y = curve.end
        back_x, back_y = x - dx * length, y - dy * length
        corners = (
            f"M{num(x)} {num(y)}L{num(back_x - dy * half)} {num(back_y + dx * half)}"
            f"L{num(back_x + dy * half)} {num(back_y - dx * half)}z"
        )
        return (
            f'<path d="{corners}" fill="{self.ink}" stroke="{self.halo}" stroke-opacity=".7"'
            f' stroke-width="{num(_HEAD_EDGE * self.unit)}"/>'
        )


def _negate(text: str) -> str:
    return text[1:] if text.startswith("-") else f"-{text}"
