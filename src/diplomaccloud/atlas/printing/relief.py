"""The relief of a map, as fine as paper shows it.

The drawing for screens has a shade for every few map units. On a poster, these would be squares of
two millimeters, so the shades between them are computed here, on smooth curves.
"""

import re
from base64 import b64decode, b64encode
from io import BytesIO
from itertools import pairwise
from typing import Final

DOTS_PER_INCH: Final = 200
MM_PER_INCH: Final = 25.4
_IMAGE: Final = re.compile(
    r'<image [^>]*?width="([\d.]+)" height="([\d.]+)"[^>]* href="data:image/png;base64,([^"]+)"'
)
_LEVELS: Final = 7
"""How many shades there are for each one of the drawing: a palette has at most 256."""


def refine_relief(svg: str, view_width: float, printed: float) -> str:
    """Return the drawing `svg` with a relief of `DOTS_PER_INCH`, if it has one.

    `view_width` is the width of its `viewBox`, which is `printed` millimeters wide on paper.
    """
    found = _IMAGE.search(svg)
    if found is None:
        return svg
    dots = printed / view_width / MM_PER_INCH * DOTS_PER_INCH
    # A map file may have a relief of another shape than the map, which stretches it.
    width, height = (max(1, round(float(side) * dots)) for side in found.groups()[:2])
    png = _enlarge(b64decode(found[3]), width, height)
    start, end = found.span(3)
    return f"{svg[:start]}{b64encode(png).decode()}{svg[end:]}"


def _enlarge(png: bytes, width: int, height: int) -> bytes:
    """Return the palette PNG of a relief, whose shades are in order, in this size."""
    from PIL import Image  # noqa: PLC0415 only print needs it

    with Image.open(BytesIO(png)) as relief:
        if relief.mode != "P" or relief.width >= width:
            return png
        colors = relief.getpalette() or []
        shades = [
            (*color, alpha)
            for color, alpha in zip(
                zip(colors[::3], colors[1::3], colors[2::3], strict=True),
                relief.info["transparency"],
                strict=False,
            )
        ]
        # The numbers of the shades are brightness, whose steps are then small enough to be unseen.
        numbers = relief.point([_LEVELS * min(i, len(shades) - 1) for i in range(256)], "L")
    fine = numbers.resize((width, height), Image.Resampling.BICUBIC)
    palette = [_mix(*pair, step) for pair in pairwise(shades) for step in range(_LEVELS)]
    # A curve can go a little beyond the strongest shade.
    palette += [shades[-1]] * (256 - len(palette))
    fine.putpalette([part for *color, _ in palette for part in color])
    content = BytesIO()
    fine.save(content, "PNG", transparency=bytes(alpha for *_, alpha in palette))
    return content.getvalue()


def _mix(first: tuple[int, ...], second: tuple[int, ...], step: int) -> tuple[int, ...]:
    return tuple(round(a + (b - a) * step / _LEVELS) for a, b in zip(first, second, strict=True))
