"""Sets of colors for powers that people with red-green color blindness can distinguish, too.

All colors look like printed inks. A random search chose from some 2,700 sRGB colors in ranges of
hue, lightness and chroma set by hand (brick, ochre, jade, navy …), each distinct from land and
water and readable under a mark. In every set all colors are far enough apart (ΔE76), as inks and
as countries by day and by night, for normal vision and for full deuteranopia and protanopia
(Machado 2009). Swapping single colors made the sets livelier, and those that looked dull on maps
were removed. The sets are good, not optimal; `tests/atlas/test_palette.py` has their limits.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from math import dist, fsum, inf
from operator import truediv

_SETS = (
    "d46b2e 0c65ba",
    "d4b63e 0c65ba",
    "cb720e 8a5095",
    "b39a2c 652d70",
    "cc7e0c 0e80a6",
    "6c9535 066ebb",
    "ee8f31 1f365f",
    "e3c54d 20314a",
    "94132a f0c04e 2c72c9",
    "f0c04e 0f7149 0c65ba",
    "871813 fbbb51 39b3c1",
    "d37919 68b3a8 134fa2",
    "5e141f ea7734 007bc4",
    "ee8f31 143814 6455a8",
    "6a3715 fbbb51 56347a",
    "87b14f 073823 007bc4",
    "871813 dfb140 419390 0c65ba",
    "f3b44a 2a6020 3db8a9 3c52a6",
    "ce7026 32b0a2 1f6cc1 2a2741",
    "9d5435 e3c54d 1f6cc1 5e1a43",
    "5f2227 7da24b 3db8a9 2b4598",
    "f0d058 2a6020 007bc4 2a2741",
    "e6932a 655d32 2facba 1e2a43",
    "849850 073823 65afbd 0e3d75",
    "8b2610 dcbd45 26a89a 1f6cc1 292647",
    "e6932a 1f6126 3db8a9 1f6cc1 292647",
    "661930 e3c54d 6d6505 32b0a2 0c65ba",
    "ee8f31 70481a 69ab96 486fc7 5a1d49",
    "dcbd45 495505 7cb193 165862 2c72c9",
    "571d1d a74f15 f0d058 68b0ad 3c4189",
    "a4b34c 486b3f 5da8b2 1f6cc1 20314a",
    "e3c54d 678142 0a372c 5ba3bf 163b7b",
    "871813 dd8c21 82b97a 2facba 2c72c9 552f5c",
    "561e19 a74f15 e3c54d 1d8779 2c72c9 163058",
    "8f2019 e6d358 86b877 318482 007bc4 1e2849",
    "8f7431 f0c04e 0c3818 26a89a 2c72c9 503160",
    "6c0e2f e3c54d 5e6100 82b97a 2a848e 0c65ba",
    "dd8c21 82b97a 1d603a 31acb5 007bc4 2e2c54",
    "cc7e0c 52521d a0b27f 119eac 0c65ba 5e1a43",
    "f0c04e 455f03 a0b27f 2fabbf 0c65ba 505050",
    "61120f f0d058 7a944e 51bcb2 0c65ba 494f68",
    "80202a a74f15 dcbd45 81b971 18a093 2c72c9 542c69",
    "871813 dd8c21 81b971 53b1c2 0c65ba 582c61 766f66",
    "752e1c a36c13 e3c54d 86b877 1f5e69 3bb4bc 0c65ba",
    "c25639 61120f dcbd45 52b79a 33809b 2155a9 292647",
    "61120f ca713e f0d058 39b3c1 2c72c9 542c69 636c64",
    "a3521f e6932a 82b97a 15371d 0e877f 0c65ba 093159",
    "a75139 5f1225 cb720e ebd07a 18a093 007bc4 542c69",
    "752e1c 937307 f0c04e 86b877 51bcb2 2a2741 83529b",
    "61120f a74f15 f0c04e 86b877 2fabbf 5e3075 636363",
    "e6932a 477d3a 0c3818 52b79a 33809b 0c65ba 292647",
    "a36c13 f0d058 8ab775 3b5d3a 3db8a9 1e2a43 70539d",
    "61120f f0d058 549944 2fabbf 1f6cc1 2b3364 636363",
    "8c0624 b75b22 f0c04e 86b877 078167 49accf 486fc7 652d70",
    "ad4a1f e6932a 81b971 20351e 078167 49accf 0c65ba 582c61",
    "c25639 5c1914 e6932a 71bb86 31665e 49accf 1f6cc1 45336b",
    "831f09 c07733 e6d358 71bb86 119db0 0c65ba 582c61 696259",
    "962733 a36c13 f0c04e 8fb772 3eb09a 397f9d 2155a9 292647",
    "9b341b 591a26 e3c54d 84b165 1d8779 49accf 0c65ba 333162",
    "b55339 74182e cc7e0c ebd07a 65b68c 207d87 5c6bc4 143766",
    "8b2610 e3c54d 99ac63 52b79a 18685e 49accf 4c5eb5 163058",
    "dcbd45 7daa5e 1f6126 0a372c 1e9884 49accf 2c72c9 652d70",
    "9b341b cb720e e6d358 76bc64 113633 078167 49accf 3f68bf 652d70",
    "b13938 581a2b c47629 f0c04e 81b971 1e9884 49accf 0c65ba 453271",
    "871813 bd7923 f0c04e 97b56d 52b79a 18685e 49accf 1f6cc1 4e2d73",
    "c25639 cc7e0c e0c56a 143814 65b68c 49accf 0c65ba 652d70 6d707a",
    "522028 cc7e0c f3bd6d 316726 65b68c 146f6d 49accf 2c72c9 4e327f",
    "65032a 9b6f0c f0c04e 7cbb6b 4b7440 1d8779 49accf 0c65ba 652d70",
    "c94e4a 681915 cc7e0c e0c56a 5cb693 49accf 0c65ba 192a43 7d5a83",
    "871813 ce6f35 f0c04e 396d52 52b79a 49accf 2c72c9 2a2741 7c4e85",
    "8c0624 ad4a1f cc7e0c f0d058 76bc64 52b79a 146f6d 49accf 1f6cc1 453077",
    "8b2610 741735 c47546 cc7e0c e1c561 71b490 0e877f 49accf 1f6cc1 453077",
    "8b2610 581a2b d86825 fbbb51 81b971 4a7351 3eb09a 49accf 0c65ba 652d70",
    "aa4127 5d161a c07815 e3c54d 75b464 3eb09a 49accf 0c65ba 0f2b4a 6e5487",
    "c7741e f0c04e 7cbb6b 2a6020 183623 52b79a 1b6f69 49accf 0c65ba 453271",
    "871813 c47546 cc7e0c e1c561 52b79a 49accf 0c65ba 192a43 7c4e85 696259",
    "661930 d26d1b e8c951 9eb461 316726 65b68c 1d8779 49accf 0c65ba 652d70",
)
"""From sets of two colors to sets of ten."""

Color = tuple[float, float, float]
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


def color_sets(count: int) -> tuple[tuple[str, ...], ...]:
    """Return the sets of `count` colors, from 2 to 10, each color as `#rrggbb`."""
    sets = (tuple(f"#{ink}" for ink in inks.split()) for inks in _SETS)
    return tuple(inks for inks in sets if len(inks) == count)


_LEVELS = (0x20, 0x4C, 0x78, 0xA4, 0xD0, 0xF4)
"""The parts of the colors for more than ten powers."""


@cache
def many_colors(count: int) -> tuple[str, ...]:
    """Return `count` colors for any number of powers, up to 216, each as `#rrggbb`.

    Up to ten are a set; each further color is the one that differs most from those before it.
    """
    first = color_sets(min(max(count, 2), 10))[0][:count]
    chosen = list(first)
    rest = {
        f"#{red:02x}{green:02x}{blue:02x}": inf
        for red, green, blue in product(_LEVELS, repeat=3)
        if f"#{red:02x}{green:02x}{blue:02x}" not in first
    }
    newest = first
    while len(chosen) < count:
        for ink, least in rest.items():
            rest[ink] = min([least, *(color_difference(ink, other) for other in newest)])
        # Rounded, the choice among equals is the same on every computer.
        best = max(rest, key=lambda ink: (round(rest[ink], 3), ink))
        del rest[best]
        chosen.append(best)
        newest = (best,)
    return tuple(chosen)


def color_difference(first: str, second: str) -> float:
    """Return the smallest ΔE76 of two colors for the three kinds of vision."""
    return min(map(dist, _simulate_vision(first), _simulate_vision(second)))


def find_least_difference(palette: Sequence[str]) -> float:
    """Return the difference of the two most similar colors of `palette`."""
    return min(color_difference(*pair) for pair in combinations(palette, 2))


@lru_cache(maxsize=256)
def _simulate_vision(color: str) -> tuple[Color, ...]:
    """Return a color in CIELAB for each of the three kinds of vision."""
    return tuple(_to_lab(color, eyes) for eyes in (_NORMAL, _DEUTAN, _PROTAN))


def _to_lab(color: str, eyes: Sequence[Color]) -> Color:
    parts = [value / 255 for value in bytes.fromhex(color[1:])]
    linear = [v / 12.92 if v <= 0.04045 else float(((v + 0.055) / 1.055) ** 2.4) for v in parts]
    seen = [min(max(value, 0.0), 1.0) for value in _times(eyes, linear)]
    white = _times(_TO_XYZ, (1.0, 1.0, 1.0))
    shares = map(truediv, _times(_TO_XYZ, seen), white)
    x, y, z = (float(t ** (1 / 3)) if t > 0.008856 else 7.787 * t + 16 / 116 for t in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix: Sequence[Color], vector: Sequence[float]) -> list[float]:
    return [fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
