"""Colours of powers that also people with red-green blindness can tell apart.

The sets are maximin choices: over all sRGB colours of middling lightness and some chroma,
clear of the parchment and the water, the least CIELAB distance (ΔE76) between two is as large
as could be found, to normal eyes and under full deuteranopia and protanopia (Machado 2009).
"""

from collections.abc import Sequence
from itertools import combinations
from math import dist

_SETS = {
    2: ("#1e3cb4", "#a5d23c"),
    3: ("#a5003c", "#00c3ff", "#d2d23c"),
    4: ("#961e00", "#008787", "#d2d23c", "#5a2da5"),
    5: ("#784b00", "#00c3ff", "#1e3cb4", "#d20f78", "#87e169"),
    6: ("#693c0f", "#e1c32d", "#00c378", "#004bc3", "#a50069", "#00c3ff"),
    7: ("#960078", "#005ad2", "#0fc369", "#00c3ff", "#c34b00", "#3c5a3c", "#f0c32d"),
    8: (
        "#2d78f0", "#d2d23c", "#ff5a96", "#f0a578", "#3c5a3c", "#008700", "#870087", "#00c3ff",
    ),
    9: (
        "#784b00", "#ffa52d", "#96003c", "#1ea587", "#00c3ff", "#782da5", "#786996", "#0087ff",
        "#c3c378",
    ),
    10: (
        "#f0c32d", "#4b4b00", "#7878a5", "#1e78f0", "#871e4b", "#d2690f", "#f096ff", "#c38778",
        "#781e96", "#96d269",
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
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
