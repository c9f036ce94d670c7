"""Which renderer this is, so that a picture drawn by another one is known to be old."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

_DIGITS = 12


@cache
def renderer_version() -> str:
    """Return twelve hexadecimal digits of the renderer's own source.

    Taken from the files, since a number to be raised by hand would be forgotten.
    """
    found = sha256()
    sources = [one for one in files("diplomaccloud.atlas.render").iterdir() if _is_source(one.name)]
    for source in sorted(sources, key=lambda one: one.name):
        found.update(source.name.encode() + b"\0" + source.read_bytes())
    found.update((files("diplomaccloud.atlas") / "palette.py").read_bytes())
    return found.hexdigest()[:_DIGITS]


def _is_source(name: str) -> bool:
    return name.endswith(".py")
