"""The process that answers lines: whatever fails, the next request gets an answer."""

import os
import resource
from contextlib import contextmanager

import pytest
from judge.tests.effort import PATIENCE

from diplomaccloud.maps import line_worker
from diplomaccloud.maps.line_worker import LineWorker

MANY = 1100
"""More open files than `select` can watch."""
ECHO = """
import sys
print("ready", flush=True)
for line in sys.stdin:
    print("again", line, end="", flush=True)
"""
SLOW = ECHO.replace("for line in sys.stdin:", "for line in sys.stdin:\n    time.sleep(0.3)")
SLOW = SLOW.replace("import sys", "import sys, time")
MUTE = """
import os, time
print("ready", flush=True)
input()
os.close(1)
time.sleep(60)
"""


@pytest.fixture
def make_worker(tmp_path, monkeypatch):
    """A function that returns the worker of a program."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    made = []

    def make(program, **options):
        (tmp_path / "line_program.py").write_text(program, "utf-8")
        made.append(LineWorker("line_program", 60, **options))
        return made[-1]

    yield make
    for worker in made:
        worker.close()


@contextmanager
def open_many_files():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * MANY:
        pytest.skip("this machine allows too few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * MANY), hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(MANY)]
    try:
        yield
    finally:
        for one in opened:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_process_with_many_open_files_gets_answers(make_worker):
    worker = make_worker(ECHO)
    with open_many_files():
        assert worker.ask("one") == "again one"
        worker.close()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_answer_that_nobody_has_read_is_not_the_next_one(make_worker, monkeypatch, error):
    worker = make_worker(ECHO)
    assert worker.ask("one") == "again one"

    def fail(*_):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(worker, "_read_answer", fail)
        with pytest.raises(error):
            worker.ask("two")
    assert worker.ask("three") == "again three"


def test_a_process_that_closes_its_output_but_stays_is_replaced(make_worker, monkeypatch):
    monkeypatch.setattr(line_worker, "_MAX_END_SECONDS", 0.01)
    worker = make_worker(MUTE)
    for _ in range(2):
        with pytest.raises(OSError, match="closed its output"):
            worker.ask("one")
        assert worker._process is None


def test_a_process_without_requests_ends_and_the_next_request_starts_another(make_worker):
    worker = make_worker(ECHO, rest=0.05)
    assert worker.ask("one") == "again one"
    first = worker._process
    assert first is None or first.wait(PATIENCE)
    assert worker.ask("two") == "again two"


def test_a_process_that_is_at_work_does_not_end(make_worker):
    worker = make_worker(SLOW, rest=0.05)
    assert worker.ask("one") == "again one"
