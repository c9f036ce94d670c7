"""Convert SVG to PNG with the bundled letters only, so that every computer draws the same picture.

Needs the package `resvg-py`, which the extra `png` has.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from typing import Final

from diplomaccloud.judge.version import tell_install

_PACKAGE: Final = "diplomaccloud.judge.drawing"


class PictureError(ValueError):
    """The SVG cannot be drawn; the message says why."""


def render_png(
    svg: str, width: int, font: str = "Diplomaccloud Map Letters", fonts: Sequence[str] = ()
) -> bytes:
    """Return the standalone drawing `svg` as a PNG, `width` pixels wide.

    Text with serifs is in `font`, of which `fonts` are the files. The bundled fonts, with serifs
    and without, have Latin letters.
    Raises `PictureError` for text that is not SVG, or a width below 1, and `ModuleNotFoundError`
    without the package.
    """
    try:
        import resvg_py  # noqa: PLC0415 SVG needs no package
    except ModuleNotFoundError as error:
        need = f"a PNG needs the package 'resvg_py'; in a checkout: {tell_install('png')}"
        raise ModuleNotFoundError(need, name="resvg_py") from error
    if width < 1:
        raise PictureError(f"cannot draw a picture {width} pixels wide")
    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=[*(fonts or find_fonts(_PACKAGE, "map-letters")), *find_sans_fonts()],
            font_family=font,
            serif_family=font,
        )
    except ValueError as error:
        raise PictureError(f"cannot draw this SVG: {error}") from error


def find_sans_fonts() -> tuple[str, ...]:
    """Return the paths of the bundled fonts without serifs."""
    return find_fonts(_PACKAGE, "map-sans")


@cache
def find_fonts(package: str, name: str) -> tuple[str, ...]:
    """Return the paths of the regular and the italic font `name` in the folder of a package."""
    paths = []
    for style in ("regular", "italic"):
        with as_file(files(package) / "fonts" / f"{name}-{style}.otf") as path:
            paths.append(str(path))
    return tuple(paths)
