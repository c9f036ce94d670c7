"""Convert SVG to PNG with the whole fonts, because names of maps are not only Latin."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from diplomaccloud.judge.drawing import png
from diplomaccloud.judge.drawing.png import find_fonts
from diplomaccloud.judge.drawing.scene import FONT

_DIGITS = 12

_UNUSED = {"diagram.py", "picture.py"}
"""Modules that draw nothing on the site: boards without a map, and pictures for programs."""


def render_png(svg: str, width: int) -> bytes:
    """Return the standalone drawing `svg` as a PNG, `width` pixels wide.

    Raises `PictureError` for text that is not SVG, or a width below 1.
    """
    return png.render_png(svg, width, FONT, find_fonts("diplomaccloud.atlas", "texgyrepagella"))


@cache
def renderer_version() -> str:
    """Return twelve hexadecimal digits of a hash of the source files that draw the site's maps.

    Outdated pictures are recognized by it. It is computed from the files, because a number
    raised by hand would be forgotten.
    """
    digest = sha256()
    sources = files("diplomaccloud.judge.drawing").iterdir()
    for source in sorted(sources, key=lambda entry: entry.name):
        if source.name.endswith(".py") and source.name not in _UNUSED:
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:_DIGITS]
