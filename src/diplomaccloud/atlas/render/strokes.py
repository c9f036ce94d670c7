"""The strokes that orders are drawn with. Each has a casing and an edge, one light and one dark.

Any ground differs enough in brightness from a light line or from a dark one, so a stroke is
visible wherever it leads, even on land of its own color.
"""

from dataclasses import dataclass

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.curves import Curve
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.sizes import HALF_HEIGHT, HALF_WIDTH

SOLID = ""
SHORT_DASHES = "5 4"
LONG_DASHES = "14 6"

# Sizes in plain units.
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
