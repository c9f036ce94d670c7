"""The supervisor starts, restarts and stops all processes, and leaves none behind."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from judge.tests.effort import PATIENCE
from tests.ports import hold_port
from tests.worker.separate_site import wait_until

from diplomaccloud.project import supervisor as supervisor_module
from diplomaccloud.project.play import build_environment, build_web_command

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
supervisor.FIRST_PAUSE_SECONDS = supervisor.GRACE_SECONDS = 0.1
commands = {"one": [sys.executable, "-c", sys.argv[1], sys.argv[2]]}
if len(sys.argv) > 3:
    commands["two"] = [sys.executable, "-c", *sys.argv[3:]]
sys.exit(supervisor.Supervisor(commands).run())
"""

# A web server: its worker, which is the one that serves, is forked and outlives it.
FORKING = """
import os, sys, time
if not (child := os.fork()):
    time.sleep(120)
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()} {child}\\n")
time.sleep(120)
"""


def start(pids: Path, *extra: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SUPERVISE, STUBBORN, str(pids), *extra], stderr=subprocess.PIPE
    )


def wait_for(pids: Path) -> list[int]:
    wait_until(lambda: pids.exists() and re.fullmatch(r"\d+ \d+", pids.read_text()))
    return [int(pid) for pid in pids.read_text().split()]


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


def test_a_child_that_keeps_ending_stops_the_others_and_the_error_says_so(tmp_path):
    pids, count = tmp_path / "pids", tmp_path / "count"
    # Not before the other child has started its own.
    ends = """
import pathlib, sys, time
while not (pids := pathlib.Path(sys.argv[1])).exists() or " " not in pids.read_text():
    time.sleep(0.05)
open(sys.argv[2], "a").write("x")
raise SystemExit(7)
"""
    supervisor = start(pids, ends, str(pids), str(count))
    family = wait_for(pids)
    assert supervisor.wait(PATIENCE) == 1
    assert b"two ended 5 times in a row (exit 7). Stopping." in supervisor.stderr.read()
    assert count.read_text() == "xxxxx"
    assert not any(map(is_alive, family))


def read_pairs(pids: Path, number: int) -> list[list[int]]:
    """Return pairs of a process and its child, one for each start, once there are enough."""
    wait_until(lambda: pids.exists() and pids.read_text().count("\n") >= number)
    return [[int(pid) for pid in line.split()] for line in pids.read_text().splitlines()]


def test_a_killed_child_is_restarted_and_what_it_had_forked_is_killed(tmp_path):
    supervisor = start(tmp_path / "one", FORKING, str(tmp_path / "two"))
    family = wait_for(tmp_path / "one")
    [[master, worker]] = read_pairs(tmp_path / "two", 1)
    os.kill(master, signal.SIGKILL)
    pairs = read_pairs(tmp_path / "two", 2)
    assert not is_alive(worker)
    assert all(map(is_alive, [*family, *pairs[1]]))
    supervisor.terminate()
    assert supervisor.wait(PATIENCE) == 0
    assert b"two ended (killed by signal 9). It restarts" in supervisor.stderr.read()
    assert not any(map(is_alive, [*family, *pairs[1]]))


def test_a_child_that_hangs_is_killed_and_restarted(tmp_path):
    """A stopped process cannot obey; the supervisor notices that it no longer writes."""
    pids = tmp_path / "pids"
    code = (
        "import sys\n"
        "from diplomaccloud.project import supervisor\n"
        "supervisor.FIRST_PAUSE_SECONDS = 0.1\n"
        "supervisor.MAX_SILENCE_SECONDS = 1\n"
        "command = [sys.executable, '-c', sys.argv[1], sys.argv[2], supervisor.PULSE]\n"
        "sys.exit(supervisor.Supervisor({'one': command}).run())\n"
    )
    beats = """
import os, sys, time
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()} 0\\n")
while True:
    os.write(int(sys.argv[2]), b".")
    time.sleep(0.05)
"""
    supervisor = subprocess.Popen(
        [sys.executable, "-c", code, beats, str(pids)], stderr=subprocess.PIPE
    )
    # A very busy machine may have let others hang before.
    stopped = read_pairs(pids, 1)[-1][0]
    os.kill(stopped, signal.SIGSTOP)
    wait_until(lambda: not is_alive(stopped))
    wait_until(lambda: read_pairs(pids, 1)[-1][0] != stopped)
    supervisor.terminate()
    assert supervisor.wait(PATIENCE) == 0
    assert b"one hangs: no sign of life" in supervisor.stderr.read()


def test_an_optional_child_is_restarted_for_as_long_as_it_takes(tmp_path):
    counts = tmp_path / "count"
    code = (
        "import sys\n"
        "from diplomaccloud.project import supervisor\n"
        "supervisor.FIRST_PAUSE_SECONDS = supervisor.MAX_PAUSE_SECONDS = 0.1\n"
        'spare = f\'open({sys.argv[1]!r}, "a").write("x")\'\n'
        "commands = {'one': [sys.executable, '-c', 'import time; time.sleep(120)'],\n"
        "            'two': [sys.executable, '-c', spare]}\n"
        "sys.exit(supervisor.Supervisor(commands, optional={'two'}).run())\n"
    )
    supervisor = subprocess.Popen([sys.executable, "-c", code, str(counts)], stderr=subprocess.PIPE)
    enough = supervisor_module.MAX_ENDS + 2
    wait_until(lambda: counts.exists() and len(counts.read_text()) >= enough)
    assert supervisor.poll() is None
    supervisor.terminate()
    assert supervisor.wait(PATIENCE) == 0
    assert b"two ended (exit 0). It restarts" in supervisor.stderr.read()


def test_the_pause_before_a_restart_grows_up_to_a_limit_until_the_child_is_stable():
    worker = supervisor_module.Child("worker", ["x"], is_optional=True)
    pauses = []
    for now in [0.0] * 8 + [supervisor_module.STABLE_SECONDS + 1]:
        assert worker.plan_restart(1, now)
        pauses.append(worker.restart_at - now)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 1]


def test_a_child_that_ran_long_enough_may_end_again():
    server = supervisor_module.Child("web server", ["x"], is_optional=False)
    ends = [server.plan_restart(1, now=0.0) for _ in range(supervisor_module.MAX_ENDS)]
    assert ends == [True] * (supervisor_module.MAX_ENDS - 1) + [False]
    assert server.plan_restart(1, now=supervisor_module.STABLE_SECONDS + 1)


def list_children(pid: int) -> set[int]:
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


@pytest.mark.parametrize("lost", ["supervisor", "keeper first"])
def test_a_killed_supervisor_leaves_nothing_however_stubborn(tmp_path, lost):
    supervisor = start(tmp_path / "pids")
    family = wait_for(tmp_path / "pids")
    wait_until(lambda: len(list_children(supervisor.pid)) == 2)
    if lost == "keeper first":
        (keeper,) = list_children(supervisor.pid) - set(family)
        os.kill(keeper, signal.SIGKILL)
        wait_until(lambda: len(list_children(supervisor.pid) - {keeper}) == 2)
    supervisor.kill()
    wait_until(lambda: not any(map(is_alive, family)))
    assert b"The supervisor was killed" in supervisor.stderr.read()


LARGE = """
import sys
import django, numpy
from diplomaccloud.project import supervisor
command = [sys.executable, "-c", *sys.argv[1:3]]
supervisor.run_plan({"one": command})
"""


def read_memory(pid: int) -> int:
    """Return the memory of a process in kB, with its share of what processes share."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def test_a_program_that_becomes_a_supervisor_keeps_nothing_in_memory(tmp_path):
    supervisor = subprocess.Popen([sys.executable, "-c", LARGE, STUBBORN, str(tmp_path / "pids")])
    family = wait_for(tmp_path / "pids")
    wait_until(lambda: len(list_children(supervisor.pid)) == 2)
    keepers = list_children(supervisor.pid) - set(family)
    assert sum(map(read_memory, [supervisor.pid, *keepers])) < 15_000
    supervisor.kill()
    wait_until(lambda: not any(map(is_alive, family)))


def test_a_site_that_had_to_stop_says_why(monkeypatch):
    monkeypatch.setattr(supervisor_module.Supervisor, "run", lambda _: 1)
    explain = [sys.executable, "-c", "raise SystemExit(9)"]
    plan = {"commands": {}, "optional": [], "explain": explain}
    assert supervisor_module._run_plan(json.dumps(plan)) == 9


@pytest.mark.long
def test_a_killed_web_server_leaves_no_process_that_serves(tmp_path):
    """Without a supervisor, too: the process that serves the pages ends with its master."""
    port = hold_port()
    settings = {"DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings"}
    environment = os.environ | build_environment("127.0.0.1", tmp_path) | settings
    master = subprocess.Popen(build_web_command("127.0.0.1", port), env=environment, cwd=tmp_path)

    def answers() -> bool:
        assert master.returncode or master.poll() is None, "the web server has ended"
        try:
            with urlopen(f"http://127.0.0.1:{port}/health/live") as answer:
                return answer.status == 200
        except OSError:
            return False

    wait_until(answers)
    workers = list_children(master.pid)
    master.kill()
    master.wait(PATIENCE)
    wait_until(lambda: not any(map(is_alive, workers)))
    assert workers
    assert not answers()
