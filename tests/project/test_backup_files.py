"""Damaged and foreign files are refused in a sentence before anything is changed."""

import datetime as dt
import json
import os
import random
import signal
import sqlite3
import zipfile
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, connections
from tests.worker.separate_site import connect

from diplomaccloud.judge.cli import main
from diplomaccloud.project import backup as backups
from diplomaccloud.project.backup import (
    BackupError,
    create_archive,
    find_old_client,
    hold_folder,
    identify_site,
    open_archive,
    restore_backup,
)
from diplomaccloud.project.backup_folder import find_newest, name_backup, remove_older
from diplomaccloud.shared.upgrades import BRIDGE

ABOUT = {"release": "1.0", "vendor": "sqlite", "server": "3", "made_at": "2026-11-01"}
GAMES = ("0001_first", "0001_squashed_0028_event_order", "0028_event_order")
"""Migrations of a database that grew until the older ones were replaced."""


@pytest.fixture
def backup(tmp_path):
    path = tmp_path / "backup"
    with create_archive(path) as writer:
        for name, size in (("database.sqlite3", 9_000), ("secret-key", 50)):
            with writer.open(name) as member:
                member.write(random.Random(name).randbytes(size))
        writer.finish({**ABOUT, "migrations": {"games": list(GAMES)}})
    return path


def change_manifest(path, change):
    """Write the backup again with another manifest."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files["manifest.json"])
    change(manifest)
    files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def change_checksum(manifest):
    manifest["files"]["secret-key"]["sha256"] = "0" * 64


def change_size(manifest):
    manifest["files"]["secret-key"]["size"] = 3


def make_newer(manifest):
    manifest["v"] = 2


def leave_folder(manifest):
    manifest["files"]["../secret-key"] = manifest["files"].pop("secret-key")


def forget_files(manifest):
    del manifest["files"]


def put_number(manifest):
    manifest["release"] = 7


def cut(path):
    path.write_bytes(path.read_bytes()[:-200])


def flip(path):
    text = path.read_bytes()
    path.write_bytes(text[:3000] + bytes([text[3000] ^ 1]) + text[3001:])


def write_archive(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", "b")


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (cut, "damaged or cut off"),
        (flip, "damaged or cut off"),
        (lambda path: path.write_bytes(b""), "is not a backup"),
        (lambda path: path.write_bytes(b"\x89PNG" + b"\0" * 999), "is not a backup"),
        (write_archive, "is not a backup"),
        (lambda path: change_manifest(path, make_newer), "made by a newer release"),
        (lambda path: change_manifest(path, change_checksum), "damaged or cut off"),
        (lambda path: change_manifest(path, change_size), "damaged or cut off"),
        (lambda path: change_manifest(path, leave_folder), "damaged or cut off"),
        (lambda path: change_manifest(path, forget_files), "damaged or cut off"),
        (lambda path: change_manifest(path, put_number), "damaged or cut off"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_in_a_sentence(backup, damage, told):
    with open_archive(backup) as archive:
        assert len(b"".join(archive.read("secret-key"))) == 50
    damage(backup)
    with pytest.raises(BackupError, match=told) as raised, open_archive(backup):
        pass
    assert len(str(raised.value).splitlines()) == 1


def test_a_backup_is_not_written_over_a_file(backup):
    before = backup.read_bytes()
    with pytest.raises(BackupError, match="already exists"), create_archive(backup):
        pass
    assert backup.read_bytes() == before


def test_a_backup_that_cannot_be_finished_leaves_no_file(tmp_path):
    def fail():
        with create_archive(tmp_path / "backup") as writer:
            with writer.open("secret-key") as member:
                member.write(b"x")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert list(tmp_path.iterdir()) == []


def be_killed(hold):
    """Kill a process in the middle of `hold`, a function that returns a context manager."""
    pid = os.fork()
    if pid == 0:
        with hold():
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)


def test_a_killed_backup_leaves_nothing_that_looks_whole_and_the_next_one_clears_up(db, tmp_path):
    be_killed(lambda: create_archive(tmp_path / "backup"))
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".")
    with pytest.raises(BackupError, match="contains no backup"):
        find_newest(tmp_path)
    # One that still runs stays.
    with hold_folder(tmp_path, ".diplomaccloud-backup-") as held:
        with create_archive(tmp_path / "backup") as writer:
            writer.finish({**ABOUT, "migrations": {}})
        assert held.is_dir()
    assert [path.name for path in tmp_path.iterdir()] == ["backup"]


def make_named(folder, day, site):
    path = name_backup(folder, dt.datetime(2026, 11, day, 3, tzinfo=dt.UTC))
    with create_archive(path) as writer:
        writer.finish({**ABOUT, "migrations": {}, "site": site})
    return path


def test_only_older_backups_of_this_site_that_it_named_itself_are_removed(db, tmp_path):
    own = identify_site()
    backups = [make_named(tmp_path, day, own) for day in range(1, 6)]
    other = make_named(tmp_path, 7, "another site")
    no_backup = name_backup(tmp_path, dt.datetime(2026, 11, 8, tzinfo=dt.UTC))
    no_backup.write_text("notes")
    renamed = backups[0].rename(tmp_path / "before-the-upgrade.backup")
    link = name_backup(tmp_path, dt.datetime(2026, 11, 9, tzinfo=dt.UTC))
    link.symlink_to(renamed)
    assert find_newest(tmp_path) == backups[-1]
    assert remove_older(backups[-1], 2) == [backups[2], backups[1]]
    assert {*tmp_path.iterdir()} == {*backups[3:], other, no_backup, renamed, link}
    # The clock was ahead once.
    assert remove_older(backups[3], 1) == [backups[4]]
    assert backups[3].exists()


def test_older_backups_are_kept_unless_there_is_a_folder(db, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("diplomaccloud.cli.site.open_site", lambda _: None)
    assert main(["backup", "--keep", "3", str(tmp_path / "backup")]) == 2
    assert "--keep needs a folder" in capsys.readouterr().err
    assert not (tmp_path / "backup").exists()


def test_a_client_that_is_older_than_its_server_is_found(db, tmp_path, monkeypatch):
    class Server:
        def __init__(self, vendor, version):
            self.vendor, self.mysql_is_mariadb = vendor, vendor == "mysql"
            self.get_database_version = lambda: version

    for name, words in (
        ("pg_dump", "pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"),
        ("mariadb-dump", "mariadb-dump from 11.8.6-MariaDB, client 10.19 for debian-linux-gnu"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{words}'\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for vendor, version, told in (
        ("postgresql", (17, 6), "pg_dump 15 is older than the server 17"),
        ("postgresql", (15, 20), ""),
        ("mysql", (12, 1, 2), "mariadb-dump 11.8 is older than the server 12.1"),
        ("mysql", (11, 8, 9), ""),
    ):
        monkeypatch.setattr(backups, "connection", Server(vendor, version))
        assert find_old_client().startswith(told)
        assert bool(find_old_client()) == bool(told)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(BackupError, match="apt install mariadb-client"):
        find_old_client()


def add_future(manifest):
    manifest["vendor"] = connection.vendor
    manifest["migrations"]["games"].append("9999_from_the_future")


def leave_oldest(manifest):
    manifest["vendor"] = connection.vendor
    manifest["migrations"]["games"] = ["0001_first"]


def change_vendor(manifest):
    manifest["vendor"] = "sqlite" if connection.vendor != "sqlite" else "mysql"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (add_future, "install that release first"),
        (leave_oldest, f"restore it with commit {BRIDGE} first"),
        (change_vendor, "but DATABASE_URL is for"),
    ],
)
def test_a_backup_that_does_not_fit_is_refused(
    db, backup, tmp_path, monkeypatch, change, told, capsys
):
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path / "data")
    change_manifest(backup, change)
    assert main(["restore", str(backup)]) == 2
    written = capsys.readouterr()
    assert (told in written.err, written.out) == (True, "")
    assert [path.name for path in Path(tmp_path, "data").iterdir()] == ["lock"]


def test_a_site_that_runs_is_not_replaced(db, backup, tmp_path, monkeypatch):
    import fcntl

    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BackupError, match="stop it first"):
            restore_backup(backup, replace=True, sample=1)


def test_a_backup_and_its_name_are_on_the_disk(disk, backup):
    assert disk.has_content(backup)
    assert disk.has_name(backup)


@pytest.fixture
def restore(tmp_path, monkeypatch):
    """A function that restores a backup over a database of SQLite, and returns its path."""
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path / "data")
    target = tmp_path / "site.sqlite3"
    with closing(sqlite3.connect(target)) as database:
        database.execute("CREATE TABLE old (number)")
    before = connections["default"]
    connections["default"] = connect(f"sqlite:///{target}")

    def run(path, while_adjudicating=lambda _target: None):
        monkeypatch.setattr(
            backups, "_bring_up_to_date", lambda _sample: while_adjudicating(target)
        )
        restore_backup(path, replace=True, sample=1)
        return target

    yield run
    connections["default"].close()
    connections["default"] = before


def test_restored_files_are_on_the_disk(backup, restore, disk):
    target = restore(backup)
    assert target.stat().st_size == 9_000
    for path in (target, settings.DATA_DIR / "secret-key"):
        assert disk.has_content(path)
    assert disk.has_name(settings.DATA_DIR / "secret-key")


def test_a_site_that_starts_during_a_restore_is_not_replaced(backup, restore):
    with ExitStack() as stack:

        def start_site(target):
            site = stack.enter_context(closing(sqlite3.connect(target)))
            site.execute("PRAGMA journal_mode=WAL")
            site.execute("SELECT * FROM old").fetchall()

        with pytest.raises(BackupError, match="in use"):
            restore(backup, start_site)
    with closing(sqlite3.connect(Path(connections["default"].settings_dict["NAME"]))) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("old",)]
