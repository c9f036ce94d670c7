"""The supervisor starts and stops all processes and leaves none behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from diplomaccloud.project import supervisor as supervisor_module

# A child that writes its pid and its grandchild's, and ignores SIGTERM.
STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}")
time.sleep(120)
"""

SUPERVISE = """
import sys
from diplomaccloud.project import supervisor
supervisor.GRACE_SECONDS = 0.5
commands = {"one": [sys.executable, "-c", sys.argv[1], sys.argv[2]]}
if len(sys.argv) > 3:
    commands["two"] = [sys.executable, "-c", sys.argv[3]]
sys.exit(supervisor.Supervisor(commands).run())
"""


def start(pids: Path, *extra: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SUPERVISE, STUBBORN, str(pids), *extra], stderr=subprocess.PIPE
    )


def wait_for(pids: Path) -> list[int]:
    for _ in range(PATIENCE * 20):
        if pids.exists() and (text := pids.read_text()).count(" ") == 1 and text.split()[1]:
            return [int(pid) for pid in text.split()]
        time.sleep(0.05)
    raise AssertionError("the child never started")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda n: n.name)
def test_a_signal_stops_children_and_grandchildren_even_stubborn_ones(tmp_path, number):
    supervisor = start(tmp_path / "pids")
    family = wait_for(tmp_path / "pids")
    assert all(map(is_alive, family))
    supervisor.send_signal(number)
    assert supervisor.wait(PATIENCE) == 0
    assert not any(map(is_alive, family))


def test_when_one_child_ends_all_end_with_status_1(tmp_path):
    pids = tmp_path / "pids"
    # Not before the other child has started its own.
    ends = f"""
import pathlib, time
while not (pids := pathlib.Path({str(pids)!r})).exists() or " " not in pids.read_text():
    time.sleep(0.05)
raise SystemExit(7)
"""
    supervisor = start(pids, ends)
    family = wait_for(pids)
    assert supervisor.wait(PATIENCE) == 1
    assert b"two ended unexpectedly (exit 7)" in supervisor.stderr.read()
    assert not any(map(is_alive, family))


def test_an_optional_child_is_restarted(tmp_path):
    counts = tmp_path / "count"
    code = (
        "import sys\n"
        "from diplomaccloud.project import supervisor\n"
        "supervisor.FIRST_PAUSE_SECONDS = supervisor.GRACE_SECONDS = 0.1\n"
        'spare = f\'open({sys.argv[1]!r}, "a").write("x")\'\n'
        "commands = {'one': [sys.executable, '-c', 'import time; time.sleep(120)'],\n"
        "            'two': [sys.executable, '-c', spare]}\n"
        "sys.exit(supervisor.Supervisor(commands, optional={'two'}).run())\n"
    )
    supervisor = subprocess.Popen([sys.executable, "-c", code, str(counts)], stderr=subprocess.PIPE)
    for _ in range(PATIENCE * 20):
        if counts.exists() and len(counts.read_text()) >= 3:
            break
        time.sleep(0.05)
    assert supervisor.poll() is None
    supervisor.terminate()
    assert supervisor.wait(PATIENCE) == 0
    assert len(counts.read_text()) >= 3
    assert b"two ended (exit 0). It restarts" in supervisor.stderr.read()


def test_the_pause_before_a_restart_grows_up_to_a_limit_until_the_child_is_stable(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(supervisor_module.time, "monotonic", lambda: now)
    monkeypatch.setattr(supervisor_module, "_start", lambda command: command)
    supervisor = supervisor_module.Supervisor({"worker": ["x"]}, optional={"worker"})
    supervisor._start("worker")
    pauses = [supervisor._next_pause("worker", now) for _ in range(9)]
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert supervisor._next_pause("worker", now + 121) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux signals children of a dead parent")
def test_a_killed_supervisor_leaves_no_child_that_obeys_sigterm(tmp_path):
    polite = STUBBORN.replace("signal.signal(signal.SIGTERM, signal.SIG_IGN)", "")
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISE, polite, str(tmp_path / "pids")])
    child, grandchild = wait_for(tmp_path / "pids")
    supervisor.kill()
    supervisor.wait(PATIENCE)
    for _ in range(PATIENCE * 20):
        if not is_alive(child):
            break
        time.sleep(0.05)
    assert not is_alive(child)
    os.kill(grandchild, signal.SIGKILL)
