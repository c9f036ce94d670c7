"""Logging: structlog and the standard library share a formatter for the console and files.

Services log to standard output. Only the processes of `play` write files, too.

Each request is logged in one line (`pages.middleware.RequestLog`), so Django's own warnings about
rejected requests are turned off. Exceptions are logged with their tracebacks.
"""

import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

import structlog
from structlog.typing import EventDict

_SHARED: tuple[structlog.types.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
_KEY = re.compile(r"(/password/reset/key/)[^/\s'\"]+")
"""The part of a URL that lets anyone who reads it set a user's password."""
MOST_BYTES = 200_000_000
"""The space for the log files of a role."""
OLD_FILES: Final = 20
"""How many old files are kept; together with the current one, they fill the space for a log."""
_COMPLAINT_SECONDS: Final = 60.0
COMMAND: Final = "command"
"""The role of a process that is not a service."""


def find_role() -> str:
    """Return the role of this process: `web`, `worker`, `mapmaker` or `COMMAND`."""
    words = iter(sys.argv[1:])
    for word in words if next(words, "") == "manage" else ():
        if word == "--data":
            next(words, None)
        elif word in ("worker", "mapmaker"):
            return word
        elif not word.startswith("--data="):
            break  # what follows the command may be the name of a person
    if "diplomaccloud.worker.celery_app" in sys.modules:
        return "worker"
    return "web" if "diplomaccloud.project.wsgi" in sys.modules else COMMAND


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

    The console of a service is standard output; a command logs to standard error, apart from its
    results. It gets text or JSON, as `console` says. Without a directory there are no files.
    `most_bytes` is the space for all files of a role; with 0, another program must remove old
    files.
    """
    stream = "ext://sys.stderr" if role == COMMAND else "ext://sys.stdout"
    handlers: dict[str, Any] = {
        "console": {"class": "logging.StreamHandler", "formatter": console, "stream": stream},
    }
    if directory and role != COMMAND:
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

    Several processes can share the file. When it is full, it becomes `<name>.1`, and older files
    move up by one number. All take at most `most_bytes`, or any amount of space if that is 0. If
    the directory is not writable, the log goes only to the console.
    """
    if not _is_writable(path.parent):
        return logging.NullHandler()
    with _without("redis"):
        from concurrent_log_handler import ConcurrentRotatingFileHandler  # noqa: PLC0415

    class FileHandler(ConcurrentRotatingFileHandler):
        """Reports a failure, such as a full disk, once a minute at most."""

        complained_at = -_COMPLAINT_SECONDS

        def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 the library's name
            """Write a line in place of a traceback for each record."""
            error, now = sys.exc_info()[1], time.monotonic()
            if not isinstance(error, OSError):
                super().handleError(record)
            elif now - self.complained_at >= _COMPLAINT_SECONDS:
                self.complained_at = now
                sys.stderr.write(f"Cannot write to the log file {path}: {error.strerror}.\n")

    return FileHandler(
        path,
        maxBytes=most_bytes // (OLD_FILES + 1),
        backupCount=OLD_FILES,
        encoding="utf-8",
        unicode_error_policy="replace",
    )


@contextmanager
def _without(library: str) -> Iterator[None]:
    """Keep an optional library from being imported: that of Redis takes 24 MB, for a lock."""
    if library in sys.modules:
        yield
        return
    sys.modules[library] = cast("ModuleType", None)
    try:
        yield
    finally:
        del sys.modules[library]


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
