"""The environment that `play` sets is what the settings read."""

import os
import subprocess
import sys

import pytest
from django import db as django_db
from django.core import management
from django.db import OperationalError, connection, connections
from django.db.migrations.recorder import MigrationRecorder
from tests.ports import hold_port
from tests.worker.separate_site import connect

from diplomaccloud.project import demo, play
from diplomaccloud.project.databases import close_connections
from diplomaccloud.project.play import build_environment

SETTINGS = """
from diplomaccloud.project.settings import ALLOWED_HOSTS, DATA_DIR
print(DATA_DIR, *ALLOWED_HOSTS)
"""


def read_settings(environment: dict[str, str]) -> list[str]:
    found = subprocess.run(
        [sys.executable, "-c", SETTINGS],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.split()


@pytest.mark.parametrize(
    ("host", "names"),
    [
        ("0.0.0.0", ["*"]),  # noqa: S104
        ("::", ["*"]),
        ("games.example", ["games.example", "localhost", "127.0.0.1", "[::1]"]),
    ],
)
def test_the_site_answers_to_the_name_it_listens_on(tmp_path, monkeypatch, host, names):
    monkeypatch.delenv("DIPLOMACCLOUD_ALLOWED_HOSTS", raising=False)
    assert read_settings(build_environment(host, tmp_path)) == [str(tmp_path), *names]


def test_variables_that_are_set_win_except_for_the_locked_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_ALLOWED_HOSTS", "mine.example")
    monkeypatch.setenv("DIPLOMACCLOUD_DATA", str(tmp_path / "elsewhere"))
    assert read_settings(build_environment("::", tmp_path)) == [str(tmp_path), "mine.example"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EMAIL_URL", "imap://mail.example"),
        ("EMAIL_FROM", "nobody"),
        ("DATABASE_URL", "ftp://x"),
        ("PROXIES", "-1"),
    ],
)
def test_a_bad_setting_is_reported_on_one_line(tmp_path, name, value):
    ours = {"DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings"}
    port = str(hold_port())
    found = subprocess.run(
        [sys.executable, "-m", "diplomaccloud", "play", "--port", port, "--data", "site"],
        env=os.environ | ours | {f"DIPLOMACCLOUD_{name}": value},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    (line,) = found.stderr.splitlines()
    assert line.startswith("diplomaccloud: ")


@pytest.fixture
def calls(monkeypatch):
    """What `play` does before it serves, instead of doing it."""
    calls = []
    monkeypatch.setattr(management, "call_command", lambda name, **_: calls.append(name))
    monkeypatch.setattr(demo, "make_demo", lambda: calls.append("demo"))
    monkeypatch.setattr(play, "close_connections", lambda: calls.append("closed"))
    return calls


def test_a_current_database_is_not_migrated(db, calls):
    play._prepare()
    assert calls == ["demo", "closed"]


@pytest.mark.parametrize(
    ("app", "name", "applied"),
    [
        pytest.param("games", None, False, id="older"),
        pytest.param("games", "9999_from_the_future", True, id="newer"),
    ],
)
def test_a_database_of_another_release_is_migrated(db, calls, app, name, applied):
    """For example one that was restored after the last start."""
    recorder = MigrationRecorder(connection)
    if applied:
        recorder.record_applied(app, name)
    else:
        newest = max(known for label, known in recorder.applied_migrations() if label == app)
        recorder.record_unapplied(app, newest)
    play._prepare()
    assert calls == ["migrate", "demo", "closed"]


def test_an_empty_database_is_migrated(tmp_path, calls, monkeypatch, django_db_blocker):
    empty = connect(f"sqlite:///{tmp_path}/site.sqlite3")
    monkeypatch.setattr(django_db, "connection", empty)
    with django_db_blocker.unblock():
        play._prepare()
        empty.close()
    assert calls == ["migrate", "demo", "closed"]


def test_a_connection_and_its_pool_are_closed(tmp_path, django_db_blocker):
    calls = []
    before = connections["default"]
    connections["default"] = connect(f"sqlite:///{tmp_path}/site.sqlite3")
    try:
        connections["default"].close_pool = lambda: calls.append("pool")
        with django_db_blocker.unblock():
            connections["default"].ensure_connection()
        close_connections()
        assert connections["default"].connection is None
        assert calls == ["pool"]
    finally:
        connections["default"] = before


@pytest.mark.parametrize(
    ("reason", "fix"),
    [("database or disk is full", "free some space"), ("unable to open", "(check|start)")],
)
def test_a_database_that_fails_during_preparation_gets_one_sentence(db, monkeypatch, reason, fix):
    def fail():
        raise OperationalError(f"{reason}\nDETAIL: sesame")

    monkeypatch.setattr("diplomaccloud.project.demo.make_demo", fail)
    monkeypatch.setattr("diplomaccloud.shared.upgrades.is_current", lambda _: True)
    monkeypatch.setattr("django.setup", lambda: None)
    with pytest.raises(play.StartupError, match=f"{reason} .*{fix}") as raised:
        play._prepare()
    assert "sesame" not in str(raised.value)
