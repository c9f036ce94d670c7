"""Log files that several processes write and rotate together without losing lines.

Each line is appended in one write under a shared lock; a process that finds the file full takes an
exclusive lock and renames it. So processes never write to a file while it is rotated. If another
program such as logrotate has moved the file, it is opened again.
"""

import fcntl
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

OLD_FILES: Final = 20
"""How many old files are kept; together with the current one, they fill the space for a log."""
_COMPLAINT_SECONDS: Final = 60.0


class SharedFileHandler(logging.Handler):
    """Appends lines to a file, which is opened for the first line.

    When the file reaches `most_bytes`, it is renamed to `<name>.1`, older files move up by one
    number, and the last one is deleted. With 0, the file is never rotated.
    """

    def __init__(self, path: Path, most_bytes: int = 0) -> None:
        super().__init__()
        self._path, self._most_bytes = path, most_bytes
        self._file: int | None = None
        self._lock_file: int | None = None
        self._complained_at = -_COMPLAINT_SECONDS

    def emit(self, record: logging.LogRecord) -> None:
        """Append the record, or report a failure on standard error, once a minute at most."""
        try:
            line = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
        except Exception:  # as in the standard library, a bad record must not stop the caller
            return self.handleError(record)
        try:
            if self._most_bytes and self._append(line) > self._most_bytes:
                self._rotate()
            elif not self._most_bytes:
                self._append(line)
        except OSError as error:
            self._complain(error)
        return None

    def _append(self, line: bytes) -> int:
        """Write a line, and return the new length of the file in bytes."""
        with self._locked(fcntl.LOCK_SH):
            file = self._open_newest()
            while line:
                line = line[os.write(file, line) :]
            return os.fstat(file).st_size

    def _rotate(self) -> None:
        with self._locked(fcntl.LOCK_EX):
            if os.fstat(self._open_newest()).st_size <= self._most_bytes:
                return  # another process was faster
            for number in range(OLD_FILES - 1, 0, -1):
                if (older := self._old(number)).exists():
                    older.replace(self._old(number + 1))
            self._path.replace(self._old(1))

    def _old(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")

    def _open_newest(self) -> int:
        """Return the file that currently has the name."""
        if self._file is not None:
            try:
                if os.path.samestat(self._path.stat(), os.fstat(self._file)):
                    return self._file
            except FileNotFoundError:
                pass
            os.close(self._file)
            self._file = None
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        return self._file

    @contextmanager
    def _locked(self, kind: int) -> Iterator[None]:
        if self._lock_file is None:
            path = self._path.with_name(f".{self._path.name}.lock")
            self._lock_file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.lockf(self._lock_file, kind)  # belongs to this process, even after a fork
        try:
            yield
        finally:
            fcntl.lockf(self._lock_file, fcntl.LOCK_UN)

    def _complain(self, error: OSError) -> None:
        now = time.monotonic()
        if now - self._complained_at >= _COMPLAINT_SECONDS:
            self._complained_at = now
            sys.stderr.write(f"Cannot write to the log file {self._path}: {error.strerror}.\n")

    def close(self) -> None:
        """Close the files; the next line opens them again."""
        self.acquire()
        try:
            for file in (self._file, self._lock_file):
                if file is not None:
                    os.close(file)
            self._file = self._lock_file = None
        finally:
            self.release()
        super().close()
