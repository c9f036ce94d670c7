"""Convert SVG to PNG with the bundled fonts only, so that every computer draws the same picture.

Needs the package `resvg-py`, which the extra `site` has.
"""

from functools import cache
from hashlib import sha256
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


_DIGITS = 12


@cache
def renderer_version() -> str:
    """Return twelve hexadecimal digits of a hash of the renderer's source files.

    Outdated pictures are recognized by it. It is computed from the files, because a number
    raised by hand would be forgotten.
    """
    digest = sha256()
    folder = files("diplomaccloud.atlas.render")
    sources = [entry for entry in folder.iterdir() if entry.name.endswith(".py")]
    for source in sorted(sources, key=lambda entry: entry.name):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    digest.update((files("diplomaccloud.atlas") / "palette.py").read_bytes())
    return digest.hexdigest()[:_DIGITS]
