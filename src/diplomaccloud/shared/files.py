"""Files that one machine creates and all machines serve, in the site's file store if it has one.

Callers keep a copy on their own disk, so each machine reads a file from the store only once. While
the store is down, a machine creates the file itself.
"""

from typing import Final

from django.conf import settings
from django.core.files.base import ContentFile
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
        # The store is optional, so catch any error of the library.
        with outage.watched(Exception):
            return _read(name)
    except Away:
        return None


def store_file(name: str, content: bytes) -> None:
    """Write a file to the store, unless the store is down or there is none."""
    if not settings.HAS_FILE_STORE:
        return
    try:
        with outage.watched(Exception):
            storages["default"].save(name, ContentFile(content))
    except Away:
        return


def _read(name: str) -> bytes | None:
    try:
        with storages["default"].open(name) as file:
            content: bytes = file.read()
    except FileNotFoundError:
        return None
    return content
