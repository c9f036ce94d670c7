"""Files that one machine creates and all machines serve, in the site's file store if it has one.

Drawn files (`load_file`, `store_file`) are copies: callers keep one on their own disk, so each
machine reads a file from the store only once. While the store is down, a machine creates the file
itself.

Kept files (`keep_file`, `open_kept_file`, `remove_kept_file`) are in one place only: the store or,
without one, the data directory, which all machines must then share.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import IO, Any, Final

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import storages

from diplomaccloud.shared.outages import Away, Outage

outage: Final = Outage("file store")
"""Whether the store is down."""


def load_file(name: str) -> bytes | None:
    """Return a file from the store, or None if it is missing or there is no working store.

    `name` is a path below the store's folder.
    """
    if not settings.HAS_FILE_STORE:
        return None
    try:
        with _watch_store():
            return _read(name)
    except Away:
        return None


def store_file(name: str, content: bytes) -> None:
    """Write a file to the store, unless the store is down or there is none."""
    if not settings.HAS_FILE_STORE:
        return
    try:
        with _watch_store():
            storages["default"].save(name, ContentFile(content))
    except Away:
        return


def keep_file(name: str, content: IO[bytes]) -> None:
    """Write a whole file that replaces an older one of this name.

    Raises `Away` if the store is down, or `OSError` if the data directory cannot be written.
    """
    content.seek(0)
    with _watch_store():
        storages["default"].save(name, File(content))


def open_kept_file(name: str) -> "File[Any] | None":
    """Return the file, open for reading, or None if it is missing.

    Raises `Away` if the store is down, or `OSError` if the data directory cannot be read.
    """
    with _watch_store():
        try:
            file = storages["default"].open(name)
        except FileNotFoundError:
            return None
        # A file of S3 is fetched when it is first used.
        file.seek(0)
        return file


def remove_kept_file(name: str) -> None:
    """Delete the file if it exists.

    Raises `Away` if the store is down, or `OSError` if the data directory cannot be written.
    """
    with _watch_store():
        storages["default"].delete(name)


def _watch_store() -> AbstractContextManager[None]:
    """Raise `Away` for any error of the store's library; without a store, change no error."""
    return outage.watched(Exception) if settings.HAS_FILE_STORE else nullcontext()


def _read(name: str) -> bytes | None:
    try:
        with storages["default"].open(name) as file:
            content: bytes = file.read()
    except FileNotFoundError:
        return None
    return content
