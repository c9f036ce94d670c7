"""Tables for the databases of the tests: migrated once, then copied.

`build/tables` keeps them for the newest states of the migrations: a SQLite file, or the statements
that make them on MariaDB. On PostgreSQL the server keeps a database that others are copied from.
"""

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "tables"
KEPT = 3
"""How many states of the migrations keep their tables, of each kind of database."""
OF_APPS = ("migrations/*.py", "models.py", "models/*.py", "apps.py")
DECISIVE = (
    *(f"src/diplomaccloud/*/{file}" for file in OF_APPS),
    *(f"extras/*/src/diplomaccloud/*/{file}" for file in OF_APPS),
    "src/diplomaccloud/project/settings.py",
    "src/diplomaccloud/project/mysql/*.py",
    "requirements/check.lock",
    "tests/tables.py",
)
"""Files that decide which tables there are, and which rows in them from the start."""
PREFIX = "diplomaccloud_tables_"
LOCK = 7_236_514
"""The number of the lock under which databases of PostgreSQL are copied: any that is ours alone."""


@functools.cache
def read_digest():
    """Return what is the same as long as migrations make the same tables."""
    digest = hashlib.sha256(django.get_version().encode())
    for path in sorted(path for pattern in DECISIVE for path in ROOT.glob(pattern)):
        digest.update(b"%s %d " % (os.fsencode(path.relative_to(ROOT)), path.stat().st_size))
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def find_file(ending="sqlite3", database=""):
    """Return the file with the tables, made if there is none: SQLite's, or MariaDB's statements."""
    file = FOLDER / f"{read_digest()}.{ending}"
    if file.exists():
        return file
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            draft = FOLDER / "draft"
            draft.unlink(missing_ok=True)
            migrate_elsewhere(str(draft), database)
            draft.rename(file)
            for old in sorted(FOLDER.glob(f"*.{ending}"), key=lambda one: one.stat().st_mtime)[
                :-KEPT
            ]:
                old.unlink()
    return file


def migrate_elsewhere(target, database=""):
    """Let another process migrate a fresh database: what it loads for that is used only once."""
    variables = os.environ | {
        "DIPLOMACCLOUD_CHECKS_DATABASE": database,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
    }
    subprocess.run([sys.executable, "-m", "tests.tables", target], env=variables, check=True)


def copy_tables(name):
    """Create the database `name`, a path for SQLite, with the tables."""
    if connection.vendor == "sqlite":
        shutil.copyfile(find_file(), name)
        return
    with connection._nodb_cursor() as cursor:
        if connection.vendor == "postgresql":
            template = PREFIX + read_digest()
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # until the connection ends
            cursor.execute("SELECT FROM pg_database WHERE datname = %s", [template])
            if not cursor.fetchall():
                migrate_elsewhere(template, settings.CHECKS_DATABASE)
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
            return
        version = "-".join(map(str, connection.mysql_version))
        file = find_file(f"mariadb-{version}.json", settings.CHECKS_DATABASE)
        cursor.execute(f"CREATE DATABASE {name}")
        for statement in (
            f"USE {name}",
            "SET FOREIGN_KEY_CHECKS = 0",
            *json.loads(file.read_text()),
        ):
            cursor.execute(statement)


def drop_database(name):
    """Drop a database of a server, even if a process still uses it."""
    with connection._nodb_cursor() as cursor:
        force = " WITH (FORCE)" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP DATABASE IF EXISTS {name}{force}")


@contextlib.contextmanager
def use_test_database():
    """Let this process use a database of its own with the tables."""
    given = settings.DATABASES["default"]["NAME"]
    name = f"test_{given}_{os.getpid()}" if settings.CHECKS_DATABASE else given
    close_all()
    if settings.CHECKS_DATABASE:
        drop_database(name)
    copy_tables(name)
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        close_all()
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = given
        if settings.CHECKS_DATABASE:
            drop_database(name)


def close_all():
    """Close the connection, and those that wait in its pool."""
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()


def write_tables(target):
    """Migrate a fresh database, and keep its tables: in a file, or as a database of PostgreSQL."""
    name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite":
        name = "draft_of_tables"
        drop_database(name)
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
        connection.settings_dict["NAME"] = name
    call_command("migrate", verbosity=0)
    if connection.vendor == "postgresql":
        close_all()
        rename_database(name, target)
    elif connection.vendor == "mysql":
        Path(target).write_text(json.dumps(read_statements()))
        drop_database(name)
    else:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [target])


def rename_database(name, target):
    """Give a database of PostgreSQL its name, and drop those of other states of the migrations."""
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [PREFIX + "%"])
        for (old,) in cursor.fetchall():
            cursor.execute(f"DROP DATABASE {old}")
        cursor.execute(f"ALTER DATABASE {name} RENAME TO {target}")


def read_statements():
    """Return the statements that make the tables and the rows of this database of MariaDB."""
    statements = []
    with connection.cursor() as cursor:
        cursor.execute("SHOW TABLES")
        for (table,) in cursor.fetchall():
            cursor.execute(f"SHOW CREATE TABLE `{table}`")
            statements.append(cursor.fetchone()[1])
            cursor.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE()"
                " AND table_name = %s AND generation_expression IS NULL ORDER BY ordinal_position",
                [table],
            )
            columns = ", ".join(f"`{column}`" for (column,) in cursor.fetchall())
            cursor.execute(f"SELECT {columns} FROM `{table}`")  # noqa: S608 - names of our own
            for row in cursor.fetchall():
                values = ", ".join(map(connection.connection.escape, row))
                rows = f"INSERT INTO `{table}` ({columns}) VALUES ({values})"  # noqa: S608
                statements.append(rows)
    return statements


if __name__ == "__main__":
    django.setup()
    write_tables(sys.argv[1])
