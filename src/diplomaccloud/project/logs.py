"""Logging: structlog and the standard library share a formatter for the console and files.

Each request is logged in one line (`pages.middleware.RequestLog`), so Django's own warnings about
rejected requests are turned off. Exceptions are logged with their tracebacks.
"""

import logging
import re
from pathlib import Path
from typing import Any

import structlog
from django.core.exceptions import ImproperlyConfigured
from structlog.typing import EventDict

from diplomaccloud.project.log_files import OLD_FILES, SharedFileHandler

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
