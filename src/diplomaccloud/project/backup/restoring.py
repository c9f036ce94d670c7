"""Restores a backup to an empty site, or over an existing one."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from diplomaccloud.project.backup import databases
from diplomaccloud.project.backup.archive import Archive, BackupError, Manifest, open_archive
from diplomaccloud.project.backup.making import KEY, LADDER
from diplomaccloud.project.databases import close_connections
from diplomaccloud.shared.files import sync_folder, write_durably
from diplomaccloud.shared.upgrades import BRIDGE, is_too_old, list_newer
from diplomaccloud.worker.health import MAX_SILENCE
from diplomaccloud.worker.models import Heartbeat
from diplomaccloud.worker.record_samples import Replayed, replay_sample

_NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL", "mysql": "MariaDB or MySQL"}
_LOCK = "lock"


def restore_backup(path: Path, *, replace: bool, sample: int) -> tuple[Manifest, Replayed]:
    """Restore the backup at `path` and adjudicate `sample` of its games again.

    With `replace`, an existing site is overwritten. Returns the manifest of the backup, and the
    faults of its games. If the backup is damaged, does not fit, or must not be restored here,
    raises `BackupError` before anything is changed.
    """
    with open_archive(path) as archive, _hold_directory():
        _require_fit(archive.manifest)
        _require_room(replace=replace)
        if connection.vendor == "sqlite":
            replayed = _restore_file(archive, sample)
        else:
            replayed = _restore_server(archive, sample)
        for name in (KEY, LADDER):
            if name in archive.manifest.files:
                _put_file(settings.DATA_DIR / name, b"".join(archive.read(name)))
        return archive.manifest, replayed


@contextmanager
def _hold_directory() -> Iterator[None]:
    """Lock the data directory, like `play`; raise `BackupError` if the site is running."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.DATA_DIR / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(
                f"the site in {settings.DATA_DIR} is running: stop it first"
            ) from None
        yield


def _require_fit(manifest: Manifest) -> None:
    if manifest.vendor != connection.vendor:
        raise BackupError(
            f"the backup needs a database on {_NAMES.get(manifest.vendor, manifest.vendor)}, but "
            f"DATABASE_URL is for {_NAMES[connection.vendor]}"
        )
    applied = {(app, name) for app, names in manifest.migrations.items() for name in names}
    if newer := list_newer(applied):
        raise BackupError(
            f"the backup was made by the newer release {manifest.release}, which added the "
            f"migration {' '.join(newer[0])}: install that release first"
        )
    if is_too_old(applied):
        raise BackupError(
            "the backup is too old for this release: restore it with commit "
            f"{BRIDGE} first, and then upgrade"
        )


def _require_room(*, replace: bool) -> None:
    """Raise `BackupError` if a site exists, unless it may be replaced and is stopped."""
    if connection.vendor == "sqlite":
        target = Path(connection.settings_dict["NAME"])
        is_empty = not target.exists() or target.stat().st_size == 0
        place = str(target)
    else:
        is_empty = not connection.introspection.table_names()
        place = f"the database {connection.settings_dict['NAME']}"
    if is_empty:
        return
    if not replace:
        raise BackupError(
            f"{place} is not empty: choose an empty one, or overwrite it with --replace"
        )
    if connection.vendor == "sqlite":
        close_connections()
        databases.require_unused(Path(connection.settings_dict["NAME"]))
        return
    try:
        runs = Heartbeat.objects.filter(seen_at__gt=timezone.now() - MAX_SILENCE).exists()
    except DatabaseError:
        runs = False  # not a site, or an incomplete one
    if runs:
        raise BackupError(f"workers of {place} ran within the last minute: stop the site first")


def _restore_file(archive: Archive, sample: int) -> Replayed:
    """Migrate and verify the SQLite file, and then move it into place."""
    target = Path(connection.settings_dict["NAME"]).resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        databases.write_draft(archive.read(databases.SQLITE_MEMBER), draft)
        connection.close()
        connection.settings_dict["NAME"] = str(draft)
        try:
            replayed = _bring_up_to_date(sample)
        finally:
            connection.close()
            connection.settings_dict["NAME"] = str(target)
        # The site may have been started while the games were adjudicated again.
        databases.require_unused(target)
        databases.replace_database(draft, target)
    finally:
        draft.unlink(missing_ok=True)
    return replayed


def _restore_server(archive: Archive, sample: int) -> Replayed:
    drop = _list_drops()
    close_connections()
    vendor, parts = connection.vendor, archive.read(databases.SQL_MEMBER)
    try:
        databases.load_server(vendor, connection.settings_dict, parts, drop=drop)
    except BackupError as error:
        if vendor == "postgresql":
            raise
        raise BackupError(
            f"{error}; the database is incomplete: restore again with --replace"
        ) from None
    return _bring_up_to_date(sample)


def _bring_up_to_date(sample: int) -> Replayed:
    call_command("migrate", verbosity=0, interactive=False)
    return replay_sample(sample)


def _list_drops() -> list[str]:
    """Return the statements that empty the database."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        tables = [quote(table) for table in connection.introspection.table_names(cursor)]
        if not tables:
            return []
        if connection.vendor == "mysql":
            off = "SET FOREIGN_KEY_CHECKS = 0"
            return [off, *(f"DROP TABLE {table}" for table in tables)]
        # Functions of extensions stay.
        cursor.execute(
            "SELECT p.oid::regprocedure::text FROM pg_proc p WHERE"
            " p.pronamespace = current_schema()::regnamespace AND NOT EXISTS"
            " (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"
        )
        functions = [name for (name,) in cursor.fetchall()]
    return [
        *(f"DROP TABLE {table} CASCADE" for table in tables),
        *(f"DROP FUNCTION {name}" for name in functions),
    ]


def _put_file(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.touch(mode=0o600)
        write_durably(draft, content)
        draft.replace(path)
        sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)
