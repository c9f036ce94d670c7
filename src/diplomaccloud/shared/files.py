"""Files that one machine makes and all serve: in the store of the site, where it has one.

Callers keep what they find here on their own disk. So each machine asks the store once for a file,
and pages go on while it is away: then a machine makes the file itself.
"""

from typing import Final

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from diplomaccloud.shared.outages import Away, Outage

outage: Final = Outage("file store")
"""Whether the store is away."""


def load_file(name: str) -> bytes | None:
    """Return a file of the store; None if it is not there, or the store is away or there is none.

    The name is a path below the store's folder.
    """
    if not settings.HAS_FILE_STORE:
        return None
    try:
        # Whatever it is that the library raises: the store is not needed.
        with outage.watched(Exception):
            return _read(name)
    except Away:
        return None


def store_file(name: str, content: bytes) -> None:
    """Write a file to the store, unless that is away or there is none."""
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
