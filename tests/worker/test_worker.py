import datetime as dt
import os
import sys
import threading

import pytest
from django.db import OperationalError
from django.utils import timezone
from judge.tests.effort import PATIENCE

from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn import claims
from diplomaccloud.worker import worker as worker_module
from diplomaccloud.worker.models import Heartbeat
from diplomaccloud.worker.worker import Worker


def make_due():
    now = timezone.now() - dt.timedelta(seconds=1)
    Phase.objects.filter(processed_at=None).update(opens_at=now, due_at=now, adjudicate_at=now)


def test_a_due_phase_is_processed_once(cast):
    make_due()
    assert Worker().process_due() == 1
    assert Worker().process_due() == 0
    assert [phase.name for phase in Phase.objects.order_by("sequence")] == ["S1901M", "F1901M"]


def test_a_phase_that_is_not_due_is_not_processed(cast):
    assert Worker().process_due() == 0


def test_a_worker_shows_its_supervisor_that_it_lives(cast, monkeypatch):
    """In each round, and while it extends the deadlines of many games after an outage."""
    monkeypatch.setattr(worker_module, "close_old_connections", lambda: None)
    read, write = os.pipe()
    worker = Worker(pulse=write)
    away_at = timezone.now() - dt.timedelta(minutes=10)
    Heartbeat.objects.create(owner="other", seen_at=away_at)
    worker.credit_outage()
    assert os.read(read, 10) == b"."
    worker.stop()
    worker.run()
    os.set_blocking(read, False)
    with pytest.raises(BlockingIOError):
        os.read(read, 10)
    worker._is_stopping, worker._rest = False, lambda _seconds: worker.stop()
    worker.run()  # credits the outage again, because no heartbeat has ended it
    assert os.read(read, 10) == b".."
    os.close(read)
    worker._show_life()  # its supervisor was killed
    os.close(write)


def test_a_stopped_worker_processes_no_more_games(cast):
    make_due()
    worker = Worker()
    worker.stop()
    assert worker.process_due() == 0


def test_the_worker_waits_for_an_unavailable_database(cast, monkeypatch):
    make_due()
    worker = Worker(pause=0)
    answers = iter([OperationalError("away")])
    real = claims.due_games

    def due_games(**arguments):
        for error in answers:
            raise error
        worker.stop()
        return real(**arguments)

    monkeypatch.setattr(worker_module, "due_games", due_games)
    monkeypatch.setattr(worker_module, "close_old_connections", lambda: None)
    thread = threading.Timer(20, worker.stop)
    thread.start()
    worker.run()
    thread.cancel()
    assert next(answers, None) is None


def test_an_old_connection_that_cannot_be_closed_does_not_end_the_worker(monkeypatch):
    worker = Worker(pause=0)
    answers = iter([OperationalError("away")])

    def close():
        for error in answers:
            raise error
        worker.stop()

    monkeypatch.setattr(worker_module, "close_old_connections", close)
    monkeypatch.setattr(worker, "run_round", lambda: 0)
    monkeypatch.setattr(worker_module, "run_waiting_tasks", lambda _queue: 0)
    worker.run()
    assert next(answers, None) is None


def test_a_signal_stops_the_worker_whatever_it_is_doing(monkeypatch):
    """The handler runs between two lines of the thread, which holds its locks in the meantime."""
    monkeypatch.setattr(worker_module, "close_old_connections", lambda: None)
    monkeypatch.setattr(worker_module, "run_waiting_tasks", lambda _queue: 0)

    def stop_after(worker, lines):
        def run_line(*_args):
            nonlocal lines
            lines -= 1
            if not lines:
                worker.stop()
            return run_line

        return run_line

    for lines in range(1, 60):
        worker = Worker(pause=0)
        trace = stop_after(worker, lines)
        # Only what it calls from then on is traced, so neither the log nor the round.
        monkeypatch.setattr(worker, "run_round", lambda trace=trace: sys.settrace(trace) or 0)
        thread = threading.Thread(target=worker.run, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        assert not thread.is_alive(), lines
