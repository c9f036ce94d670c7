"""Runs the site's processes together, restarts them if they end or hang, and stops all at a signal.

Each child leads its own process group. Web servers fork workers that outlive a killed parent,
so a stop always signals the whole group: SIGTERM first, then SIGKILL. A forked process, the keeper,
stops the groups if the supervisor itself is killed: it learns of the end because a pipe ends, which
works on Linux and macOS alike.

Run as a program, this file supervises what its argument says, as `run_plan` writes it. It lives as
long as the site, so it imports little: with its keeper, it takes less than 10 MB.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

TYPE_CHECKING = False  # `typing` would take half a megabyte
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from types import FrameType
    from typing import NoReturn

GRACE_SECONDS = 10.0
"""How long a child may take to finish its work before it is killed."""

FIRST_PAUSE_SECONDS = 1.0
"""How long to wait before restarting a child; doubled if it soon ends again."""
MAX_PAUSE_SECONDS = 60.0
STABLE_SECONDS = 60.0
"""If a child ran for longer than this, the pause starts small again."""
MAX_ENDS = 5
"""How often a child may end soon after its start before the site stops, unless it is optional."""

PULSE = "{pulse}"
"""An argument that stands for a file descriptor: a child that gets it must write to it."""
MAX_SILENCE_SECONDS = 90.0
"""A child that writes nothing for longer than this hangs: it is killed before the site counts an
outage."""
START_SECONDS = 60.0
"""How much longer its first sign of life may take."""
_MOST_DESCRIPTORS = 65_536
"""More than a supervisor has open."""


class Supervisor:
    """Starts commands and stops them together. Use once, from the main thread."""

    def __init__(
        self, commands: "Mapping[str, Sequence[str]]", *, optional: "Collection[str]" = ()
    ) -> None:
        """Take the commands by name; `run` starts them.

        A child that ends is restarted after a pause that gets longer each time. The site can do
        without the `optional` commands for as long as that takes. If any other keeps ending, the
        site stops. A child whose command has the argument `PULSE` is killed if it hangs.
        """
        self._children = [
            Child(name, command, is_optional=name in optional) for name, command in commands.items()
        ]
        self._keeper = Keeper()
        self._stopping = False

    def run(self) -> int:
        """Run until a signal arrives or the site must stop, stop all children; return 0 or 1."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._handle_signal)
        try:
            for child in self._children:
                child.start()
                self._keep()
            return self._watch()
        finally:
            self._stop()

    def _handle_signal(self, _number: int, _frame: "FrameType | None") -> None:
        self._stopping = True

    def _watch(self) -> int:
        while not self._stopping:
            for child in self._children:
                if not child.check(time.monotonic()):
                    return 1
            self._keep()
            time.sleep(0.2)
        return 0

    def _keep(self) -> None:
        self._keeper.keep(self._list_groups())

    def _list_groups(self) -> list[int]:
        return [child.group for child in self._children if child.group]

    def _stop(self) -> None:
        stop_groups(self._list_groups(), GRACE_SECONDS, self._reap)
        self._reap()
        self._keeper.release()

    def _reap(self) -> None:
        for child in self._children:
            child.poll()


class Child:
    """A command and the process that runs it."""

    group = 0
    """The process group, which has the number of the process; 0 if it does not run."""

    def __init__(self, name: str, command: "Sequence[str]", *, is_optional: bool) -> None:
        self._name, self._command, self._is_optional = name, command, is_optional
        self._process: subprocess.Popen[bytes] | None = None
        self._pulse: int | None = None
        self._started_at = self._seen_at = 0.0
        self.restart_at: float | None = None
        self._ends, self._pause = 0, 0.0

    def start(self) -> None:
        """Start the process."""
        self.restart_at, self._started_at = None, time.monotonic()
        if PULSE not in self._command:
            self._process = subprocess.Popen(self._command, start_new_session=True)
        else:
            self._close_pulse()
            self._pulse, end = os.pipe()
            os.set_blocking(self._pulse, False)
            self._seen_at = self._started_at + START_SECONDS
            command = [str(end) if part == PULSE else part for part in self._command]
            self._process = subprocess.Popen(command, start_new_session=True, pass_fds=(end,))
            os.close(end)
        self.group = self._process.pid

    def poll(self) -> int | None:
        """Return the exit status of the process, or None if it runs."""
        return self._process.poll() if self._process else None

    def check(self, now: float) -> bool:
        """Restart the process if it has ended or hangs; return False if the site must stop."""
        code = self.poll()
        if code is None:
            self._kill_if_silent(now)
        elif self.restart_at is None:
            # What it has started may still run, such as the workers of a killed web server.
            signal_group(self.group, signal.SIGKILL)
            self.group = 0
            return self.plan_restart(code, now)
        elif now >= self.restart_at:
            self.start()
        return True

    def _kill_if_silent(self, now: float) -> None:
        if self._pulse is None:
            return
        with suppress(BlockingIOError):
            if os.read(self._pulse, 65_536):
                self._seen_at = now
        if now - self._seen_at > MAX_SILENCE_SECONDS:
            _report(f"The {self._name} hangs: no sign of life for {MAX_SILENCE_SECONDS:.0f} s.")
            self._seen_at = now
            signal_group(self.group, signal.SIGKILL)

    def plan_restart(self, code: int, now: float) -> bool:
        """Plan to restart the process after a pause; return False if it ended too often.

        The pause is twice as long as before, unless the process ran long enough.
        """
        if now - self._started_at > STABLE_SECONDS:
            self._ends, self._pause = 0, 0.0
        self._ends += 1
        end = f"exit {code}" if code >= 0 else f"killed by signal {-code}"
        if self._ends >= MAX_ENDS and not self._is_optional:
            _report(f"The {self._name} ended {self._ends} times in a row ({end}). Stopping.")
            return False
        self._pause = min(self._pause * 2 or FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS)
        self.restart_at = now + self._pause
        _report(f"The {self._name} ended ({end}). It restarts in {self._pause:.0f} s.")
        return True

    def _close_pulse(self) -> None:
        if self._pulse is not None:
            os.close(self._pulse)
            self._pulse = None


class Keeper:
    """The process that stops the children of a killed supervisor."""

    def __init__(self) -> None:
        self._pid = 0
        self._pipe = -1
        self._groups: Sequence[int] = ()

    def keep(self, groups: "Sequence[int]") -> None:
        """Make these the groups to stop; start the process if it does not run."""
        if not self._pid or os.waitpid(self._pid, os.WNOHANG)[0]:
            self._start(groups)
        elif groups != self._groups:
            self._send(groups)

    def release(self) -> None:
        """End the process: nothing is left to stop."""
        if self._pid:
            self._send(())
            os.close(self._pipe)
            os.waitpid(self._pid, 0)
            self._pid = 0

    def _start(self, groups: "Sequence[int]") -> None:
        if self._pid:
            os.close(self._pipe)
        source, self._pipe = os.pipe()
        # A copy of this process shares nearly all of its memory.
        self._pid, self._groups = os.fork(), groups
        if not self._pid:
            _keep_until_killed(source, groups)
        os.close(source)

    def _send(self, groups: "Sequence[int]") -> None:
        self._groups = groups
        with suppress(BrokenPipeError):  # killed just now
            os.write(self._pipe, _write_groups(groups))


def _write_groups(groups: "Sequence[int]") -> bytes:
    return f"{' '.join(map(str, groups))}\n".encode()


def _keep_until_killed(source: int, groups: "Sequence[int]") -> "NoReturn":
    """Read the groups to stop, one list a line, until the supervisor has ended; then stop them."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        os.setsid()
        os.dup2(source, 0)
        os.closerange(3, _MOST_DESCRIPTORS)
        with open(0, "rb") as lines:
            for line in lines:
                groups = [int(word) for word in line.split()]
        if groups:
            _report("The supervisor was killed. Stopping its processes.")
            stop_groups(groups, GRACE_SECONDS)
    finally:
        os._exit(0)


def stop_groups(
    groups: "Collection[int]", grace: float, reap: "Callable[[], None]" = lambda: None
) -> None:
    """Stop process groups, politely at first; `reap` removes children that have ended."""
    for group in groups:
        signal_group(group, signal.SIGTERM)
    deadline = time.monotonic() + grace
    while time.monotonic() < deadline:
        reap()
        if not any(signal_group(group, 0) for group in groups):
            return
        time.sleep(0.05)
    for group in groups:
        signal_group(group, signal.SIGKILL)


def signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group, or 0 to ask; return whether the group exists."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says this of a group that has ended and is not reaped yet
        return False
    return True


def _report(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def run_plan(
    commands: "Mapping[str, Sequence[str]]",
    *,
    optional: "Collection[str]" = (),
    explain: "Sequence[str]" = (),
) -> "NoReturn":
    """Replace this process with one that only supervises; only its descriptors stay open.

    If the site must stop, the command `explain` says why, and its exit status is that of the site.
    """
    plan = json.dumps({"commands": commands, "optional": list(optional), "explain": explain})
    sys.stdout.flush()
    sys.stderr.flush()
    # Isolated, because the modules beside this file have the names of others.
    command = [sys.executable, "-I", "-S", os.path.realpath(__file__), plan]
    os.execv(command[0], command)  # noqa: S606 so that signals reach it


def _run_plan(text: str) -> int:
    plan = json.loads(text)
    status = Supervisor(plan["commands"], optional=plan["optional"]).run()
    if status and plan["explain"]:
        return subprocess.run(plan["explain"], check=False).returncode or status
    return status


if __name__ == "__main__":
    sys.exit(_run_plan(sys.argv[1]))
