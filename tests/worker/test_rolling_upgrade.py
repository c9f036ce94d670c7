"""Web servers and workers of this release and the previous one run together on one database.

`DIPLOMACCLOUD_OLD` names the old one, a commit; without it, that is the commit before this one.
"""

import datetime as dt
import json
import os
import subprocess
import sys

import pytest
from django.core.management import call_command
from django.utils import timezone
from tests.worker.separate_site import LENGTH, ROOT, Launcher, make_games, wait_until
from tests.worker.test_backup import empty_database, use

from diplomaccloud.games.models import Event, Game, OrderRow, Phase

GAMES = 6
SECONDS = 5


@pytest.fixture
def old_tree(tmp_path):
    """A checkout of the previous release."""
    name = os.environ.get("DIPLOMACCLOUD_OLD", "HEAD~1")
    git = ["git", "-C", str(ROOT)]
    tree = tmp_path / "old"
    made = subprocess.run(
        [*git, "worktree", "add", "--detach", str(tree), name], capture_output=True
    )
    if made.returncode:
        pytest.skip(f"there is no commit {name} here")
    yield tree
    subprocess.run([*git, "worktree", "remove", "--force", str(tree)], check=True)


def migrate_old(tree, url, place):
    """Let the old release make its tables."""
    variables = os.environ | {
        "DIPLOMACCLOUD_DATABASE_URL": url,
        "DIPLOMACCLOUD_DATA": str(place),
        "PYTHONPATH": f"{tree / 'src'}",
    }
    command = [sys.executable, "-m", "diplomaccloud", "manage", "migrate", "-v", "0"]
    subprocess.run(command, env=variables, cwd=tree, check=True)


@pytest.mark.real_database
def test_old_and_new_processes_play_on_one_database(
    old_tree, tmp_path, times, django_db_setup, django_db_blocker
):
    if times == 1:
        pytest.skip("scripts/long-trials upgrade runs this")
    with (
        django_db_blocker.unblock(),
        empty_database(tmp_path) as url,
        use(url),
    ):
        migrate_old(old_tree, url, tmp_path)
        with Launcher(url, tmp_path, old_tree) as old, Launcher(url, tmp_path) as new:
            play(old, new, tmp_path, times)


def play(old, new, place, times):
    """Migrate while the old release works, and play on both until the orders are closed."""
    old.start("worker", 0.02)
    call_command("migrate", verbosity=0)
    began = timezone.now() - LENGTH + dt.timedelta(seconds=SECONDS * times)
    games = {give_address(slug): people for slug, people in make_games(GAMES, now=began).items()}
    gate = place / "gate"
    gate.touch()
    sites = {}
    for name, launcher in (("old", old), ("new", new)):
        folder = place / f"saved by {name}"
        folder.mkdir()
        people = [(slug, maker) for slug, (maker, _) in games.items()]
        sites[folder] = launcher.start("site", people, str(gate), str(folder)), launcher
    new.start("worker", 0.02)
    wait_until(lambda: not Phase.objects.filter(sequence=1, processed_at=None).exists())
    for folder, (pid, launcher) in sites.items():
        launcher.wait(pid)
        assert count_saves(folder) >= GAMES
    processed = Event.objects.filter(kind="processed")
    assert sorted(processed.values_list("game__slug", flat=True)) == sorted(games)
    assert not Game.objects.exclude(suspended_reason="").exists()
    assert Phase.objects.filter(sequence=2).count() == len(games)
    assert OrderRow.objects.filter(draft__phase__sequence=1).exists()


def give_address(slug):
    """Give a game an address that a web server accepts, and return it."""
    address = f"upgraded{'abcdefghij'[int(slug[-1])]}x"
    Game.objects.filter(slug=slug).update(slug=address)
    return address


def count_saves(folder):
    """Return how many saves the site accepted; it refused none that came in time."""
    lines = [json.loads(line) for path in folder.iterdir() for line in path.open()]
    assert {status for status, _, _ in lines} <= {303, 409}
    return sum(status == 303 for status, _, _ in lines)
