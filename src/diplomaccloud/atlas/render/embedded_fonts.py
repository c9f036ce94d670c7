"""The embedded fonts of a standalone map, so that it looks the same on every computer."""

from base64 import b64encode
from functools import cache
from importlib.resources import files

LETTERS = "Map Letters"
"""The name of the embedded fonts."""


@cache
def font_faces() -> str:
    """Return a `style` element with both font faces, about 40 KB compressed.

    Only for standalone drawings: a page with a strict content security policy blocks it.
    """
    return f"<style>{_build_face('regular', 'normal')}{_build_face('italic', 'italic')}</style>"


def _build_face(name: str, style: str) -> str:
    font = files("diplomaccloud.atlas.render") / "fonts" / f"map-letters-{name}.woff2"
    data = b64encode(font.read_bytes()).decode()
    return (
        f'@font-face{{font-family:"{LETTERS}";font-style:{style};'
        f"src:url(data:font/woff2;base64,{data})}}"
    )
