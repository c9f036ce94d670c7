"""The files of a map's pictures: on this machine, and in the file store if the site has one."""

import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings

from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.shared.files import (
    load_file,
    remove_stored_files,
    store_file,
    write_atomically,
)

PLAIN_FILE: Final = "plain.json"
"""The chart that is drawn in place of a heavy one."""
LOST_FILE: Final = "lost.txt"
"""Why a heavy map could not be drawn exactly; empty if it is."""
_LOOKED: Final = "looked"
_LOOK_EVERY: Final = 3600
"""How often a machine looks for pictures of deleted maps, in seconds."""


def load_picture_file(content_hash: str, name: str) -> bytes | None:
    """Return a picture drawn by this machine or another one; None if there is none."""
    path = picture_path(content_hash, name)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        content = load_file(name_picture_file(content_hash, name))
    if content is not None:
        _write(path, content)
    return content


def store_picture_file(content_hash: str, name: str, content: bytes) -> None:
    """Write a picture, also for the other machines of the site."""
    _write(picture_path(content_hash, name), content)
    # A map that was deleted may still be in memory; its pictures would stay in the store.
    rows = StoredChart.objects.filter(content_hash=content_hash)
    if settings.HAS_FILE_STORE and rows.exists():
        store_file(name_picture_file(content_hash, name), content)


def _write(path: Path, content: bytes) -> None:
    write_atomically(path, content)
    renderer = path.parent.parent
    # The file's time says when a process of this machine last looked.
    looked = renderer / _LOOKED
    with suppress(FileNotFoundError):
        if time.time() - looked.stat().st_mtime < _LOOK_EVERY:
            return
    looked.touch()
    drawn = {folder.name for folder in renderer.iterdir() if folder.is_dir()}
    for key in drawn.difference(StoredChart.objects.values_list("content_hash", flat=True)):
        shutil.rmtree(renderer / key, ignore_errors=True)


def delete_pictures(content_hash: str) -> None:
    """Delete the pictures of a deleted map from this machine and from the file store.

    Another machine deletes its copies when it draws, at most once an hour.
    """
    shutil.rmtree(picture_path(content_hash), ignore_errors=True)
    remove_stored_files(name_picture_file(content_hash))


def name_picture_file(content_hash: str, *name: str) -> str:
    """Return the name of a picture in the file store, or of the folder of a map's pictures."""
    return "/".join(("maps", renderer_version(), content_hash, *name))


def picture_path(content_hash: str, *name: str) -> Path:
    """Return the path of a picture, or of the folder of a map's pictures.

    Each version of the renderer has its own folder.
    """
    folder: Path = settings.DATA_DIR
    return folder / name_picture_file(content_hash, *name)
