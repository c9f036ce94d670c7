"""A file store in a folder that several machines have mounted."""

import os
import threading
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage

from diplomaccloud.shared.durable_files import write_durably


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that readers never see an incomplete one, even after a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Processes on two machines may have the same id.
    draft = f"{path.name}.{os.uname().nodename}-{os.getpid()}-{threading.get_ident()}"
    temporary = path.with_name(draft)
    write_durably(temporary, content)
    temporary.replace(path)


class FolderStorage(FileSystemStorage):
    """Django's file storage, except that a new file atomically replaces an older one."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:  # noqa: ARG002
        """Return the name unchanged."""
        return name

    def _save(self, name: str, content: Any) -> str:
        write_atomically(Path(self.path(name)), content.read())
        return name
