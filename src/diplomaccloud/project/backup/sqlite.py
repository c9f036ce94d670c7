"""Copies of a SQLite database while other processes write to it."""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterable
from pathlib import Path

from diplomaccloud.project.backup.archive import CHUNK, ArchiveWriter, BackupError

MEMBER = "database.sqlite3"


def dump_sqlite(source: Path, place: Path, writer: ArchiveWriter) -> None:
    """Write a consistent copy of the file `source`, made in the folder `place`.

    Raises `BackupError` if the copy is damaged, because then the database is damaged too.
    """
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=place) as folder:
        copy = Path(folder, MEMBER)
        copy.touch(mode=0o600)
        with (
            contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as old,
            contextlib.closing(sqlite3.connect(copy)) as new,
        ):
            # Copy all pages at once: they are one snapshot, and writers don't have to wait.
            old.backup(new, pages=-1)
            new.execute("PRAGMA journal_mode=DELETE")
            (verdict,) = new.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise BackupError(f"the database is damaged: {verdict}")
        with writer.open(MEMBER) as member, copy.open("rb") as file:
            while part := file.read(CHUNK):
                member.write(part)


def write_draft(parts: Iterable[bytes], draft: Path) -> None:
    """Write the chunks of a database to a new file that only its owner can read."""
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())


def require_unused(path: Path) -> None:
    """Raise `BackupError` if another process uses the database at `path`."""
    if not path.exists():
        return
    with contextlib.closing(sqlite3.connect(path, timeout=1)) as database:
        try:
            # Leaving WAL mode works only if no other process has the database open.
            database.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError:
            raise BackupError(f"{path} is in use: stop the site first") from None
        except sqlite3.DatabaseError:
            pass  # not a database, which may be why it is being replaced


def replace_database(draft: Path, target: Path) -> None:
    """Replace the file `target` and its log by the file `draft`."""
    for suffix in ("-wal", "-shm"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    draft.replace(target)
