"""Workers killed at random in mid-phase lose nothing and do nothing twice."""

import os
import random
import select
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

KILLS = 8
MAKE_GAMES = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
import datetime as dt
from django.utils import timezone
from diplomaccloud.accounts.models import User
from diplomaccloud.games import actions
from diplomaccloud.games.actions import GamePlan
from diplomaccloud.games.models import Phase, Seat
from diplomaccloud.games.options import Ends, Options
from diplomaccloud.games.schedule import Interval, Lengths, Schedule
from diplomaccloud.maps.library import store_standard
now = timezone.now()
user = User.objects.create_user("alice")
day = dt.timedelta(days=1)
for number in range(2):
    plan = GamePlan(world=f"World {number}", map_hash=store_standard(now=now),
                    options=Options(Schedule(Interval(Lengths(day, day, day))),
                                    fill_with="random", ends=Ends(last_year=1902)))
    game = actions.create_game(plan=plan, creator_id=user.pk, now=now, slug=f"kill{number}",
                               code="x", seed=f"kill {number}")
    actions.start_game(slug=game.slug, user_id=user.pk, now=now)
# Only bots: every phase is due as soon as it opens, so the workers never rest.
Seat.objects.update(user=None, bot="random")
Phase.objects.update(due_at=now, adjudicate_at=now)
"""


@pytest.fixture
def environment(tmp_path):
    return os.environ | {
        "DIPLOMACCLOUD_DATA": str(tmp_path),
        "DIPLOMACCLOUD_SECRET_KEY": "x",
        "DIPLOMACCLOUD_LOG_LEVEL": "ERROR",
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
    }


def start_worker(environment):
    script = Path(__file__).with_name("killed_worker.py")
    worker = subprocess.Popen(
        [sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True
    )
    told, _, _ = select.select([worker.stdout], [], [], 20)
    if not told:
        worker.kill()
    assert told, "no phase is left to claim, though no game has ended"
    assert worker.stdout.readline() == "claimed\n"
    return worker


def rows(path, query):
    connection = sqlite3.connect(path / "diplomaccloud.sqlite3", timeout=20)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_nothing_is_lost_or_doubled(environment, tmp_path):
    made = subprocess.run([sys.executable, "-c", MAKE_GAMES], env=environment, check=False)
    assert made.returncode == 0
    rng = random.Random(1)
    killed_in_lease = 0
    for _ in range(KILLS):
        worker = start_worker(environment)
        time.sleep(rng.uniform(0, 0.7))
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        worker.stdout.close()
        killed_in_lease += len(
            rows(
                tmp_path,
                "SELECT 1 FROM games_phase WHERE processed_at IS NULL AND lease_owner != ''",
            )
        )
    assert killed_in_lease, "no worker was killed while it held a lease"
    finish(environment, tmp_path)
    check_history(tmp_path)


def finish(environment, path):
    """Let one worker end the games undisturbed."""
    worker = start_worker(environment)
    drain = threading.Thread(target=worker.stdout.read)
    drain.start()
    try:
        end = time.monotonic() + 120
        while rows(path, "SELECT 1 FROM games_game WHERE status != 'finished'"):
            assert time.monotonic() < end, rows(path, "SELECT slug, alarm FROM games_game")
            time.sleep(0.2)
    finally:
        worker.terminate()
        assert worker.wait(timeout=20) == 0
        drain.join()
        worker.stdout.close()


def check_history(path):
    assert rows(path, "SELECT alarm FROM games_game WHERE alarm != ''") == []
    phases = rows(
        path,
        "SELECT game_id, sequence, name FROM games_phase WHERE processed_at IS NOT NULL"
        " ORDER BY game_id, sequence",
    )
    assert rows(path, "SELECT 1 FROM games_phase WHERE processed_at IS NULL") == []
    by_game = {}
    for game, sequence, name in phases:
        by_game.setdefault(game, []).append((sequence, name))
    assert len(by_game) == 2
    for history in by_game.values():
        assert [sequence for sequence, _ in history] == list(range(1, len(history) + 1))
        assert [name for _, name in history if name.endswith("M")] == [
            f"{season}{year}M" for year in (1901, 1902) for season in "SF"
        ]
    told = rows(
        path,
        "SELECT game_id, key FROM games_event WHERE kind = 'processed' ORDER BY game_id, id",
    )
    assert told == [(game, f"processed {sequence}") for game, sequence, _ in phases]
    # Each bot gave its orders once in each phase in which it had any.
    submitted = rows(path, "SELECT COUNT(*) FROM games_submission")
    saved = rows(path, "SELECT COUNT(*) FROM games_event WHERE kind = 'saved'")
    assert saved == submitted
