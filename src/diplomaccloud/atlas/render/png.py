"""SVG to PNG with the bundled font alone, so that every machine draws the same picture."""

from functools import cache
from importlib.resources import as_file, files

import resvg_py

from diplomaccloud.atlas.render.scene import FONT

_FONTS = ("texgyrepagella-regular.otf", "texgyrepagella-italic.otf")


class PictureError(ValueError):
    """An SVG that cannot be drawn; the message says why."""


def render_png(svg: str, width: int) -> bytes:
    """Return `svg`, a standalone drawing, as PNG bytes `width` pixels wide.

    Raises `PictureError` for text that is no SVG or a width below one.
    """
    if width < 1:
        raise PictureError(f"a picture {width} pixels wide cannot be drawn")
    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(_font_files()),
            font_family=FONT,
            serif_family=FONT,
        )
    except ValueError as error:
        raise PictureError(f"not an SVG that can be drawn: {error}") from error


@cache
def _font_files() -> tuple[str, ...]:
    folder = files("diplomaccloud.atlas.render") / "fonts"
    found = []
    for name in _FONTS:
        with as_file(folder / name) as path:
            found.append(str(path))
    return tuple(found)
