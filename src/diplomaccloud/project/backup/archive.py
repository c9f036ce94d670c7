"""The backup file: a ZIP archive whose last member lists the others with their checksums."""

import contextlib
import hashlib
import json
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from diplomaccloud.shared.files import sync_folder

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


class ArchiveWriter:
    """Writes the files of a backup one by one, and then its manifest."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
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
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with (
            os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            yield ArchiveWriter(archive)
            archive.close()
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


class Archive:
    """A backup to read; `open_archive` opens it and verifies its checksums."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path, self._archive = path, archive
        self.manifest = self._read_manifest()
        for name in self.manifest.files:
            for _ in self.read(name):
                pass

    def read(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file in chunks; raise `BackupError` at the end if damaged."""
        size, digest = self.manifest.files[name]
        found, length = hashlib.sha256(), 0
        try:
            with self._archive.open(name) as member:
                while part := member.read(CHUNK):
                    found.update(part)
                    length += len(part)
                    if length > size:
                        break
                    yield part
        except _DAMAGE:
            raise self._fault() from None
        if (length, found.hexdigest()) != (size, digest):
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
def open_archive(path: Path) -> Iterator[Archive]:
    """Yield the backup at `path`; raise `BackupError` unless its checksums are right."""
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
            yield Archive(path, archive)


def _parse_manifest(data: dict[str, Any]) -> Manifest | None:
    """Return the manifest in a JSON object, or None if a member is missing or has a wrong type."""
    try:
        texts = {name: data[name] for name in ("release", "vendor", "server", "made_at")}
        files = {str(name): (row["size"], row["sha256"]) for name, row in data["files"].items()}
        migrations = {str(app): tuple(names) for app, names in data["migrations"].items()}
    except (KeyError, TypeError, AttributeError):
        return None
    names = [name for listed in migrations.values() for name in listed]
    right = (
        all(isinstance(text, str) for text in [*texts.values(), *names])
        and set(files) <= set(FILE_NAMES)
        and all(
            isinstance(size, int) and size >= 0 and _CHECKSUM.fullmatch(str(digest))
            for size, digest in files.values()
        )
    )
    return Manifest(**texts, migrations=migrations, files=files) if right else None
