"""Copies SQLite's write-ahead log to the database file while nobody writes.

SQLite before 3.51.3 can damage a database if one process writes at the very moment when another
copies the log to the file: https://sqlite.org/wal.html calls it the WAL-reset bug. By default,
every process copies after some of its commits. The site turns this off (`project.databases`);
instead the worker copies the log, and holds the write lock while it does. A process that closes
the last connection to the database also copies it, but then nobody else can write.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import structlog
from django.db import connection

MAX_BYTES: Final = 4 * 2**20
"""The log is copied when it is longer than this, SQLite's own default.

SQLite shortens it to as much when it starts the log again, since connections have the same
`journal_size_limit`.
"""
WAIT_SECONDS: Final = 20.0
"""How long to wait for writers before copying."""
_log = structlog.get_logger(__name__)


def checkpoint_database() -> bool:
    """Copy the log of the site's SQLite database if it is long; return whether it was copied.

    Database servers do this on their own.
    """
    if connection.vendor != "sqlite":
        return False
    try:
        return checkpoint_file(Path(connection.settings_dict["NAME"]))
    except sqlite3.Error:  # a full disk, for example; other work must go on
        _log.exception("log not copied")
        return False


def checkpoint_file(path: Path, *, longest: int = MAX_BYTES, wait: float = WAIT_SECONDS) -> bool:
    """Copy the log of the SQLite file `path` if it exceeds `longest`; return whether it was copied.

    If other processes keep writing for more than `wait` seconds, nothing is copied until the next
    call.
    """
    try:
        if path.with_name(f"{path.name}-wal").stat().st_size <= longest:
            return False
    except FileNotFoundError:
        return False
    with (
        closing(sqlite3.connect(path, timeout=wait, isolation_level=None)) as writer,
        closing(sqlite3.connect(path, timeout=wait, isolation_level=None)) as copier,
    ):
        try:
            writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        # Passive mode does not wait for readers: pages that are still in use are copied next time.
        busy, *_ = copier.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        writer.execute("ROLLBACK")
    return not busy
