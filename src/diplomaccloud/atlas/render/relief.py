"""Draw relief shading: elevation lit from the northwest, as a small translucent PNG."""

import struct
import zlib
from collections import Counter
from collections.abc import Sequence

from diplomaccloud.atlas.chart import Relief

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_STEPS = 16
"""The number of shades on each side of level ground."""

_MAX_WIDTH = 480
_GENTLE_SHARE = 6, 7
"""The share of the slopes that are drawn with the full range of shades, as a fraction."""

_BEND, _GAIN, _STRENGTH = 0.5, 1.25, 0.8
"""How much steep slopes are compressed, how much gentle ones are raised, and the strongest shade
that a slope of 1 gets: found by eye on maps of plains and of mountains."""

MAX_DARK_OPACITY = 0.66
MAX_LIGHT_OPACITY = 0.6
"""The opacity of the strongest shades."""


def draw_relief(relief: Relief, dark: str, light: str) -> bytes:
    """Return a palette PNG of the shading: slopes are `dark` or `light`, level ground is clear.

    At most 480 pixels wide. The contrast follows the relief's own steepest slopes, so the
    picture looks the same for any scale of elevation.
    """
    rows = _reduce_rows(relief)
    slopes = _find_slopes(_double_rows(rows) if len(rows[0]) <= _MAX_WIDTH // 2 else rows)
    steep = _find_steep_slope(slopes)
    # Slopes from 0 up, then the negative ones, so that a negative slope indexes from the end.
    table = [_choose_shade(slope / steep) for slope in (*range(256), *range(-255, 0))]
    shades = [bytes(map(table.__getitem__, row)) for row in slopes]
    return _write_png(shades, _build_palette(dark, light))


def _reduce_rows(relief: Relief) -> list[Sequence[int]]:
    step = -(-relief.width // _MAX_WIDTH)
    width, values = relief.width, relief.values
    return [values[row * width : (row + 1) * width : step] for row in range(0, relief.height, step)]


def _double_rows(rows: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Return a grid twice as fine, so that a browser does not show squares."""
    wide = [
        [height for pair in zip(row, _find_midpoints(row), strict=True) for height in pair]
        for row in rows
    ]
    columns = [_find_midpoints(column) for column in zip(*wide, strict=True)]
    between = zip(*columns, strict=True)
    return [row for pair in zip(wide, between, strict=True) for row in pair]


def _find_midpoints(line: Sequence[int]) -> list[int]:
    """Return the height halfway from each point of `line` to the next, on a smooth curve."""
    padded = (line[0], *line, line[-1], line[-1])
    return [
        (9 * (b + c) - a - d + 8) // 16
        for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
    ]


def _find_slopes(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the rise toward the southeast, positive where the light falls.

    It is measured across single cells, so that a coarse grid is not blurred further. A shore is
    not a slope: the height 0 of the water would give every coast a dark side.
    """
    return [
        [
            next_height - height if height and next_height else 0
            for height, next_height in zip(row, (*below[1:], below[-1]), strict=True)
        ]
        for row, below in zip(rows, [*rows[1:], rows[-1]], strict=True)
    ]


def _find_steep_slope(slopes: Sequence[Sequence[int]]) -> int:
    """Return the slope that six in seven do not exceed, without level ground."""
    counts: Counter[int] = Counter()
    for row in slopes:
        counts.update(map(abs, row))
    del counts[0]
    gentle, all_slopes = _GENTLE_SHARE
    remaining = counts.total() * gentle // all_slopes
    for slope in sorted(counts):
        remaining -= counts[slope]
        if remaining < 0:
            return slope
    return 1


def _choose_shade(slope: float) -> int:
    bent = slope / (1 + abs(slope) * _BEND) * _GAIN
    return _STEPS + max(-_STEPS, min(_STEPS, round(bent * _STEPS * _STRENGTH)))


def _build_palette(dark: str, light: str) -> list[tuple[bytes, int]]:
    shaded = [(dark, MAX_DARK_OPACITY * (_STEPS - i) / _STEPS) for i in range(_STEPS)]
    lit = [(light, MAX_LIGHT_OPACITY * i / _STEPS) for i in range(_STEPS + 1)]
    return [(bytes.fromhex(ink[1:]), round(255 * alpha)) for ink, alpha in shaded + lit]


def _write_png(rows: Sequence[bytes], palette: Sequence[tuple[bytes, int]]) -> bytes:
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", b"".join(ink for ink, _ in palette)),
        (b"tRNS", bytes(alpha for _, alpha in palette)),
        (b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(_write_chunk(name, body) for name, body in parts)


def _write_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
