"""A backup of the oldest site that this release can upgrade is restored, and its games go on.

`old_site/80c137b1.zip` was made with that commit by `old_site/make.py`. Its games are in every kind
of phase: orders of units, retreats, builds, none yet, over, and in a grace period.
"""

import datetime as dt
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django_tasks_db.models import DBTaskResult
from tests.worker.test_backup import use

from diplomaccloud.accounts.models import User
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.phases import Stage
from diplomaccloud.project.backup import restore_backup
from diplomaccloud.shared.upgrades import BRIDGE
from diplomaccloud.worker.record_samples import replay_sample
from diplomaccloud.worker.task_rows import run_task_of_row

BACKUP = Path(__file__).parent / "old_site" / f"{BRIDGE}.zip"
STAGES = {
    "movement22": Stage.MOVEMENT,
    "retreat222": Stage.RETREATS,
    "build22222": Stage.ADJUSTMENTS,
    "grace22222": Stage.MOVEMENT,
}
PAGES = ("/", "/games/", "/notices/", "/notices/settings/", "/people/Ann/")


@pytest.fixture
def restored(tmp_path, monkeypatch, django_db_setup, django_db_blocker):
    """The backup, restored and migrated; this process uses its database."""
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    with django_db_blocker.unblock(), use(f"sqlite:///{tmp_path}/site.sqlite3"):
        _, replayed = restore_backup(BACKUP, replace=False, sample=20)
        assert (replayed.games, replayed.faults) == (6, ())
        yield


@pytest.mark.long
@pytest.mark.one_database
def test_a_restored_site_of_the_oldest_release_goes_on(restored, subtests):
    assert read_stages() == STAGES
    run_tasks()
    call_command("recount")
    visit_pages(subtests)
    keep_orders_in_grace()
    process_due_phases()
    assert not Game.objects.exclude(suspended_reason="").exists()
    visit_pages(subtests)
    run_tasks()
    assert replay_sample(20).faults == ()
    call_command("recount")
    call_command("ratings", check=True)


def run_tasks():
    """Run what waits for a worker, also what the old release and the migrations left to it."""
    while keys := list(DBTaskResult.objects.ready().values_list("pk", flat=True)):
        for key in keys:
            run_task_of_row(str(key))
    assert {row.status for row in DBTaskResult.objects.all()} <= {"SUCCESSFUL"}


def read_stages():
    """Return the kind of phase that each running game of people is in."""
    phases = Phase.objects.filter(game__slug__in=STAGES, processed_at=None, superseded_at=None)
    return {phase.game.slug: phase.judge_phase.stage for phase in phases}


def visit_pages(subtests):
    """Open the site's pages and all that games lead to, as a player."""
    client = Client()
    client.force_login(User.objects.get(username="Ann"))
    slugs = Game.objects.filter(seats__user__username="Ann").values_list("slug", flat=True)
    paths = {*PAGES, *(f"/games/{slug}/" for slug in slugs)}
    seen = set()
    while paths:
        path = paths.pop()
        seen.add(path)
        with subtests.test(path):
            answer = client.get(path)
            assert answer.status_code < 400
            if "html" in answer.headers.get("Content-Type", "") and path.count("/") == 3:
                # A copy of orders is hidden until there are any.
                links = re.findall(r'href="(/games/[^"?#]+/)(?<!/copy/)"', answer.content.decode())
                paths |= set(links) - seen


def keep_orders_in_grace():
    """The player who was late can order, and what the others saved in time is still there."""
    phase = Phase.objects.get(game__slug="grace22222")
    before = OrderRow.objects.filter(draft__phase=phase, draft__live=True).count()
    late = Seat.objects.get(game__slug="grace22222", power="FRANCE").user_id
    at = phase.due_at - dt.timedelta(minutes=1)
    saved = {"sequence": 1, "choices": ["A PAR - BUR"], "sheet": "", "now": at}
    save_orders(slug="grace22222", user_id=late, **saved)
    assert OrderRow.objects.filter(draft__phase=phase, draft__live=True).count() == before + 1


def process_due_phases():
    """Process the phases that are open, some of them after a grace period."""
    running = Phase.objects.filter(game__status=Status.RUNNING, superseded_at=None)
    keys = list(running.filter(processed_at=None).values_list("pk", flat=True))
    for _ in range(2):
        rest = Phase.objects.filter(pk__in=keys, processed_at=None)
        for game, due_at in rest.values_list("game_id", "adjudicate_at"):
            advance(game_id=game, owner="test", now=due_at + dt.timedelta(seconds=1))
    assert not rest.all().exists()
    assert len(keys) == len(STAGES) + 1  # and the game of a guest
