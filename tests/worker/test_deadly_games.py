"""A game that kills the worker's process is suspended after a few attempts; all others go on."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.worker.separate_site import LENGTH, is_alive, make_games, wait_until

from diplomaccloud.games.deadlines.actions import resume_game
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import (
    LEASE,
    MAX_ATTEMPTS,
    advance,
    claim_phase,
    lock_due_phases,
)

DEADLY = "game1"
HOUR = dt.timedelta(hours=1)


def suspended_reason():
    return Game.objects.get(slug=DEADLY).suspended_reason


def run_until_suspended(site, step):
    """Start a worker whenever the last has died; return how many died."""
    died = 0
    while not suspended_reason():
        assert died <= MAX_ATTEMPTS + 1
        worker = site.start("doomed_worker", DEADLY, step)
        wait_until(lambda worker=worker: suspended_reason() or not is_alive(worker))
        died += not is_alive(worker)
    return died


@pytest.mark.real_database
@pytest.mark.parametrize("step", ["lock", "process"])
def test_a_game_that_kills_the_worker_is_suspended(site, step):
    now = timezone.now()
    make_games(3, now=now - LENGTH - dt.timedelta(minutes=1))
    if step == "lock":
        Phase.objects.update(adjudicate_at=now + HOUR)
    assert run_until_suspended(site, step) == MAX_ATTEMPTS
    assert f"{MAX_ATTEMPTS} processes died" in suspended_reason()
    done = "locked_at" if step == "lock" else "processed_at"
    others = Phase.objects.filter(sequence=1).exclude(game__slug=DEADLY)
    wait_until(lambda: not others.filter(**{done: None}).exists())
    # Once resumed, it gets as many attempts as before.
    resume_game(slug=DEADLY, now=timezone.now())
    assert Phase.objects.get(game__slug=DEADLY, sequence=1).attempts == 0


class TestAttempts:
    def test_a_live_process_may_try_as_often_as_it_likes(self, cast):
        now = Phase.objects.get().adjudicate_at
        for attempt in range(2 * MAX_ATTEMPTS):
            at = now + attempt * HOUR
            assert claim_phase(game_id=cast.game_id, owner="one", now=at)
        assert Phase.objects.get().attempts == 1

    def test_an_attempt_that_ends_is_not_counted(self, cast, monkeypatch):
        now = Phase.objects.get().adjudicate_at
        path = "diplomaccloud.games.turn.claims.process_phase"
        monkeypatch.setattr(path, lambda **_: False)
        for attempt in range(2 * MAX_ATTEMPTS):
            at = now + attempt * HOUR
            advance(game_id=cast.game_id, owner=f"worker {attempt}", now=at)
            Phase.objects.update(lease_until=None)
        assert Phase.objects.get().attempts == 0
        assert not Game.objects.get().suspended_reason

    def test_attempts_of_processes_that_died_are_counted(self, cast):
        now = Phase.objects.get().adjudicate_at
        for attempt in range(MAX_ATTEMPTS):
            at = now + attempt * HOUR
            assert claim_phase(game_id=cast.game_id, owner=f"{attempt}", now=at)
        assert Phase.objects.get().attempts == MAX_ATTEMPTS
        advance(game_id=cast.game_id, owner="last", now=now + MAX_ATTEMPTS * HOUR)
        assert "processes died" in Game.objects.get().suspended_reason

    def test_workers_that_wait_for_a_lock_are_not_counted(self, cast, monkeypatch):
        now = timezone.now()
        Phase.objects.update(opens_at=now - HOUR, due_at=now, adjudicate_at=now + HOUR)
        started = []

        def lock_while_others_wait(**_):
            started.append(1)
            if len(started) <= MAX_ATTEMPTS + 1:
                lock_due_phases(now=now)
            return False

        path = "diplomaccloud.games.turn.claims.lock_phase"
        monkeypatch.setattr(path, lock_while_others_wait)
        lock_due_phases(now=now)
        assert started == [1]
        assert not Game.objects.get().suspended_reason
        phase = Phase.objects.get()
        assert (phase.attempts, phase.lease_owner, phase.lease_until) == (0, "", None)

    def test_a_lock_waits_for_the_lease_of_a_process_that_died(self, cast):
        now = timezone.now()
        Phase.objects.update(
            opens_at=now - HOUR,
            due_at=now,
            adjudicate_at=now + HOUR,
            attempts=1,
            lease_owner="dead",
            lease_until=now + LEASE,
        )
        assert lock_due_phases(now=now) == 0
        assert Phase.objects.get().attempts == 1
        assert lock_due_phases(now=now + 2 * LEASE) == 1
        assert Phase.objects.get().attempts == 0
