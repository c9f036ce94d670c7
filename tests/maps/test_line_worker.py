"""The process that answers lines: whatever fails, the next request gets an answer."""

import os
import resource
from contextlib import contextmanager

import pytest

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

    def make(program):
        (tmp_path / "line_program.py").write_text(program, "utf-8")
        made.append(LineWorker("line_program", 60))
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
