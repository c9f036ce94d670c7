"""Files that survive a power cut whole.

A file system may write a new name to the disk before the content behind it. So a file that is
renamed into place must be on the disk first; otherwise a power cut can leave an empty file.
"""

import os
from collections.abc import Iterable
from pathlib import Path


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
