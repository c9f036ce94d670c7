"""What a run of the tests leaves in the folder for temporary files: nothing, however it ends."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest
from tests.worker.separate_site import ROOT, is_alive, wait_until

sys.path.insert(0, str(ROOT / "scripts"))
import leftovers

SESSION = """
import subprocess, sys, tempfile, time
import leftovers
leftovers.enter_session()
tempfile.mkdtemp()
helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(helper.pid, flush=True)
try:
    time.sleep(600)
except KeyboardInterrupt:
    pass
"""


@pytest.fixture
def session(tmp_path):
    """A process of a session, and the id of one that it has started."""
    variables = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT / "scripts")}
    del variables[leftovers.VARIABLE]
    command = [sys.executable, "-c", SESSION]
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) as process:
        helper = int(process.stdout.readline())
        yield process, helper
        process.kill()
    with contextlib.suppress(ProcessLookupError):
        os.kill(helper, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_session_that_is_interrupted_leaves_nothing(session, tmp_path, number):
    process, helper = session
    (folder,) = tmp_path.iterdir()
    assert any(path.is_dir() for path in folder.iterdir())
    process.send_signal(number)
    process.wait()
    assert list(tmp_path.iterdir()) == []
    wait_until(lambda: not is_alive(helper))


def test_the_next_session_removes_what_a_killed_one_left(session, tmp_path):
    process, helper = session
    process.kill()
    process.wait()
    (left,) = tmp_path.iterdir()
    place, lock = leftovers.make_folder(str(tmp_path))
    assert [str(path) for path in tmp_path.iterdir()] == [place] != [str(left)]
    wait_until(lambda: not is_alive(helper))
    leftovers.remove(place, lock)


def test_a_session_that_runs_keeps_its_folder(session, tmp_path):
    process, helper = session
    (folder,) = tmp_path.iterdir()
    place, lock = leftovers.make_folder(str(tmp_path))
    leftovers.remove(place, lock)
    assert list(tmp_path.iterdir()) == [folder]
    assert is_alive(helper)
    assert process.poll() is None
