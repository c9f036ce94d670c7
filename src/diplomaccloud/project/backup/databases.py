"""Copies of a database while other processes write to it.

A SQLite file is copied as a whole; a database on a server with its vendor's programs. Passwords
never appear on a command line, where every user of the machine could read them: PostgreSQL's
programs get them in a file that only its owner can read, and MariaDB's in an environment variable.
"""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final

from diplomaccloud.project.backup.archive import CHUNK, ArchiveWriter, BackupError

SQL_MEMBER: Final = "database.sql"
_SERVICE: Final = "diplomaccloud"
_OURS: Final = {"pool", "server_side_binding", "assume_role", "isolation_level", "service"}
"""Connection options for Django, not for the vendor's programs."""
_DEFINER: Final = re.compile(rb"^(/\*!50003 CREATE\*/ )/\*!50017 DEFINER=`[^`]*`@`[^`]*`\*/ ")
"""The account that created a trigger, which may not exist where the backup is restored."""
_MARIADB_OPTIONS: Final = {
    "charset": "default-character-set",
    "ssl_ca": "ssl-ca",
    "ssl_cert": "ssl-cert",
    "ssl_key": "ssl-key",
}
_PACKAGES: Final = {"postgresql": "postgresql-client", "mysql": "mariadb-client"}
SQLITE_MEMBER = "database.sqlite3"


def dump_server(vendor: str, settings: Mapping[str, Any], writer: ArchiveWriter) -> None:
    """Write one snapshot of the database, as SQL.

    Raises `BackupError` with the first error message of a program that fails.
    """
    with _find_access(vendor, settings) as (environment, arguments):
        if vendor == "postgresql":
            command = [_find(vendor, "pg_dump"), "--no-owner", "--no-privileges", *arguments]
        else:
            command = [
                *(_find(vendor, "mariadb-dump", "mysqldump"), *arguments),
                *(
                    "--single-transaction",
                    "--quick",
                    "--hex-blob",
                    "--triggers",
                    "--no-tablespaces",
                ),
                *("--skip-lock-tables", "--skip-add-locks", "--skip-add-drop-table"),
                *("--max-allowed-packet=1G", settings["NAME"]),
            ]
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=errors
            ) as program,
        ):
            if program.stdout is None:
                raise TypeError("the program has no output stream")
            lines = program.stdout if vendor == "mysql" else _read_parts(program.stdout)
            with writer.open(SQL_MEMBER) as member:
                for line in lines:
                    member.write(_DEFINER.sub(rb"\1", line) if vendor == "mysql" else line)
            if program.wait():
                raise _describe_failure(vendor, "read", errors)


def load_server(
    vendor: str, settings: Mapping[str, Any], parts: Iterable[bytes], *, drop: Sequence[str]
) -> None:
    """Run the SQL of a backup after the statements in `drop`.

    On PostgreSQL nothing changes unless everything succeeds. Raises `BackupError`.
    """
    with _find_access(vendor, settings) as (environment, arguments):
        if vendor == "postgresql":
            program = _find(vendor, "psql")
            command = [program, "-X", "-q", "-v", "ON_ERROR_STOP=1", *arguments]
            # A script that was cut off lacks the COMMIT at its end, so it changes nothing.
            script = chain([b"BEGIN;\n", *_encode(drop)], parts, [b"\nCOMMIT;\n"])
        else:
            command = [_find(vendor, "mariadb", "mysql"), *arguments, "--max-allowed-packet=1G"]
            command.append(settings["NAME"])
            script = chain(parts)
            if drop:
                _feed(vendor, command, environment, _encode(drop))
        _feed(vendor, command, environment, script)


def _encode(statements: Iterable[str]) -> list[bytes]:
    return [f"{statement};\n".encode() for statement in statements]


def _feed(
    vendor: str,
    command: Sequence[str],
    environment: Mapping[str, str],
    script: Iterable[bytes],
) -> None:
    """Run a client with a script as its input; raise `BackupError` if it fails."""
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        ) as client,
    ):
        if client.stdin is None:
            raise TypeError("the program has no input stream")
        try:
            with contextlib.suppress(BrokenPipeError):  # the program prints the reason
                for part in script:
                    client.stdin.write(part)
        except BaseException:
            client.kill()  # the part it has read so far must not take effect
            raise
        with contextlib.suppress(BrokenPipeError):
            client.stdin.close()
        if client.wait():
            raise _describe_failure(vendor, "written", errors)


def _read_parts(file: IO[bytes]) -> Iterator[bytes]:
    while part := file.read(CHUNK):
        yield part


def _find(vendor: str, *names: str) -> str:
    for name in names:
        if path := shutil.which(name):
            return path
    raise BackupError(
        f"the program {names[0]} is missing (on Debian: apt install {_PACKAGES[vendor]})"
    )


def _describe_failure(vendor: str, verb: str, errors: IO[bytes]) -> BackupError:
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    told = [line for line in lines if "error" in line.lower()] or lines
    reason = told[0].strip()[:300] if told else "its program gave no reason"
    if "denied" in reason:
        reason += " (use the database address of the tables' owner)"
    name = {"postgresql": "PostgreSQL", "mysql": "MariaDB"}[vendor]
    return BackupError(f"the database on {name} could not be {verb}: {reason}")


@contextlib.contextmanager
def _find_access(
    vendor: str, settings: Mapping[str, Any]
) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Yield the environment and the arguments with which a program connects to the database."""
    options = {name: value for name, value in settings["OPTIONS"].items() if name not in _OURS}
    environment = dict(os.environ)
    if vendor == "mysql":
        environment["MYSQL_PWD"] = str(settings["PASSWORD"])
        yield environment, _list_mariadb_arguments(settings, options)
        return
    named = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST"}
    access = {name: settings[key] for name, key in (named | {"port": "PORT"}).items()} | options
    if role := settings["OPTIONS"].get("assume_role"):
        access["options"] = f"{access.get('options', '')} -c role={role}".strip()
    if service := settings["OPTIONS"].get("service"):
        # Services cannot be nested, so copy the options of the original service into this one.
        yield environment, [f"--dbname=service={service}"]
        return
    lines = [f"{name}={value}" for name, value in access.items() if value not in ("", None)]
    if any("\n" in line for line in lines):
        raise BackupError("the database address contains a line break")
    with tempfile.TemporaryDirectory(prefix="diplomaccloud-") as folder:
        place = Path(folder, "service")  # only its owner can enter the folder
        place.write_text("\n".join([f"[{_SERVICE}]", *lines, ""]), encoding="utf-8")
        environment["PGSERVICEFILE"] = str(place)
        yield environment, [f"--dbname=service={_SERVICE}"]


def _list_mariadb_arguments(settings: Mapping[str, Any], options: Mapping[str, Any]) -> list[str]:
    # Ignore the machine's configuration, unless the address names a file.
    file = options.get("read_default_file")
    given = {
        "user": settings["USER"],
        "host": settings["HOST"],
        "port": settings["PORT"],
        "socket": options.get("unix_socket"),
        "ssl-ca": options.get("ssl", {}).get("ca"),
        "default-character-set": "utf8mb4",
    }
    given |= {ours: options[name] for name, ours in _MARIADB_OPTIONS.items() if name in options}
    arguments = [f"--defaults-file={file}" if file else "--no-defaults"]
    arguments += [f"--{name}={value}" for name, value in given.items() if value]
    if options.get("ssl_verify_cert"):
        arguments.append("--ssl-verify-server-cert")
    return arguments


def dump_sqlite(source: Path, place: Path, writer: ArchiveWriter) -> None:
    """Write a consistent copy of the file `source`, made in the folder `place`.

    Raises `BackupError` if the copy is damaged, because then the database is damaged too.
    """
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=place) as folder:
        copy = Path(folder, SQLITE_MEMBER)
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
        with writer.open(SQLITE_MEMBER) as member, copy.open("rb") as file:
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
