import datetime as dt
import threading

import pytest
from django.db import OperationalError
from django.utils import timezone

from diplomaccloud.clock import worker as clock
from diplomaccloud.clock.worker import Worker
from diplomaccloud.games import actions
from diplomaccloud.games.models import Phase
from diplomaccloud.maps import pool
from diplomaccloud.maps.workshop import NoMapError


def make_due():
    now = timezone.now() - dt.timedelta(seconds=1)
    Phase.objects.filter(processed_at=None).update(opens_at=now, due_at=now, adjudicate_at=now)


def test_a_due_phase_is_processed_once(cast):
    make_due()
    assert Worker().process_due() == 1
    assert Worker().process_due() == 0
    assert [phase.name for phase in Phase.objects.order_by("sequence")] == ["S1901M", "F1901M"]


def test_a_phase_that_is_not_due_is_left_alone(cast):
    assert Worker().process_due() == 0


def test_a_stopped_worker_takes_no_further_game(cast):
    make_due()
    worker = Worker()
    worker.stop()
    assert worker.process_due() == 0


def test_a_database_that_is_away_is_waited_for(cast, monkeypatch):
    make_due()
    worker = Worker(pause=0)
    answers = iter([OperationalError("away")])
    real = actions.due_games

    def due_games(**arguments):
        for error in answers:
            raise error
        worker.stop()
        return real(**arguments)

    monkeypatch.setattr(actions, "due_games", due_games)
    monkeypatch.setattr(clock, "close_old_connections", lambda: None)
    thread = threading.Timer(20, worker.stop)
    thread.start()
    worker.run()
    thread.cancel()
    assert next(answers, None) is None


def test_an_idle_worker_fills_the_pool_and_survives_a_bad_seed(standard, monkeypatch):
    made = []

    def make(number, *, now):
        made.append(number)
        if number == 2:
            raise NoMapError("no map of this seed")

    monkeypatch.setattr(clock, "make_pool_map", make)
    monkeypatch.setattr(
        clock, "missing_from_pool", lambda size: sorted({1, 2, 3, 4} - set(made) | {2})
    )
    worker = Worker(pool_size=pool.POOL_SIZE)
    for _ in range(clock.IDLE_BEFORE_MAPS + 5):
        worker._round()
    assert made == [1, 2, 3, 4]


@pytest.mark.parametrize(("stored", "missing"), [([], [1, 2, 3]), (["pool 2"], [1, 3])])
def test_the_pool_knows_what_is_missing(db, stored, missing, now):
    for number, seed in enumerate(stored):
        _store(seed, number, now)
    assert pool.missing_from_pool(3) == missing


def _store(seed, number, now):
    from diplomaccloud.maps.models import StoredChart

    StoredChart.objects.create(
        content_hash=f"{number:064d}",
        name="X",
        players=7,
        provinces=9,
        centers=9,
        seed=seed,
        maker="test",
        text="{}",
        created_at=now,
    )
