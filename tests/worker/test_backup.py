"""A backup that is made while workers process games is one moment of the site, and plays on."""

import contextlib
import datetime as dt
import os
import secrets
import subprocess
import sys
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings
from django.db import connection, connections
from django.utils import timezone
from tests.worker.separate_site import (
    LENGTH,
    Launcher,
    connect,
    make_games,
    use_own_database,
    wait_until,
)

from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.log_models import Event, RecordLine
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.project import backup
from diplomaccloud.project.backup import (
    BackupError,
    create_archive,
    dump_server,
    make_backup,
    restore_backup,
)
from diplomaccloud.project.backup_trial import _name_trials
from diplomaccloud.worker.health import Pulse
from diplomaccloud.worker.models import Heartbeat, Upkeep

GAMES = 20
KEY = "the key of the old machine"


def call(url, data, *arguments):
    """Run a command for the site at `url` with its directory `data`, in another process."""
    command = [sys.executable, "-m", "diplomaccloud", *map(str, arguments)]
    variables = build_variables(url, data)
    done = subprocess.run(command, env=variables, capture_output=True, text=True)
    place, _, done.stderr = done.stderr.partition("\n")
    assert place.startswith(f"The site is in {data}")
    return done


def build_variables(url, data):
    variables = os.environ | {
        "DIPLOMACCLOUD_DATABASE_URL": url,
        "DIPLOMACCLOUD_DATA": str(data),
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
    }
    variables.pop("DIPLOMACCLOUD_SECRET_KEY", None)
    return variables


@contextlib.contextmanager
def empty_database(place):
    """Yield the URL of a database without tables."""
    if not settings.CHECKS_DATABASE:
        yield f"sqlite:///{place}/restored.sqlite3"
        return
    name, server = f"restored_{secrets.token_hex(4)}", connection
    with server._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(settings.CHECKS_DATABASE)._replace(path=f"/{name}"))
    finally:
        with server._nodb_cursor() as cursor:
            force = " WITH (FORCE)" if server.vendor == "postgresql" else ""
            cursor.execute(f"DROP DATABASE {name}{force}")


@contextlib.contextmanager
def use(url):
    """Let this process ask the database at `url`."""
    before = connections["default"]
    connections["default"] = connect(url)
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = before


@pytest.mark.long
@pytest.mark.real_database
def test_a_backup_of_a_running_site_is_restored_and_play_goes_on(
    site, tmp_path, times, monkeypatch
):
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "backup"
    for place in (old, new):
        place.mkdir()
    (old / "secret-key").write_text(KEY)
    monkeypatch.setattr(settings, "DATA_DIR", old)
    monkeypatch.delenv("DIPLOMACCLOUD_SECRET_KEY")
    began = timezone.now() - LENGTH - dt.timedelta(minutes=1)
    games = make_games(GAMES * times, now=began)
    site.start("worker", 0.02)
    wait_until(lambda: Event.objects.filter(kind="processed").count() > 2)
    monkeypatch.setenv("DIPLOMACCLOUD_STORAGE_URL", "s3://elsewhere")
    (warning,) = make_backup(file)
    assert "DIPLOMACCLOUD_STORAGE_URL are not in the backup" in warning
    assert file.stat().st_mode & 0o777 == 0o600
    wait_until(lambda: Event.objects.filter(kind="processed").count() == len(games))

    with empty_database(new) as target:
        restored = call(target, new, "restore", file)
        assert (restored.returncode, restored.stderr) == (0, "")
        assert "all are as recorded" in restored.stdout
        assert (new / "secret-key").read_text() == KEY
        monkeypatch.setattr(settings, "DATA_DIR", new)
        with use(target), Launcher(target, new) as launcher:
            require_one_moment(games)
            assert Upkeep.objects.get(kind="backup").done_at < timezone.now()
            with pytest.raises(BackupError, match="is not empty"):
                restore_backup(file, replace=False, sample=1)
            Heartbeat.objects.all().delete()
            Game.objects.update(world="Lost")
            restore_backup(file, replace=True, sample=1)
            require_one_moment(games)
            launcher.start("worker", 0)
            wait_until(lambda: not Phase.objects.filter(sequence=1, processed_at=None).exists())
            slug, (maker, _) = next(iter(games.items()))
            now = {"now": timezone.now(), "choices": [], "sheet": ""}
            save_orders(slug=slug, user_id=maker, sequence=2, **now)
            with pytest.raises(BackupError, match="stop the site first"):
                restore_backup(file, replace=True, sample=1)


@pytest.mark.parametrize("runs", [True, False])
def test_a_worker_that_has_just_stopped_is_waited_for(db, monkeypatch, runs):
    worker = Pulse("worker")
    worker.beat(now=timezone.now())
    naps = []

    def nap(seconds):
        naps.append(seconds)
        if runs:
            worker.beat(now=timezone.now() + dt.timedelta(seconds=10))
        elif len(naps) == 3:
            monkeypatch.setattr(backup, "MAX_SILENCE", dt.timedelta(0))

    monkeypatch.setattr(backup.time, "sleep", nap)
    refused = pytest.raises(BackupError, match="stop the site first")
    with refused if runs else contextlib.nullcontext():
        backup._wait_for_silence("the database games")
    assert len(naps) == (1 if runs else 3)


@pytest.fixture
def own_site(tmp_path, django_db_setup, django_db_blocker):
    """Return the URL of a fresh database, which this process also uses, and a data directory."""
    data = tmp_path / "data"
    data.mkdir()
    with django_db_blocker.unblock(), use_own_database(data) as url:
        yield url, data


@pytest.mark.long
@pytest.mark.real_database
def test_a_killed_trial_is_cleared_up_by_the_next_one_and_its_date_is_noted(own_site, tmp_path):
    url, data = own_site
    games = make_games(2, now=timezone.now())
    made = call(url, data, "backup", "--keep", "2", tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    trial = [sys.executable, "-m", "diplomaccloud", "restore", "--trial", str(tmp_path)]
    with subprocess.Popen(trial, env=build_variables(url, data), stdout=subprocess.PIPE) as killed:
        wait_until(lambda: list_trials(data))
        killed.kill()
    assert list_trials(data)
    done = call(url, data, *trial[3:])
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 games with 0 phases were adjudicated again" in done.stdout
    assert list_trials(data) == []
    assert set(Game.objects.values_list("slug", flat=True)) == set(games)
    assert {*Upkeep.objects.values_list("kind", flat=True)} == {"backup", "trial"}


def test_databases_with_names_that_begin_alike_share_no_trials():
    long = "a" * 60
    names = [_name_trials(name) for name in ("games", long, f"{long}b")]
    assert names[0] == "games_trial_"
    assert names[1] != names[2]
    assert max(len(f"{name}01234567") for name in names) <= 63  # as long as PostgreSQL allows


def list_trials(data):
    """Return what trials have left behind, or are using."""
    if connection.vendor == "sqlite":
        return [*data.glob(".trial-*")]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database"
            if connection.vendor == "postgresql"
            else "SELECT schema_name FROM information_schema.schemata"
        )
        names = [name for (name,) in cursor.fetchall()]
    return [name for name in names if name.startswith(f"{connection.settings_dict['NAME']}_trial_")]


def require_one_moment(games):
    """Every phase in the copy is processed with everything that belongs to it, or not at all."""
    assert set(Game.objects.values_list("slug", flat=True)) == set(games)
    assert not Game.objects.filter(world="Lost").exists()
    processed = Event.objects.filter(kind="processed").count()
    assert Phase.objects.filter(sequence=1).exclude(processed_at=None).count() == processed
    assert Phase.objects.filter(sequence=2).count() == processed
    for game in Game.objects.all():
        assert RecordLine.objects.filter(game=game).count() == game.record_length


def test_a_password_is_on_no_command_line(db, tmp_path, monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no passwords; ./check postgresql and ./check mariadb run this")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("pg_dump", "mariadb-dump"):
        program = programs / name
        words = f'echo "$@" >>{tmp_path}/words'
        program.write_text(f"#!/bin/sh\n{words}\necho Access denied >&2\nexit 1\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    given = connection.settings_dict | {"PASSWORD": "sesame"}
    with (
        pytest.raises(BackupError, match=r"Access denied \(set DIPLOMACCLOUD_OWNER_DATABASE_URL"),
        create_archive(tmp_path / "backup") as writer,
    ):
        dump_server(connection.vendor, given, writer)
    assert "sesame" not in (tmp_path / "words").read_text()
    assert not (tmp_path / "backup").exists()
    assert not list(tmp_path.glob(".*part"))
