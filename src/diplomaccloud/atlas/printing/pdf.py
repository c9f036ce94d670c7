"""Make the PDF of a printed sheet, with the map as vectors in the letters of the maps.

Needs the package `typst`, which the extra `site` has. The same content gives the same bytes.
"""

import json
from functools import cache
from hashlib import sha256
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

from diplomaccloud.atlas.png import render_png, renderer_version
from diplomaccloud.atlas.printing.relief import DOTS_PER_INCH, MM_PER_INCH, refine_relief
from diplomaccloud.atlas.printing.sheets import (
    Content,
    Sheet,
    hide_orders,
    lay_out,
    measure_shape,
    show_parts,
)
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.drawing.scene import FONT, frame_margin
from diplomaccloud.judge.drawing.styles import STYLES
from diplomaccloud.judge.version import tell_install

if TYPE_CHECKING:
    import typst

MAX_WIDTH: Final = 6400
"""The widest PNG in pixels: drawing one takes 700 MB of memory."""

_DATE: Final = 946_684_800
"""The date in each file, the start of the year 2000: with today's, no file would be as before."""


def render_sheet(sheet: Sheet, content: Content, *, dots_per_inch: int = 0) -> list[bytes]:
    """Return the PDF as the only item, or with `dots_per_inch`, a PNG of each page.

    Raises `ModuleNotFoundError` without the package `typst`.
    """
    try:
        import typst  # noqa: PLC0415 other pictures need no package
    except ModuleNotFoundError as error:
        need = f"a PDF needs the package 'typst'; in a checkout: {tell_install('site')}"
        raise ModuleNotFoundError(need, name="typst") from error
    shown = content if sheet is Sheet.TURN else show_parts(hide_orders(content))
    data, width = lay_out(sheet, shown)
    inputs = {"data": json.dumps(data | {"font": FONT}), "picture": _draw_map(shown, width)}
    source = files("diplomaccloud.atlas.printing").joinpath("sheets.typ").read_bytes()
    compiler = typst.Compiler(source, font_paths=_find_fonts(), ignore_system_fonts=True)
    made = compiler.compile(
        format="png" if dots_per_inch else "pdf",
        ppi=float(dots_per_inch) or None,
        sys_inputs=inputs,
        timestamp=_DATE,
    )
    return made if isinstance(made, list) else [made or b""]


def render_large_png(content: Content, width: int = 0) -> bytes:
    """Return the content as a PNG, `width` pixels wide, with a relief without visible squares.

    By default, the longer side has `MAX_WIDTH` pixels.
    """
    width = width or round(MAX_WIDTH * min(1.0, measure_shape(content.chart)))
    svg = draw_content(content)
    fine = refine_relief(svg, _measure_view(content), width / DOTS_PER_INCH * MM_PER_INCH)
    if fine != svg:
        # As fine as the picture, it needs no smoothing, which takes as long as all the rest.
        fine = fine.replace("<image ", '<image image-rendering="optimizeSpeed" ', 1)
    return render_png(fine, width)


@cache
def print_version() -> str:
    """Return a hash of the files that make printed sheets, by which old ones are recognized."""
    digest = sha256(renderer_version().encode())
    sources = files("diplomaccloud.atlas.printing").iterdir()
    for source in sorted(sources, key=lambda entry: entry.name):
        if source.name.endswith((".py", ".typ")):
            digest.update(source.read_bytes())
    return digest.hexdigest()


def _draw_map(content: Content, width: float) -> str:
    """Return the map as SVG for paper on which it is `width` millimeters wide; empty for 0."""
    if not width:
        return ""
    return refine_relief(draw_content(content), _measure_view(content), width)


def _measure_view(content: Content) -> float:
    """Return the width of the drawing with its frame, in map units."""
    return content.chart.size[0] + 2 * frame_margin(content.chart)


def draw_content(content: Content) -> str:
    """Return the content as a standalone SVG."""
    decided = content.resolution
    return render_map(
        content.chart,
        content.position,
        STYLES[content.style],
        results=decided.results if decided else (),
        dislodged=decided.dislodged if decided else (),
        standoffs=decided.standoffs if decided else (),
        decoration=content.decoration,
    )


@cache
def _find_fonts() -> "typst.Fonts":
    """Return the letters of the maps alone, so that every computer makes the same file."""
    import typst  # noqa: PLC0415 other pictures need no package

    packages = files("diplomaccloud.atlas"), files("diplomaccloud.judge.drawing")
    whole, reduced = (package / "fonts" for package in packages)
    with as_file(whole) as serif, as_file(reduced) as sans:
        return typst.Fonts(
            include_system_fonts=False,
            include_embedded_fonts=False,
            font_paths=[str(serif), str(sans)],
        )
