"""Moves what SQLite has written ahead into the file of the database, while nobody writes.

SQLite before 3.51.3 can damage a database if one process writes at the very moment when another
copies the log into the file: https://sqlite.org/wal.html describes it as the WAL-reset bug. By
default every process copies after some of its commits. On a site none does (`project.databases`);
the worker copies instead, and holds the right to write meanwhile.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from django.db import connection

MAX_BYTES: Final = 4 * 2**20
"""The log is copied when it is longer than this, as SQLite would do by itself."""
WAIT_SECONDS: Final = 20.0
"""How long a copy waits for those who write."""


def checkpoint_database() -> bool:
    """Return whether the log of the site's SQLite database was long, and has been copied.

    Servers do this by themselves.
    """
    if connection.vendor != "sqlite":
        return False
    return checkpoint_file(Path(connection.settings_dict["NAME"]))


def checkpoint_file(path: Path, *, longest: int = MAX_BYTES, wait: float = WAIT_SECONDS) -> bool:
    """Return whether the log of the SQLite file `path` was longer than `longest` and is copied.

    Nothing is copied while somebody writes for more than `wait` seconds: the next call tries again.
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
        # Passive, so that it waits for no reader: pages that are still read are copied next time.
        busy, *_ = copier.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        writer.execute("ROLLBACK")
    return not busy
