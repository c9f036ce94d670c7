"""Makes a backup of a running site."""

import datetime as dt
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from diplomaccloud import __version__
from diplomaccloud.project import environment
from diplomaccloud.project.backup import databases
from diplomaccloud.project.backup.archive import BackupError, create_archive

KEY: Final = "secret-key"
LADDER: Final = "ladder.json"


def make_backup(path: Path) -> list[str]:
    """Write a backup of the site to a new file, and return notes for the administrator.

    Raises `BackupError` if the site has no database yet or cannot be copied.
    """
    vendor, warnings = connection.vendor, list[str]()
    try:
        migrations = read_migrations()
        server = _read_server_version()
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise BackupError(f"the database does not answer: {reason}") from None
    finally:
        connection.close()
    if "games" not in migrations:
        raise BackupError("there is no site in the database yet")
    with create_archive(path) as writer:
        if vendor == "sqlite":
            databases.dump_sqlite(
                Path(connection.settings_dict["NAME"]).resolve(), path.resolve().parent, writer
            )
        else:
            databases.dump_server(vendor, connection.settings_dict, writer)
        for name in (KEY, LADDER):
            file = settings.DATA_DIR / name
            if file.is_file():
                with writer.open(name) as member:
                    member.write(file.read_bytes())
        about = {
            "release": __version__,
            "vendor": vendor,
            "server": server,
            "made_at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            "migrations": migrations,
        }
        writer.finish(about)
    if environment.read_text("SECRET_KEY"):
        warnings.append(
            "DIPLOMACCLOUD_SECRET_KEY is not in the backup: keep it elsewhere. Without it, "
            "everyone must log in again, and codes from authenticator apps no longer work."
        )
    if environment.read_text("STORAGE_URL"):
        warnings.append(
            "Files in DIPLOMACCLOUD_STORAGE_URL are not in the backup: the site draws the maps "
            "again, and people can request their exports again."
        )
    return warnings


def read_migrations() -> dict[str, list[str]]:
    """Return the names of the migrations applied to the database, by app."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        found.setdefault(app, []).append(name)
    return found


def _read_server_version() -> str:
    version = connection.get_database_version()
    return f"{connection.vendor} {'.'.join(map(str, version))}"


def describe_size(path: Path) -> str:
    """Return the size of a file in megabytes, as text."""
    return f"{path.stat().st_size / 1e6:.1f} MB"
