"""Web servers and workers of this release and the previous one run together on one database.

`DIPLOMACCLOUD_OLD` names the old one, a commit; without it, that is the commit before this one.
"""

import datetime as dt
import json
import os
import subprocess
import sys
import time

import httpx
import pytest
from django.core.management import call_command
from django.utils import timezone
from judge.tests.effort import PATIENCE
from tests.api.calls import token_of
from tests.ports import hold_port
from tests.worker.separate_site import (
    ROOT,
    Launcher,
    answers,
    make_games,
    serve_site,
    wait_until,
)
from tests.worker.site_clients import Reader, Saver
from tests.worker.test_backup import empty_database, use
from tests.worker.test_machines import (
    SAVED,
    TOO_LATE,
    check_orders,
    check_phases,
    check_streams,
    kill_group,
    list_events,
)

from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import OrderRow, Phase

pytestmark = pytest.mark.long

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
        "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree / 'judge/src'}",
    }
    command = [sys.executable, "-m", "diplomaccloud", "manage", "migrate", "-v", "0"]
    subprocess.run(command, env=variables, cwd=tree, check=True)


@pytest.fixture
def releases(old_tree, tmp_path, times, django_db_setup, django_db_blocker):
    """Launchers of both releases on one database with the tables of the old one, and its URL."""
    if times == 1:
        pytest.skip("scripts/long-trials upgrade runs this")
    with (
        django_db_blocker.unblock(),
        empty_database(tmp_path) as url,
        use(url),
    ):
        migrate_old(old_tree, url, tmp_path)
        with Launcher(url, tmp_path, old_tree) as old, Launcher(url, tmp_path) as new:
            yield old, new, url


@pytest.mark.real_database
def test_old_and_new_processes_play_on_one_database(releases, tmp_path, times):
    old, new, _ = releases
    play(old, new, tmp_path, times)


@pytest.mark.real_database
def test_players_notice_nothing_while_servers_are_replaced(releases, old_tree, times):
    """Requests go to the old server, then to both, then to the new one, as a proxy sends them."""
    old, new, url = releases
    replace_servers(old, new, url, old_tree, times)


def replace_servers(old, new, url, old_tree, times):
    """Replace the old web server and worker in the middle of a phase that people order for."""
    place, variables = old_tree.parent, {"DIPLOMACCLOUD_DATABASE_URL": url}
    first = hold_port()
    ports, servers = [first], [serve_site(first, place, variables, old_tree)]
    try:
        old_worker = old.start("worker", 0.02)
        call_command("migrate", verbosity=0)
        games = {give_address(slug) for slug in make_games(GAMES, now=timezone.now())}
        seats = list(Seat.objects.select_related("game__chart").order_by("pk"))
        tokens = {user_id: token_of(user_id) for user_id in {seat.user_id for seat in seats}}
        wait_until(lambda: answers(first))
        readers, savers = [], []
        for seat in seats:
            token = tokens[seat.user_id]
            readers.append(Reader(ports, seat.game.slug, seat.user_id, token))
            savers.append(Saver(ports, seat, token))
        for client in [*readers, *savers]:
            client.start()
        look_for(SECONDS * times, ports, games)
        second = hold_port()
        servers.append(serve_site(second, place, variables))
        new_worker = new.start("worker", 0.02)
        wait_until(lambda: answers(second))
        ports.append(second)
        look_for(SECONDS * times, ports, games)
        ports.remove(first)
        old.dismiss([old_worker])
        servers[0].terminate()
        assert servers[0].wait(PATIENCE) == 0
        look_for(SECONDS * times, ports, games)
        now = timezone.now()
        Phase.objects.filter(sequence=1).update(due_at=now, adjudicate_at=now)
        wait_until(lambda: not Phase.objects.filter(sequence=1, processed_at=None).exists())
        for saver in savers:
            saver.join(PATIENCE)
        wait_until(lambda: all(reader.ids == list_events(reader) for reader in readers))
        for reader in readers:
            reader.over.set()
        new.dismiss([new_worker])
    finally:
        for server in servers:
            kill_group(server.pid)
    assert {status for saver in savers for status, _, _ in saver.acts} == {SAVED, TOO_LATE}
    check_phases(games)
    check_orders(savers)
    check_streams(readers)


def look_for(seconds, ports, games):
    """Look at game pages on all servers for some seconds; each must be shown."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for port in ports:
            for slug in sorted(games):
                page = httpx.get(f"http://127.0.0.1:{port}/games/{slug}/", timeout=PATIENCE)
                assert page.status_code == 200, page.text


def play(old, new, place, times):
    """Migrate while the old release works, and play on both until the orders are closed."""
    old.start("worker", 0.02)
    call_command("migrate", verbosity=0)
    made = make_games(GAMES, now=timezone.now())
    games = {give_address(slug): people for slug, people in made.items()}
    gate = place / "gate"
    gate.touch()
    sites = {}
    for name, launcher in (("old", old), ("new", new)):
        folder = place / f"saved by {name}"
        folder.mkdir()
        people = [(slug, maker) for slug, (maker, _) in games.items()]
        sites[folder] = launcher.start("site", people, str(gate), str(folder)), launcher
    new.start("worker", 0.02)
    wait_until(lambda: all(count_saves(folder) >= GAMES for folder in sites))
    due = timezone.now() + dt.timedelta(seconds=SECONDS * times)
    Phase.objects.filter(sequence=1).update(due_at=due, adjudicate_at=due)
    wait_until(lambda: not Phase.objects.filter(sequence=1, processed_at=None).exists())
    for folder, (pid, launcher) in sites.items():
        launcher.wait(pid)
        count_saves(folder)
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
    texts = [path.read_text() for path in folder.iterdir()]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]
    assert {status for status, _, _ in lines} <= {303, 409}
    return sum(status == 303 for status, _, _ in lines)
