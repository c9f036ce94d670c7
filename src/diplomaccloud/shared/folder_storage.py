"""A file store in a folder that several machines have mounted."""

import glob
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage

from diplomaccloud.shared.durable_files import write_chunks_durably


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
