"""Relief shading: elevation lit from the north-west, as one small translucent PNG."""

import struct
import zlib
from collections import Counter
from collections.abc import Sequence

from diplomaccloud.atlas.chart import Relief

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_STEPS = 20
"""Shades on either side of level ground."""

_WIDEST = 480
_DARKEST = 0.66
_LIGHTEST = 0.6


def relief_png(relief: Relief, dark: str, light: str) -> bytes:
    """Return a palette PNG of the shading: `dark` slopes, `light` slopes, level ground clear.

    At most 480 pixels wide. Contrast is set by the relief's own steepest slopes, so any
    scale of elevation gives a like picture.
    """
    rows = _thinned(relief)
    slopes = _slopes(_doubled(rows) if len(rows[0]) <= _WIDEST // 2 else rows)
    steep = _steep(slopes)
    # From slope 0 up to the steepest, then the negative ones: as indices count from the end.
    table = [_shade(slope / steep) for slope in (*range(256), *range(-255, 0))]
    shades = [bytes(map(table.__getitem__, row)) for row in slopes]
    return _png(shades, _palette(dark, light))


def _thinned(relief: Relief) -> list[Sequence[int]]:
    step = -(-relief.width // _WIDEST)
    width, values = relief.width, relief.values
    return [values[row * width : (row + 1) * width : step] for row in range(0, relief.height, step)]


def _doubled(rows: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Return a grid twice as fine, smooth where a browser would show squares."""
    wide = [
        [height for pair in zip(row, _between(row), strict=True) for height in pair] for row in rows
    ]
    columns = [_between(column) for column in zip(*wide, strict=True)]
    between = zip(*columns, strict=True)
    return [row for pair in zip(wide, between, strict=True) for row in pair]


def _between(line: Sequence[int]) -> list[int]:
    """Return the height half-way from each point of `line` to the next, on a smooth curve."""
    padded = (line[0], *line, line[-1], line[-1])
    return [
        (9 * (b + c) - a - d + 8) // 16
        for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
    ]


def _slopes(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the rise towards the south-east, positive where the light falls.

    Measured across single cells, so that a coarse grid is not blurred any further. A shore is
    no slope: water, which is 0, would give every coast a dark side.
    """
    return [
        [
            there - here if here and there else 0
            for here, there in zip(row, (*below[1:], below[-1]), strict=True)
        ]
        for row, below in zip(rows, [*rows[1:], rows[-1]], strict=True)
    ]


def _steep(slopes: Sequence[Sequence[int]]) -> int:
    """Return what six in seven of the slopes do not exceed, level ground left out."""
    counts: Counter[int] = Counter()
    for row in slopes:
        counts.update(map(abs, row))
    del counts[0]
    left = counts.total() * 6 // 7
    for slope in sorted(counts):
        left -= counts[slope]
        if left < 0:
            return slope
    return 1


def _shade(slope: float) -> int:
    bent = slope / (1 + abs(slope) * 0.5) * 1.25
    return _STEPS + max(-_STEPS, min(_STEPS, round(bent * _STEPS * 0.8)))


def _palette(dark: str, light: str) -> list[tuple[bytes, int]]:
    shaded = [(dark, _DARKEST * (_STEPS - i) / _STEPS) for i in range(_STEPS)]
    lit = [(light, _LIGHTEST * i / _STEPS) for i in range(_STEPS + 1)]
    return [(bytes.fromhex(ink[1:]), round(255 * alpha)) for ink, alpha in shaded + lit]


def _png(rows: Sequence[bytes], palette: Sequence[tuple[bytes, int]]) -> bytes:
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", b"".join(ink for ink, _ in palette)),
        (b"tRNS", bytes(alpha for _, alpha in palette)),
        (b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(_chunk(name, body) for name, body in parts)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
