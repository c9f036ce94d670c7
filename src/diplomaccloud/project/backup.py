"""Backups of a site: one file with the database and the small files next to it.

A backup is a ZIP file, because every system can read it and each member can be written as a stream;
its last member lists the others with their checksums. The database's own tool dumps it in one
snapshot; `dumpdata` would read one table after another. A restored site's games are compared with
their records.
"""

import contextlib
import datetime as dt
import fcntl
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from diplomaccloud.project import variables
from diplomaccloud.project.databases import OWNER_NEEDED, close_connections
from diplomaccloud.project.grants import renew_rights
from diplomaccloud.shared.files import sync_folder, write_durably
from diplomaccloud.shared.upgrades import BRIDGE, find_missing_package, is_too_old, list_newer
from diplomaccloud.version import __version__
from diplomaccloud.worker.health import MAX_SILENCE, find_newest
from diplomaccloud.worker.record_samples import Replayed, replay_sample

FORMAT: Final = "diplomaccloud backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
FILE_NAMES: Final = ("database.sqlite3", "database.sql", "secret-key", "ladder.json")
"""The files that a backup can contain besides its manifest."""
CHUNK: Final = 1 << 20
_MAX_MANIFEST: Final = 1 << 20
_CHECKSUM: Final = re.compile("[0-9a-f]{64}")
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""The errors that reading a damaged archive raises."""


class BackupError(ValueError):
    """A backup cannot be made or used; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Facts about a backup, stored in it.

    `migrations` holds the names of the migrations applied to its database, by app.
    """

    release: str
    vendor: str
    server: str
    made_at: str
    migrations: Mapping[str, tuple[str, ...]]
    files: Mapping[str, tuple[int, str]]
    """The size and the SHA-256 of each file."""
    site: str = ""
    """What tells backups of different sites apart; blank in older ones."""


class ArchiveWriter:
    """Writes the files of a backup one by one, and then its manifest.

    `place` is a folder for drafts, on the same disk as the backup.
    """

    def __init__(self, archive: zipfile.ZipFile, place: Path) -> None:
        self._archive, self.place = archive, place
        self._files: dict[str, dict[str, object]] = {}

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator["Summing"]:
        """Yield a writable file that becomes the member `name`."""
        with self._archive.open(name, "w", force_zip64=True) as member:
            summing = Summing(member)
            yield summing
        self._files[name] = {"size": summing.size, "sha256": summing.digest}

    def finish(self, about: Mapping[str, object]) -> None:
        """Write the manifest: facts about the site, and the list of files."""
        manifest = {"format": FORMAT, "v": VERSION, **about, "files": self._files}
        self._archive.writestr(MANIFEST, json.dumps(manifest, indent=1))


class Summing:
    """A file being written, with its size in bytes and its checksum."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._hash, self.size = file, hashlib.sha256(), 0

    def write(self, data: bytes) -> None:
        """Write `data`."""
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    @property
    def digest(self) -> str:
        """The SHA-256 of everything written so far, in hexadecimal."""
        return self._hash.hexdigest()


@contextlib.contextmanager
def create_archive(path: Path) -> Iterator[ArchiveWriter]:
    """Yield a writer of a new file at `path`, which only its owner can read.

    The file appears only once it is complete. Raises `BackupError` if it already exists.
    """
    if path.exists():
        raise BackupError(f"{path} already exists: choose another name")
    with hold_folder(path.parent, ".diplomaccloud-backup-") as folder:
        part = folder / "part"
        with (
            os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            yield ArchiveWriter(archive, folder)
            archive.close()
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)


@contextlib.contextmanager
def hold_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Yield a new folder in `parent` whose name starts with `prefix`, and remove it afterward.

    It is locked meanwhile, because the folders of killed processes, whose locks have ended with
    them, are removed first.
    """
    for old in parent.glob(f"{prefix}*"):
        with _lock_folder(old, wait=False) as is_ours:
            if is_ours:
                shutil.rmtree(old, ignore_errors=True)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        with _lock_folder(folder, wait=True) as is_ours:
            if not is_ours:  # another process has taken it for an old one
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return


@contextlib.contextmanager
def _lock_folder(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Lock a folder, and yield whether it is there and locked."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield folder.exists()
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


class Archive:
    """A backup to read; `open_archive` opens it and verifies its checksums."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path, self._archive = path, archive
        self.manifest = self._read_manifest()

    def verify(self) -> None:
        """Read all files; raise `BackupError` unless their checksums are right."""
        for name in self.manifest.files:
            for _ in self.read(name):
                pass

    def read(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file in chunks; raise `BackupError` at the end if damaged."""
        size, digest = self.manifest.files[name]
        hasher, length = hashlib.sha256(), 0
        try:
            with self._archive.open(name) as member:
                while part := member.read(CHUNK):
                    hasher.update(part)
                    length += len(part)
                    if length > size:
                        break
                    yield part
        except _DAMAGE:
            raise self._fault() from None
        if (length, hasher.hexdigest()) != (size, digest):
            raise self._fault()

    def _read_manifest(self) -> Manifest:
        try:
            if self._archive.getinfo(MANIFEST).file_size > _MAX_MANIFEST:
                raise self._fault()
            data = json.loads(self._archive.read(MANIFEST))
        except KeyError:
            raise BackupError(f"{self._path} is not a backup of Diplomaccloud") from None
        except (*_DAMAGE, ValueError, RecursionError):
            raise self._fault() from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BackupError(f"{self._path} is not a backup of Diplomaccloud")
        if data.get("v") != VERSION:
            raise BackupError(
                f"{self._path} was made by a newer release, {str(data.get('release'))[:40]!r}: "
                "restore it with that release"
            )
        manifest = _parse_manifest(data)
        members = {*self._archive.namelist()} - {MANIFEST}
        if manifest is None or members != set(manifest.files):
            raise self._fault()
        return manifest

    def _fault(self) -> BackupError:
        return BackupError(f"{self._path} is damaged or cut off: use another backup")


@contextlib.contextmanager
def open_archive(path: Path, *, verify: bool = True) -> Iterator[Archive]:
    """Yield the backup at `path`; raise `BackupError` unless its checksums are right.

    Without `verify`, only the manifest is read.
    """
    with path.open("rb") as file:
        begins = file.read(4)
        try:
            archive = zipfile.ZipFile(file)
        except _DAMAGE:
            is_zip = begins == b"PK\x03\x04"
            raise BackupError(
                f"{path} is damaged or cut off: use another backup"
                if is_zip
                else f"{path} is not a backup of Diplomaccloud"
            ) from None
        with archive:
            opened = Archive(path, archive)
            if verify:
                opened.verify()
            yield opened


def _parse_manifest(data: dict[str, Any]) -> Manifest | None:
    """Return the manifest in a JSON object, or None if a member is missing or has a wrong type."""
    try:
        texts = {name: data[name] for name in ("release", "vendor", "server", "made_at")}
        dt.datetime.fromisoformat(data["made_at"])
        files = {str(name): (row["size"], row["sha256"]) for name, row in data["files"].items()}
        migrations = {str(app): tuple(names) for app, names in data["migrations"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    names = [name for listed in migrations.values() for name in listed]
    site = data.get("site", "")
    right = (
        all(isinstance(text, str) for text in [*texts.values(), *names, site])
        and set(files) <= set(FILE_NAMES)
        and all(
            isinstance(size, int) and size >= 0 and _CHECKSUM.fullmatch(str(digest))
            for size, digest in files.values()
        )
    )
    return Manifest(**texts, migrations=migrations, files=files, site=site) if right else None


# Copying a database while other processes write to it.
#
# A SQLite file is copied as a whole; a database on a server with its vendor's programs. Passwords
# never appear on a command line, where every user of the machine could read them: PostgreSQL's
# programs get them in a file that only its owner can read, and MariaDB's in an environment
# variable.


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
CLIENTS: Final = {"postgresql": "postgresql-client", "mysql": "mariadb-client"}
"""Debian's packages with the programs for each kind of server."""
_CLIENT_VERSIONS: Final = {
    "postgresql": re.compile(r"\(PostgreSQL\) (\d+)"),
    "mysql": re.compile(r"(?:Distrib|from) (\d+\.\d+)\S*-MariaDB"),
}
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
        f"the program {names[0]} is missing (on Debian: apt install {CLIENTS[vendor]})"
    )


def find_old_client() -> str:
    """Return why the program that dumps the database is too old for its server; blank if it isn't.

    Raises `BackupError` if the program is missing.
    """
    vendor = connection.vendor
    names = ("pg_dump",) if vendor == "postgresql" else ("mariadb-dump", "mysqldump")
    program = _find(vendor, *names)
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    match = _CLIENT_VERSIONS[vendor].search(answer.stdout)
    # Programs of MySQL and of MariaDB have versions that cannot be compared.
    if match is None or (vendor == "mysql" and not getattr(connection, "mysql_is_mariadb", False)):
        return ""
    client = tuple(int(part) for part in match[1].split("."))
    server = connection.get_database_version()[: len(client)]
    if client >= server:
        return ""
    return (
        f"{Path(program).name} {match[1]} is older than the server {'.'.join(map(str, server))}: "
        f"install {CLIENTS[vendor]} of that version or newer"
    )


def _describe_failure(vendor: str, verb: str, errors: IO[bytes]) -> BackupError:
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    told = [line for line in lines if "error" in line.lower()] or lines
    reason = told[0].strip()[:300] if told else "its program gave no reason"
    if "denied" in reason:
        reason += f" ({OWNER_NEEDED})"
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
        # Services cannot be nested. The service may name another database, which must not win.
        name = str(settings["NAME"]).replace("\\", r"\\").replace("'", r"\'")
        yield environment, [f"--dbname=service={service} dbname='{name}'"]
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


def dump_sqlite(source: Path, writer: ArchiveWriter) -> None:
    """Write a consistent copy of the file `source`.

    Raises `BackupError` if the copy is damaged, because then the database is damaged too.
    """
    copy = writer.place / SQLITE_MEMBER
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


# Making a backup of a running site.


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
        site = identify_site()
        if vendor == "postgresql" and (reason := find_old_client()):
            raise BackupError(reason)
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise BackupError(f"the database does not answer: {reason}") from None
    finally:
        connection.close()
    if "games" not in migrations:
        raise BackupError("there is no site in the database yet")
    with create_archive(path) as writer:
        if vendor == "sqlite":
            dump_sqlite(Path(connection.settings_dict["NAME"]).resolve(), writer)
        else:
            dump_server(vendor, connection.settings_dict, writer)
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
            "site": site,
        }
        writer.finish(about)
    if variables.SECRET_KEY.is_set():
        warnings.append(
            "DIPLOMACCLOUD_SECRET_KEY is not in the backup: keep it elsewhere. Without it, "
            "everyone must log in again, and codes from authenticator apps no longer work."
        )
    if variables.STORAGE_URL.is_set():
        warnings.append(
            "Files in DIPLOMACCLOUD_STORAGE_URL are not in the backup: the site draws the maps "
            "again, and people can request their exports again."
        )
    return warnings


def read_migrations() -> dict[str, list[str]]:
    """Return the names of the migrations applied to the database, by app."""
    migrations: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        migrations.setdefault(app, []).append(name)
    return migrations


def identify_site() -> str:
    """Return what tells this site's backups from those of others: when its database was created."""
    first = MigrationRecorder(connection).migration_qs.order_by("id").first()
    return hashlib.sha256(first.applied.isoformat().encode()).hexdigest()[:16] if first else ""


def _read_server_version() -> str:
    version = connection.get_database_version()
    return f"{connection.vendor} {'.'.join(map(str, version))}"


def describe_size(path: Path) -> str:
    """Return the size of a file in megabytes, as text."""
    return f"{path.stat().st_size / 1e6:.1f} MB"


# Restoring a backup to an empty site, or over an existing one.


_NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL", "mysql": "MariaDB or MySQL"}
_LOCK = "lock"


def restore_backup(path: Path, *, replace: bool, sample: int) -> tuple[Manifest, Replayed]:
    """Restore the backup at `path` and adjudicate `sample` of its games again.

    With `replace`, an existing site is overwritten. Returns the manifest of the backup, and the
    faults of its games. If the backup is damaged, does not fit, or must not be restored here,
    raises `BackupError` before anything is changed.
    """
    with open_archive(path) as archive, _hold_directory():
        require_fit(archive.manifest)
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


def require_fit(manifest: Manifest) -> None:
    """Raise `BackupError` if the backup is not for this database, release or set of packages."""
    if manifest.vendor != connection.vendor:
        raise BackupError(
            f"the backup needs a database on {_NAMES.get(manifest.vendor, manifest.vendor)}, but "
            f"DATABASE_URL is for {_NAMES[connection.vendor]}"
        )
    applied = {(app, name) for app, names in manifest.migrations.items() for name in names}
    if package := find_missing_package(applied):
        raise BackupError(
            f"the backup has tables of the package {package}, which is not installed: install it"
        )
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
        require_unused(Path(connection.settings_dict["NAME"]))
        return
    with contextlib.suppress(DatabaseError):  # not a site, or an incomplete one
        _wait_for_silence(place)


def _wait_for_silence(place: str) -> None:
    """Wait until no worker has run for a minute; raise `BackupError` as soon as one runs."""
    newest = find_newest()
    is_first = True
    while newest and newest > timezone.now() - MAX_SILENCE:
        if is_first:
            sys.stderr.write("A worker ran within the last minute: waiting to see if it runs.\n")
        is_first = False
        time.sleep(1)
        if find_newest() != newest:
            raise BackupError(f"workers of {place} are running: stop the site first")


def _restore_file(archive: Archive, sample: int) -> Replayed:
    """Migrate and verify the SQLite file, and then move it into place."""
    target = Path(connection.settings_dict["NAME"]).resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        write_draft(archive.read(SQLITE_MEMBER), draft)
        connection.close()
        connection.settings_dict["NAME"] = str(draft)
        try:
            replayed = _bring_up_to_date(sample)
        finally:
            connection.close()
            connection.settings_dict["NAME"] = str(target)
        # The site may have been started while the games were adjudicated again.
        require_unused(target)
        replace_database(draft, target)
    finally:
        draft.unlink(missing_ok=True)
    return replayed


def _restore_server(archive: Archive, sample: int) -> Replayed:
    drop = _list_drops()
    close_connections()
    vendor, parts = connection.vendor, archive.read(SQL_MEMBER)
    try:
        load_server(vendor, connection.settings_dict, parts, drop=drop)
    except BackupError as error:
        if vendor == "postgresql":
            raise
        raise BackupError(
            f"{error}; the database is incomplete: restore again with --replace"
        ) from None
    return _bring_up_to_date(sample)


def _bring_up_to_date(sample: int) -> Replayed:
    call_command("migrate", verbosity=0, interactive=False)
    renew_rights()
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
