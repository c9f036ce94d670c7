"""Logging: structlog and the standard library share a formatter for the console and files.

Each request is logged in one line (`pages.middleware.RequestLog`), so Django's own warnings about
rejected requests are turned off. Exceptions are logged with their tracebacks.
"""

import fcntl
import logging
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import structlog
from django.core.exceptions import ImproperlyConfigured
from structlog.typing import EventDict

_SHARED: tuple[structlog.types.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
_KEY = re.compile(r"(/password/reset/key/)[^/\s'\"]+")
"""The part of a URL that lets anyone who reads it set a user's password."""
_FORMATS = ("text", "json")
MOST_BYTES = 200_000_000
"""The space for the log files of a role."""


def configure_structlog() -> None:
    """Route structlog's loggers through the standard library's handlers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            hide_reset_keys,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def logging_settings(
    directory: Path | None,
    *,
    role: str,
    level: str,
    console: str = "text",
    most_bytes: int = MOST_BYTES,
) -> dict[str, Any]:
    """Return Django's `LOGGING`: lines on the console, and JSON lines in `directory/<role>.log`.

    The console gets text on standard error, or JSON on standard output. Without a directory there
    are no files. `most_bytes` is the space for all files of a role; with 0, another program must
    remove old files. Raises `ImproperlyConfigured` for an unknown console format.
    """
    if console not in _FORMATS:
        known = " or ".join(_FORMATS)
        raise ImproperlyConfigured(f"DIPLOMACCLOUD_LOG_CONSOLE must be {known}, not {console!r}.")
    stream = "ext://sys.stdout" if console == "json" else "ext://sys.stderr"
    handlers: dict[str, Any] = {
        "console": {"class": "logging.StreamHandler", "formatter": console, "stream": stream},
    }
    if directory:
        handlers["file"] = {
            "()": make_file_handler,
            "path": directory / f"{role}.log",
            "most_bytes": most_bytes,
            "formatter": "json",
        }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            # Plain tracebacks, because rich ones print local variables, which may be secret.
            "text": _build_formatter(
                structlog.dev.ConsoleRenderer(
                    colors=False, exception_formatter=structlog.dev.plain_traceback
                )
            ),
            "json": _build_formatter(
                structlog.processors.format_exc_info, structlog.processors.JSONRenderer()
            ),
        },
        "handlers": handlers,
        "root": {"handlers": list(handlers), "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "CRITICAL"},
            # By default they write several lines for each task that succeeds.
            "django_tasks": {"level": "WARNING"},
            "django_tasks_db": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
        },
    }


def hide_reset_keys(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Return the log line, ours or Django's, without reset keys in URLs."""
    for name in ("event", "path", "request"):
        if _KEY.search(text := str(line.get(name, ""))):
            line[name] = _KEY.sub(r"\1…", text)
    return line


def make_file_handler(path: Path, most_bytes: int = MOST_BYTES) -> logging.Handler:
    """Return the handler for a log file at `path`, and create its directory.

    The file and its rotated files take at most `most_bytes`, or any amount of space if that is 0.
    If the directory is not writable, the log goes only to the console.
    """
    if not _is_writable(path.parent):
        return logging.NullHandler()
    return SharedFileHandler(path, most_bytes // (OLD_FILES + 1))


def _is_writable(directory: Path) -> bool:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / ".probe"
        probe.touch()
        probe.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _build_formatter(*last: structlog.types.Processor) -> dict[str, Any]:
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [*_SHARED, structlog.stdlib.ExtraAdder(), hide_reset_keys],
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    }


# Log files that several processes write and rotate together without losing lines.
#
# Each line is appended in one write under a shared lock; a process that finds the file full takes
# an exclusive lock and renames it. So processes never write to a file while it is rotated. If
# another program such as logrotate has moved the file, it is opened again.


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
