"""Small pictures of positions for cards and previews of links.

A worker draws them, and requests only read them. A picture is a file named by a hash of the map,
the position, the renderer and the color scheme. So it never changes, browsers keep it forever, and
only who knows the position can know the name.
"""

import datetime as dt
import hashlib
import io
import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.files.storage import storages

from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.judge.codec import position_to_json
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.overlay import render_card
from diplomaccloud.judge.position import Position
from diplomaccloud.maps.pictures import THEMES, compress_card
from diplomaccloud.maps.thumbnails import CARD_WIDTH
from diplomaccloud.shared.files import keep_file, open_kept_file, remove_kept_file, write_atomically

_FORMAT: Final = 4
"""Increased when the same drawing is stored differently."""
_FOLDER: Final = "cards"


def hash_position(map_hash: str, position: Position, colors: Mapping[str, str]) -> str:
    """Return a hash of what a picture shows; `colors` are those that players chose, by power."""
    shown = [map_hash, position_to_json(position), dict(colors)]
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


@cache
def card_version() -> str:
    """Return the version of the pictures that this release draws."""
    return f"{renderer_version()}-{_FORMAT}"


def name_picture(position_hash: str, version: str, theme: str) -> str:
    """Return the name of a picture of a position in the color scheme `light` or `dark`."""
    return hashlib.sha256(f"{position_hash} {version} {theme}".encode()).hexdigest()


def draw_card_pictures(
    position_hash: str, chart: Chart, position: Position, colors: Mapping[str, str]
) -> None:
    """Draw and store the pictures of a position in all color schemes, except those that exist.

    `colors` replace those of the map. Raises `Away` or `OSError` if a picture cannot be stored.
    """
    for theme, style in THEMES.items():
        name = name_picture(position_hash, card_version(), theme)
        if load_card_picture(name) is None:
            svg = render_card(chart, position, style, colors=colors, width=CARD_WIDTH)
            keep_file(_name_file(name), io.BytesIO(compress_card(svg)))


def load_card_picture(name: str) -> bytes | None:
    """Return a picture, or None if it does not exist. Raises `Away` if the file store is down."""
    path = _path(name)
    with suppress(FileNotFoundError):
        return path.read_bytes()
    if not settings.HAS_FILE_STORE or (file := open_kept_file(_name_file(name))) is None:
        return None
    with file:
        content: bytes = file.read()
    # A copy, so that this machine asks the store only once.
    write_atomically(path, content)
    return content


def list_card_pictures() -> set[str]:
    """Return the names of all stored pictures, without those that only other machines have."""
    try:
        _, files = storages["default"].listdir(_FOLDER)
    except FileNotFoundError:
        return set()
    return {name.removesuffix(".webp") for name in files if name.endswith(".webp")}


def delete_card_pictures(kept: Collection[str], *, before: dt.datetime) -> int:
    """Delete the pictures stored before a time, except those in `kept`; return how many.

    Copies of them on this machine are deleted too. Raises the errors of the file store, or
    `OSError` if a file cannot be deleted.
    """
    count = 0
    for name in list_card_pictures().difference(kept):
        if storages["default"].get_modified_time(_name_file(name)) < before:
            remove_kept_file(_name_file(name))
            count += 1
    if settings.HAS_FILE_STORE:
        for copy in _path("").parent.glob("*.webp"):
            if copy.stem not in kept and copy.stat().st_mtime < before.timestamp():
                copy.unlink(missing_ok=True)
    return count


def _name_file(name: str) -> str:
    return f"{_FOLDER}/{name}.webp"


def _path(name: str) -> Path:
    folder: Path = settings.DATA_DIR
    return folder / _name_file(name)
