"""What a power cut would leave: the files and folders whose content is on the disk."""

import os
import stat


class Disk:
    """Records the sizes of files and the names in folders when they are flushed to the disk."""

    def __init__(self):
        self._sizes, self._names = {}, {}

    def flush(self, descriptor):
        """Record what a descriptor leads to, as `os.fsync` does."""
        found = os.fstat(descriptor)
        self._sizes[found.st_ino] = found.st_size
        if stat.S_ISDIR(found.st_mode):
            self._names[found.st_ino] = set(os.listdir(descriptor))  # noqa: PTH208 not a path

    def has_content(self, path):
        """Return whether the whole content of a file is on the disk."""
        found = path.stat()
        return self._sizes.get(found.st_ino) == found.st_size

    def has_name(self, path):
        """Return whether the name of a file is on the disk."""
        return path.name in self._names.get(path.parent.stat().st_ino, ())
