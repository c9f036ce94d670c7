"""Files that one machine creates and all machines serve, in the site's file store if it has one.

Drawn files (`load_file`, `store_file`, `remove_stored_files`) are copies: callers keep one on their
own disk, so each machine reads a file from the store only once. While the store is down, a machine
creates the file itself.

Kept files (`keep_file`, `open_kept_file`, `remove_kept_file`) are in one place only: the store or,
without one, the data directory, which all machines must then share.

A file system may write a new name to the disk before the content behind it. So a file that is
renamed into place must be on the disk first; otherwise a power cut can leave an empty file.
"""

import glob
import os
import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, storages

from diplomaccloud.shared.outages import Away, Outage

outage: Final = Outage("file store")
"""Whether the store is down."""


def load_file(name: str) -> bytes | None:
    """Return a file from the store, or None if it is missing or there is no working store.

    `name` is a path below the store's folder.
    """
    if not settings.HAS_FILE_STORE:
        return None
    with suppress(Away), _watch_store():
        return _read(name)
    return None


def store_file(name: str, content: bytes) -> None:
    """Write a file to the store, unless the store is down or there is none."""
    if settings.HAS_FILE_STORE:
        with suppress(Away), _watch_store():
            storages["default"].save(name, ContentFile(content))


def remove_stored_files(folder: str) -> None:
    """Delete the files in a folder of the store, unless the store is down or there is none."""
    if settings.HAS_FILE_STORE:
        with suppress(Away), _watch_store():
            for name in _list_files(folder):
                storages["default"].delete(f"{folder}/{name}")
            # In a mounted folder, the empty one is left.
            storages["default"].delete(folder)


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


def _list_files(folder: str) -> list[str]:
    try:
        names: list[str] = storages["default"].listdir(folder)[1]
    except FileNotFoundError:
        return []
    return names


def _read(name: str) -> bytes | None:
    try:
        with storages["default"].open(name) as file:
            content: bytes = file.read()
    except FileNotFoundError:
        return None
    return content


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that readers never see an incomplete one, even after a power cut."""
    _write_atomically(path, [content])


class FolderStorage(FileSystemStorage):
    """Django's file storage, except that a new file atomically replaces an older one."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:  # noqa: ARG002
        """Return the name unchanged."""
        return name

    def delete(self, name: str) -> None:
        """Delete the file, and drafts of it that killed processes have left."""
        super().delete(name)
        path = Path(self.path(name))
        for draft in path.parent.glob(f"{glob.escape(path.name)}.*"):
            draft.unlink(missing_ok=True)

    def _save(self, name: str, content: Any) -> str:
        _write_atomically(Path(self.path(name)), content.chunks())
        return name


def _write_atomically(path: Path, chunks: Iterable[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Processes on two machines may have the same id.
    draft = f"{path.name}.{os.uname().nodename}-{os.getpid()}-{threading.get_ident()}"
    temporary = path.with_name(draft)
    write_chunks_durably(temporary, chunks)
    temporary.replace(path)


def write_durably(path: Path, content: bytes) -> None:
    """Write a file, and return once its content is on the disk."""
    write_chunks_durably(path, [content])


def write_chunks_durably(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file chunk by chunk, and return once its content is on the disk."""
    with path.open("wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Return once the names of the files in `folder` are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
