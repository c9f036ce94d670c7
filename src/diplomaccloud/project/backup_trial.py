"""Trials of backups: restored into a database that exists only for the trial.

On a database server, the trial's database is on the same server as the site's, which is the only
one whose address is known. A killed trial leaves its database behind; the next one removes it. Two
trials of a site never run together, so a database with the name of a trial is one of those.
"""

import hashlib
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from diplomaccloud.project.backup import (
    SQL_MEMBER,
    SQLITE_MEMBER,
    BackupError,
    Manifest,
    hold_folder,
    load_server,
    open_archive,
    require_fit,
    write_draft,
)
from diplomaccloud.project.databases import close_connections
from diplomaccloud.worker.record_samples import Replayed, replay_sample

_MOST_NAME: Final = 40
"""How many characters stand for the name of the site's database in the name of a trial's."""
_DIGITS: Final = 12
"""How many of them are digits of a hash if the name is longer."""


def try_backup(path: Path, *, sample: int) -> tuple[Manifest, Replayed]:
    """Restore the backup at `path` beside the site, and adjudicate `sample` of its games again.

    Nothing of it remains. Returns the manifest of the backup, and the faults of its games; raises
    `BackupError` if it is damaged, does not fit, or cannot be restored here.
    """
    vendor = connection.vendor
    with open_archive(path) as archive:
        require_fit(archive.manifest)
        if vendor == "sqlite":
            # Not in /tmp, which is memory on some machines.
            with hold_folder(settings.DATA_DIR, ".trial-") as folder:
                place = folder / SQLITE_MEMBER
                write_draft(archive.read(SQLITE_MEMBER), place)
                with _use_database(str(place)):
                    return archive.manifest, _migrate_and_replay(sample)
        with _make_database() as name:
            target = connection.settings_dict | {"NAME": name}
            load_server(vendor, target, archive.read(SQL_MEMBER), drop=())
            with _use_database(name):
                return archive.manifest, _migrate_and_replay(sample)


def _migrate_and_replay(sample: int) -> Replayed:
    call_command("migrate", verbosity=0, interactive=False)
    return replay_sample(sample)


@contextmanager
def _use_database(name: str) -> Iterator[None]:
    """Let this process use another database on the same server."""
    own = connection.settings_dict["NAME"]
    close_connections()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        close_connections()
        connection.settings_dict["NAME"] = own


@contextmanager
def _make_database() -> Iterator[str]:
    """Yield the name of an empty database, which is dropped afterward."""
    base = _name_trials(connection.settings_dict["NAME"])
    name = base + secrets.token_hex(4)
    server = _copy_connection()
    try:
        try:
            _prepare(server, base, name)
        except DatabaseError as error:
            raise _describe_refusal(error, base) from None
        try:
            yield name
        finally:
            with suppress(DatabaseError):  # the next trial drops it
                _drop(server, name)
    finally:
        server.close()


def _prepare(server: BaseDatabaseWrapper, base: str, name: str) -> None:
    """Make the database of this trial, and drop those of killed ones."""
    with server.cursor() as cursor:
        if not _hold_lock(cursor, server.vendor, base):
            raise BackupError("another trial of this site is running: wait for it")
        for old in _list_trials(cursor, server.vendor, base):
            _drop(server, old)
        _create(cursor, server, name)


def _name_trials(database: str) -> str:
    """Return how the names of a database's trials begin: differently for each database."""
    if len(database) > _MOST_NAME:
        digest = hashlib.sha256(database.encode()).hexdigest()[:_DIGITS]
        database = f"{database[: _MOST_NAME - _DIGITS - 1]}_{digest}"
    return f"{database}_trial_"


def _copy_connection() -> BaseDatabaseWrapper:
    """Return another connection to the site's database, which keeps the lock of a trial."""
    copy = connection.copy(alias="trial")
    copy.settings_dict["OPTIONS"].pop("pool", None)
    return copy


def _hold_lock(cursor: CursorWrapper, vendor: str, base: str) -> bool:
    """Lock the trials of this site until the connection ends; return whether that worked."""
    digest = hashlib.sha256(base.encode()).hexdigest()
    if vendor == "postgresql":
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [int(digest[:15], 16)])
    else:
        cursor.execute("SELECT GET_LOCK(%s, 0)", [digest[:40]])
    return bool(cursor.fetchone()[0])


def _list_trials(cursor: CursorWrapper, vendor: str, base: str) -> list[str]:
    cursor.execute(
        "SELECT datname FROM pg_database"
        if vendor == "postgresql"
        else "SELECT schema_name FROM information_schema.schemata"
    )
    is_trial = re.compile(f"{re.escape(base)}[0-9a-f]{{8}}")
    return [name for (name,) in cursor.fetchall() if is_trial.fullmatch(name)]


def _create(cursor: CursorWrapper, server: BaseDatabaseWrapper, name: str) -> None:
    quoted = server.ops.quote_name(name)
    if server.vendor != "postgresql":
        cursor.execute(f"CREATE DATABASE {quoted}")
        return
    # As the site's own, whose encoding may not be the server's default.
    cursor.execute(
        "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database"
        " WHERE datname = current_database()"
    )
    cursor.execute(
        f"CREATE DATABASE {quoted} TEMPLATE template0 ENCODING %s LC_COLLATE %s LC_CTYPE %s",
        cursor.fetchone(),
    )


def _drop(server: BaseDatabaseWrapper, name: str) -> None:
    # A program of a killed trial may still be connected.
    force = " WITH (FORCE)" if server.vendor == "postgresql" else ""
    with server.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {server.ops.quote_name(name)}{force}")


def _describe_refusal(error: DatabaseError, base: str) -> BackupError:
    user = connection.settings_dict["USER"] or "the site's user"
    if connection.vendor == "postgresql":
        fix = f"let an administrator run ALTER ROLE {user} CREATEDB"
    else:
        pattern = base.replace("_", r"\_") + "%"
        fix = f"let an administrator run GRANT ALL ON `{pattern}`.* TO {user}"
    return BackupError(
        f"the server makes no database for the trial: {_first_line(error)} ({fix}, or use the "
        "address of an account that may)"
    )


def _first_line(error: DatabaseError) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
