"""`diplomaccloud play` as a newcomer starts it: an empty directory, a page, a clean end.

It also starts it as someone who has only a backup.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from judge.tests.effort import PATIENCE
from tests.ports import hold_port

DATABASE = "diplomaccloud.sqlite3"


class First(NamedTuple):
    place: Path
    url: str
    home: str
    lobby: str
    printed: str


def page(url):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url) as answer:  # noqa: S310 our own server
                return answer.read().decode()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError("the site never answered")


@contextmanager
def playing(place, data):
    """Play in the folder `place`; yields the address, and what was printed once it is over."""
    port = hold_port()
    away = ("DIPLOMACCLOUD_", "DJANGO_", "DATABASE_URL")
    site = subprocess.Popen(
        [sys.executable, "-P", "-m", "diplomaccloud", "play", "--port", str(port), "--data", data],
        cwd=place,
        env={name: value for name, value in os.environ.items() if not name.startswith(away)},
        stdout=subprocess.PIPE,
        text=True,
    )
    printed = []
    try:
        yield f"http://127.0.0.1:{port}", printed
    finally:
        site.send_signal(signal.SIGINT)
        printed += site.communicate(timeout=PATIENCE)[0].splitlines()
    assert site.returncode == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """What a site showed and printed that began in an empty directory, and a backup of it."""
    place = tmp_path_factory.mktemp("first")
    # Files in the person's current directory must not be mistaken for libraries.
    (place / "click.py").write_text("raise SystemExit('a file of the person at the keyboard')")
    (place / "restored").mkdir()
    with playing(place, "data") as (url, printed):
        home, lobby = page(f"{url}/"), page(f"{url}/games/")
        with closing(sqlite3.connect(place / "data" / DATABASE)) as database:
            database.execute("VACUUM INTO ?", [str(place / "restored" / DATABASE)])
        shutil.copy(place / "data" / "secret-key", place / "restored")
    return First(place, url, home, lobby, "\n".join(printed))


@pytest.mark.long
def test_the_site_comes_up_anywhere_and_shows_the_demo(first):
    assert "Play now" in first.home
    assert "Europe" in first.lobby
    assert re.search(r"Log in as demo with the password \S{12}\n", first.printed)
    assert f"{first.url.replace('127.0.0.1', 'localhost')}/" in first.printed


@pytest.mark.long
def test_a_backup_made_while_the_site_runs_is_a_site_whose_games_go_on(first):
    games = set(re.findall(r'href="/games/([a-z2-9]{10})/"', first.lobby))
    with closing(sqlite3.connect(first.place / "restored" / DATABASE)) as database, database:
        database.execute("UPDATE games_phase SET due_at = opens_at, adjudicate_at = opens_at")
        # The lobby may already show a next game, which waits for players.
        running = database.execute("SELECT slug FROM games_game WHERE status = 'running'")
        games &= {slug for (slug,) in running}
    assert games
    with playing(first.place, "restored") as (url, _):
        assert all(goes_on(f"{url}/games/{game}/") for game in games)
        assert json.loads(page(f"{url}/health"))["well"]
        # A worker that dies comes back, and the web server keeps serving.
        died = find_worker(first.place)
        os.kill(died, signal.SIGKILL)
        assert "Europe" in page(f"{url}/games/")
        end = time.monotonic() + PATIENCE
        while find_worker(first.place) in (None, died):
            assert time.monotonic() < end
            time.sleep(0.2)


def find_worker(place):
    """Return the id of the process that is the worker of a site under `place`, None if dead."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (process / "cmdline").read_text().split("\0")
            here = (process / "cwd").readlink().is_relative_to(place)
            if here and {"manage", "worker"}.issubset(command):
                return int(process.name)
    return None


def goes_on(game):
    """Return whether the game comes to its second turn in time."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if "Fall 1901" in page(game):
            return True
        time.sleep(0.2)
    return False
