"""The width of printed names."""

from math import fsum

_WIDTHS = {
    letter: width / 1000
    for letters, width in (
        ("lijI'", 300), ("tf", 330), (" ", 250), ("r", 395), ("s", 424), ("c", 444), ("e", 479),
        ("az", 500), ("x", 516), ("S", 525), ("o", 546), ("bgkyF", 556), ("vq", 565), ("hn", 582),
        ("puP", 603), ("dBELT", 613), ("J", 333), ("RXYZ", 668), ("CVK", 724), ("G", 763),
        ("ADUOQ", 786), ("wHN", 834), ("m", 883), ("MW", 1000),
    )
    for letter in letters
}  # fmt: skip
"""Widths of letters in an old-style serif face, in font sizes."""

_DEFAULT_WIDTH = 0.6
"""The width of any other letter."""


def measure_width(text: str, size: float) -> float:
    """Return the width of `text` printed at `size`, in map units, without its halo."""
    return size * fsum(_WIDTHS.get(letter, _DEFAULT_WIDTH) for letter in text)
