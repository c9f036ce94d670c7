"""People save orders while a worker processes their phase, without deadlocks."""

import datetime as dt

import pytest
from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone
from tests.worker.separate_site import (
    make_games,
    make_large_games,
    read_records,
    wait_for_lock_waits,
    wait_until,
)

from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Draft, Phase
from diplomaccloud.games.turn.claims import claim_phase
from diplomaccloud.judge.orders import power_of

pytestmark = pytest.mark.real_database

GAMES = 3
TIME_TO_DEADLINE = dt.timedelta(seconds=12)
TIME_OF_SAVING = dt.timedelta(seconds=2)
MAX_DELAY = dt.timedelta(seconds=120)
"""Far less than the lease: no phase waited for it to run out."""
LEASE_SECONDS = 300


@pytest.fixture(autouse=True)
def _require_server():
    if not settings.CHECKS_DATABASE:
        pytest.skip("SQLite locks no rows")


def count_deadlocks():
    """Return how many deadlocks the database server has found."""
    with connections["default"].cursor() as cursor:
        if connections["default"].vendor == "mysql":
            cursor.execute("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")
            return int(cursor.fetchone()[1])
        cursor.execute("SELECT sum(deadlocks) FROM pg_stat_database")
        return int(cursor.fetchone()[0])


def prepare(act, game):
    """Return the arguments of the worker's step on a phase that is due."""
    now = timezone.now()
    phases = Phase.objects.filter(game=game)
    later = dt.timedelta(hours=1) if act == "lock_phase" else dt.timedelta()
    phases.update(opens_at=now, due_at=now, adjudicate_at=now + later)
    phase_id = phases.get().pk
    if act == "process_phase":
        claim_phase(game_id=game.pk, owner="x", now=now)
        return {"phase_id": phase_id, "owner": "x"}
    if act == "move_bots":
        seat = Seat.objects.filter(game=game).last()
        Seat.objects.filter(pk=seat.pk).update(user=None, bot="hold")
    return {"phase_id": phase_id}


@pytest.mark.parametrize("act", ["lock_phase", "process_phase", "move_bots"])
def test_a_step_of_the_worker_waits_for_a_save_without_a_deadlock(site, act):
    (slug,) = make_games(1, now=timezone.now())
    phase = Phase.objects.select_related("game").get(game__slug=slug)
    seat = Seat.objects.filter(game=phase.game).first()
    arguments, before = prepare(act, phase.game), count_deadlocks()
    with transaction.atomic():
        lock_game(slug)
        pid = site.start("late_clock", act, arguments)
        wait_for_lock_waits(1)
        # Refers to the phase, so it needs a lock on its row.
        Draft.objects.create(phase=phase, seat=seat, name="Other", saved_at=timezone.now())
    site.wait(pid)
    phase.refresh_from_db()
    done = {
        "lock_phase": phase.locked_at,
        "process_phase": phase.processed_at,
        "move_bots": phase.submissions.exists(),
    }
    assert done[act]
    assert count_deadlocks() == before


def test_seven_people_save_while_workers_process_the_phase(site, tmp_path, times):
    games = make_large_games(GAMES * times, now=timezone.now())
    workers = [site.start("worker", 0.01, LEASE_SECONDS) for _ in range(2)]
    due = timezone.now() + TIME_TO_DEADLINE
    Phase.objects.filter(sequence=1).update(due_at=due, adjudicate_at=due)
    start_at = (due - TIME_OF_SAVING).timestamp()
    paths, before = {}, count_deadlocks()
    for slug, people in games.items():
        for power, user_id in people.items():
            path = paths[slug, power] = tmp_path / f"{slug} {power}"
            site.start("saver", slug, user_id, power, start_at, str(path))
    for pid in site.alive - set(workers):
        site.wait(pid)
    wait_until(lambda: not Phase.objects.filter(sequence=1, processed_at=None).exists())
    records = {key: read_records(path) for key, path in paths.items()}
    assert [act for acts in records.values() for act in acts if act[0] == "failed"] == []
    assert count_deadlocks() == before
    for phase in Phase.objects.filter(sequence=1).select_related("game__chart"):
        assert phase.processed_at - due < MAX_DELAY
        for power in games[phase.game.slug]:
            judged = sorted(
                str(result.order)
                for result in phase.resolution.results
                if power_of(result.order) == power and not result.implicit
            )
            saved = [orders for _, _, orders in records[phase.game.slug, power]]
            assert judged == (saved[-1] if saved else [])
    site.dismiss(workers)
