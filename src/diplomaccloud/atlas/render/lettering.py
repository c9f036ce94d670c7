"""The letters that a map on its own carries, to look the same where no font is installed."""

from base64 import b64encode
from functools import cache
from importlib.resources import files

LETTERS = "Map Letters"
"""What the drawing calls the letters it carries."""


@cache
def font_faces() -> str:
    """Return a `style` element with both faces, about 40 KB when compressed.

    Only for a drawing that stands alone: a page with a strict policy would refuse it.
    """
    return f"<style>{_face('regular', 'normal')}{_face('italic', 'italic')}</style>"


def _face(name: str, style: str) -> str:
    font = files("diplomaccloud.atlas.render") / "fonts" / f"map-letters-{name}.woff2"
    data = b64encode(font.read_bytes()).decode()
    return (
        f'@font-face{{font-family:"{LETTERS}";font-style:{style};'
        f"src:url(data:font/woff2;base64,{data})}}"
    )
