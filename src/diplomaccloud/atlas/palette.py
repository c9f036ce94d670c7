"""Colours of powers that also people with red-green blindness can tell apart.

The sets are maximin choices among inks that look printed: over all sRGB colours of middling
lightness and moderate chroma, clear of the parchment and the water, the least CIELAB distance
(ΔE76) between two is as large as could be found without neon ones, to normal eyes and under
full deuteranopia and protanopia (Machado 2009).
"""

from collections.abc import Sequence
from itertools import combinations
from math import dist, fsum

_SETS = {
    2: ("#3c6cc8", "#c86a30"),
    3: ("#b48424", "#1848a8", "#48b4a8"),
    4: ("#782424", "#cca83c", "#24cca8", "#7878cc"),
    5: ("#9c543c", "#603060", "#54cccc", "#e4b448", "#4890e4"),
    6: ("#54e4a8", "#9c2424", "#18c0d8", "#543054", "#306ccc", "#c09c24"),
    7: ("#246c6c", "#48cc90", "#d890cc", "#9c3c24", "#601878", "#e4b448", "#3c84f0"),
    8: (
        "#d8c048", "#48c078", "#603078", "#308484", "#1884d8", "#603030", "#f0b4e4", "#c03c24",
    ),
    9: (
        "#6c1860", "#a8cc78", "#d890f0", "#e46084", "#d8a824", "#183c24", "#1860b4", "#b46030",
        "#6cd8cc",
    ),
    10: (
        "#483054", "#c0489c", "#90d860", "#3cc0e4", "#54d8a8", "#2490f0", "#a87824", "#c06060",
        "#183090", "#3c3c18",
    ),
}  # fmt: skip

Colour = tuple[float, float, float]
_DEUTAN = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
_PROTAN = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
_NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)


def colours(count: int) -> tuple[str, ...]:
    """Return `count` colours, from 2 to 10, as `#rrggbb`."""
    return _SETS[count]


def difference(one: str, other: str) -> float:
    """Return the ΔE76 of two colours to the eyes, of the three kinds, that see it least."""
    return min(dist(_lab(one, eyes), _lab(other, eyes)) for eyes in (_NORMAL, _DEUTAN, _PROTAN))


def least_difference(palette: Sequence[str]) -> float:
    """Return the difference of the two colours of `palette` that are hardest to tell apart."""
    return min(difference(one, other) for one, other in combinations(palette, 2))


def _lab(colour: str, eyes: Sequence[Colour]) -> Colour:
    linear = tuple(_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    seen = [min(max(value, 0.0), 1.0) for value in _times(eyes, linear)]
    white = _times(_TO_XYZ, (1.0, 1.0, 1.0))
    x, y, z = (
        _curve(value / full) for value, full in zip(_times(_TO_XYZ, seen), white, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _curve(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116


def _times(matrix: Sequence[Colour], vector: Sequence[float]) -> list[float]:
    return [fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
