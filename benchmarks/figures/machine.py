"""The machine that measures: whether it is quiet, what it is, and which commit it has."""

import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_SPREAD = 0.03
"""By which share the slowest loop may take longer than the fastest."""
STEPS = 2_000_000
LOOPS = 7
TRIES = 5
"""How often to look whether the machine is quiet: what ran before may still be ending."""
PAUSE = 5


class Refused(Exception):
    """The figures would mean nothing; the message says why, and what to do."""


def measure_spread() -> float:
    """Return by which share of its time a fixed loop varies; a quiet machine is below 0.03."""
    _run_loop()
    times = []
    for _ in range(LOOPS):
        start = time.perf_counter()
        _run_loop()
        times.append(time.perf_counter() - start)
    return compute_spread(times)


def compute_spread(times: Sequence[float]) -> float:
    """Return by which share the longest of the times is longer than the shortest."""
    return max(times) / min(times) - 1


def _run_loop() -> int:
    total = 0
    for number in range(STEPS):
        total += number * number % 7
    return total


def is_quiet(measure: Callable[[], float], tries: int = TRIES) -> bool:
    """Return whether the loop varies little in one of the tries."""
    for number in range(tries):
        if number:
            time.sleep(PAUSE)
        if measure() <= MAX_SPREAD:
            return True
    return False


def describe_busy() -> str:
    """Return the sentence that refuses a busy machine."""
    return (
        f"The machine is busy: a loop that always does the same varies by more than"
        f" {MAX_SPREAD:.0%} of its time (load average: {os.getloadavg()[0]:.1f}). Stop other"
        " programs, or wait, and try again. `--even-if-busy` measures anyway, but compares nothing."
    )


def name_processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Return the name of the processor."""
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def name_kernel() -> str:
    """Return which kernel the judge uses: compiled or python."""
    from diplomaccloud.judge.kernel.selection import KERNEL

    return KERNEL.name


def read_commit(root: Path = ROOT) -> str:
    """Return the commit of the checkout."""
    return _ask_git(root, "rev-parse", "HEAD").strip()


def list_changed(root: Path, *, ignored: Sequence[str]) -> list[str]:
    """Return the tracked files that differ from the commit, but for the ignored ones."""
    asked = _ask_git(root, "status", "--porcelain", "--untracked-files=no")
    return [line[3:] for line in asked.splitlines() if line[3:] not in ignored]


def _ask_git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"git does not say which commit is measured: {done.stderr.strip()}")
    return done.stdout
