"""Only the worker copies SQLite's log into the database, while nobody writes."""

import sqlite3
from contextlib import closing

import pytest

from diplomaccloud.project.databases import parse_database_url
from diplomaccloud.worker import checkpoints
from diplomaccloud.worker.checkpoints import MAX_BYTES, checkpoint_file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "site.sqlite3"


@pytest.fixture
def site(path):
    """A connection with the settings of a site."""
    options = parse_database_url("", default=path)["OPTIONS"]
    with closing(sqlite3.connect(path, timeout=0.05, isolation_level=None)) as connection:
        connection.executescript(options["init_command"])
        connection.execute("CREATE TABLE texts (text)")
        yield connection


def write(connection, rows=100):
    for _ in range(rows):
        connection.execute("INSERT INTO texts VALUES (?)", ["x" * 40_000])


def log_size(path):
    return path.with_name(f"{path.name}-wal").stat().st_size


def test_no_connection_of_the_site_copies_the_log(site, path):
    before = path.stat().st_size
    write(site, 300)
    assert log_size(path) > 12_000_000  # SQLite would copy it at 4 MB
    assert path.stat().st_size == before


def test_the_worker_copies_a_long_log_and_writers_begin_it_again(site, path):
    write(site, 150)
    size = log_size(path)
    assert checkpoint_file(path)
    assert path.stat().st_size > 6_000_000
    write(site, 50)
    assert log_size(path) <= MAX_BYTES < size
    assert not checkpoint_file(path)
    assert site.execute("SELECT count(*) FROM texts").fetchone() == (200,)


def test_a_short_log_is_left_alone(site, path):
    write(site, 10)
    assert not checkpoint_file(path)


def test_nothing_is_copied_while_somebody_writes(site, path):
    write(site, 150)
    before = path.stat().st_size
    site.execute("BEGIN IMMEDIATE")
    assert not checkpoint_file(path, wait=0.01)
    assert path.stat().st_size == before
    site.execute("ROLLBACK")
    assert checkpoint_file(path)


def test_a_reader_of_old_pages_keeps_nobody_waiting(site, path):
    write(site, 150)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM texts").fetchone()
        write(site, 100)
        assert checkpoint_file(path)
        assert reader.execute("SELECT count(*) FROM texts").fetchone() == (150,)


def test_a_database_without_a_log_is_left_alone(tmp_path):
    assert not checkpoint_file(tmp_path / "none.sqlite3")
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_database_does_not_stop_other_work(db, monkeypatch):
    def fail(*_args):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(checkpoints, "checkpoint_file", fail)
    assert not checkpoints.checkpoint_database()
