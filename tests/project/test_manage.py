"""`diplomaccloud manage` without a site: one line of error, and nothing is created."""

import os
import subprocess
import sys

import pytest
from judge.tests.effort import PATIENCE


def manage(*arguments: str, at) -> subprocess.CompletedProcess[str]:
    set_here = ("DATABASE_URL", "DIPLOMACCLOUD_", "DJANGO_SETTINGS_MODULE")
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(set_here)
    }
    return subprocess.run(
        [sys.executable, "-m", "diplomaccloud", "manage", *arguments],
        cwd=at,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("command", [("release", "abc"), ("worker",), ("changepassword", "Alice")])
def test_a_command_without_a_site_fails_and_creates_nothing(command, tmp_path):
    done = manage(*command, at=tmp_path)
    assert done.returncode == 2
    assert str(tmp_path / "data") in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_database_without_tables_is_reported(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "diplomaccloud.sqlite3").touch()
    done = manage("release", "abc", at=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[1:] == [
        "diplomaccloud: the database has no tables yet "
        "(create them with `diplomaccloud manage migrate`)"
    ]


@pytest.mark.long
def test_migrate_reports_its_own_errors(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "diplomaccloud.sqlite3").write_bytes(b"not a database, but some text" * 9)
    done = manage("migrate", at=tmp_path)
    assert done.returncode != 0
    assert "file is not a database" in done.stderr
    assert "no tables yet" not in done.stderr


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        (["--help"], "resume a suspended game"),
        (["-h"], "manage help COMMAND"),
        ([], "rotatekey"),
        (["help"], "changepassword"),
        (["release", "--help"], "the last part of the game's URL"),
    ],
)
def test_help_works_anywhere_and_creates_nothing(asked, part, tmp_path):
    done = manage(*asked, at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert part in done.stdout
    assert list(tmp_path.iterdir()) == []
