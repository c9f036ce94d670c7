"""The version of the renderer, by which outdated pictures are recognized."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

_DIGITS = 12


@cache
def renderer_version() -> str:
    """Return twelve hexadecimal digits of a hash of the renderer's source files.

    Computed from the files, because a number raised by hand would be forgotten.
    """
    digest = sha256()
    folder = files("diplomaccloud.atlas.render")
    sources = [entry for entry in folder.iterdir() if entry.name.endswith(".py")]
    for source in sorted(sources, key=lambda entry: entry.name):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    digest.update((files("diplomaccloud.atlas") / "palette.py").read_bytes())
    return digest.hexdigest()[:_DIGITS]
