"""A pattern for each power, which tells powers apart without their colors."""

from typing import Final

_TILE: Final = 18

# One tile of each, in plain units. The most different ones come first, because most boards have
# few powers.
_PATTERNS: Final = (
    "M-3 3 3-3M-3 21 21-3M15 21l6-6",
    "M4.5 4.5h.01M13.5 13.5h.01",
    "M0 4.5h18M0 13.5h18",
    "M9 3v12M3 9h12",
    "M-3 15l6 6M-3-3 21 21M15-3l6 6",
    "M4.5 0v18M13.5 0v18",
    "M0 5q4.5-6 9 0t9 0M0 14q4.5-6 9 0t9 0",
    "M0 0 18 18M18 0 0 18",
    "M4.5 1.5a3 3 0 010 6 3 3 0 010-6M13.5 10.5a3 3 0 010 6 3 3 0 010-6",
    "M0 0h18M0 9h18M0 0v9M9 9v9",
)
_ROWS: Final = ((0, 1.0), (15, 0.7), (30, 1.9), (67, 1.0))
"""How far the patterns of each further ten powers are turned, in degrees, and their sizes: chosen
by the pixels, as a turn alone makes some patterns look like others."""

_FURTHER: Final = 38
"""How far the patterns are turned again after all rows."""

_LINE, _DOT = 1.7, 5.0
"""The width of lines and of dots, which are strokes without length, in plain units."""

_BADGE_SCALE, _BADGE_BOLD = 0.5, 1.2
"""The size of a badge's pattern and the width of its lines, relative to those of a country."""


def write_pattern(
    name: str, number: int, ink: str, scale: float, *, bold: float = 1.0, ground: str = ""
) -> str:
    """Return the SVG pattern of the power with this number on its board, with the id `name`.

    `scale` is the size of a plain unit, and `bold` the width of its lines relative to the usual.
    Without the color of a `ground`, it is transparent between its lines.
    """
    row, kind = divmod(number, len(_PATTERNS))
    drawn = _PATTERNS[kind]
    again, row = divmod(row, len(_ROWS))
    turn, grown = _ROWS[row]
    turn, size = turn + _FURTHER * again, f"{scale * grown:.2f}"
    steps = (f"rotate({turn})" if turn else "") + (f"scale({size})" if size != "1.00" else "")
    moved = f' patternTransform="{steps}"' if steps else ""
    width = (_DOT if drawn.endswith(".01") else _LINE) * bold
    paper = f'<path d="M0 0h{_TILE}v{_TILE}H0z" fill="{ground}"/>' if ground else ""
    return (
        f'<pattern id="{name}" width="{_TILE}" height="{_TILE}" patternUnits="userSpaceOnUse"'
        f'{moved}>{paper}<path d="{drawn}" fill="none" stroke="{ink}" stroke-width="{width:.3g}"'
        ' stroke-linecap="round"/></pattern>'
    )


def write_badge_patterns(count: int) -> str:
    """Return the SVG patterns `o-b0`, `o-b1` and so on of the badges of `count` powers."""
    return "".join(
        write_pattern(
            f"o-b{number}", number, "#000000", _BADGE_SCALE, bold=_BADGE_BOLD, ground="#ffffff"
        )
        for number in range(count)
    )
