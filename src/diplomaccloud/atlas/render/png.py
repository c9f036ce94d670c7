"""Convert SVG to PNG with the bundled fonts only, so that every computer draws the same picture.

Needs the package `resvg-py`, which the extra `site` has.
"""

from functools import cache
from importlib.resources import as_file, files

from diplomaccloud.atlas.render.scene import FONT

_FONTS = ("texgyrepagella-regular.otf", "texgyrepagella-italic.otf")


class PictureError(ValueError):
    """The SVG cannot be drawn; the message says why."""


def render_png(svg: str, width: int) -> bytes:
    """Return the standalone drawing `svg` as a PNG, `width` pixels wide.

    Raises `PictureError` for text that is not SVG, or a width below 1.
    """
    import resvg_py  # noqa: PLC0415 SVG needs no package

    if width < 1:
        raise PictureError(f"cannot draw a picture {width} pixels wide")
    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(_find_font_files()),
            font_family=FONT,
            serif_family=FONT,
        )
    except ValueError as error:
        raise PictureError(f"cannot draw this SVG: {error}") from error


@cache
def _find_font_files() -> tuple[str, ...]:
    folder = files("diplomaccloud.atlas.render") / "fonts"
    paths = []
    for name in _FONTS:
        with as_file(folder / name) as path:
            paths.append(str(path))
    return tuple(paths)
