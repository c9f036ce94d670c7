"""Runs the site's processes together, and stops all at a signal or when the web server ends.

Each child leads its own process group. Web servers fork workers that outlive a killed parent,
so a stop always signals the whole group: SIGTERM first, then SIGKILL. On Linux the kernel
signals a child when its supervisor dies, so even `kill -9` leaves no orphans.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from types import FrameType

GRACE_SECONDS = 10.0
"""How long a child may take to finish its work before it is killed."""

FIRST_PAUSE_SECONDS = 1.0
"""How long to wait before restarting an optional child; doubled if it soon ends again."""
MAX_PAUSE_SECONDS = 60.0
STABLE_SECONDS = 120.0
"""If a child ran for longer than this, the pause starts small again."""

_PR_SET_PDEATHSIG = 1


class Supervisor:
    """Starts commands and stops them together. Use once, from the main thread."""

    def __init__(
        self, commands: Mapping[str, Sequence[str]], *, optional: Collection[str] = ()
    ) -> None:
        """Take the commands by name; `run` starts them.

        The site can do without the `optional` commands for a while: if one ends, it is restarted
        after a pause that gets longer each time, and the others keep running.
        """
        self._commands = commands
        self._optional = frozenset(optional)
        self._restart_at: dict[str, float] = {}
        self._started_at: dict[str, float] = {}
        self._pauses: dict[str, float] = {}
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._stopping = False

    def run(self) -> int:
        """Run until a signal arrives or a child ends, stop all children, and return 0 or 1."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._handle_signal)
        try:
            for name in self._commands:
                self._start(name)
            return self._watch()
        finally:
            self._stop()

    def _handle_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def _watch(self) -> int:
        while not self._stopping:
            for name, child in self._children.items():
                if (code := child.poll()) is None:
                    continue
                if name not in self._optional:
                    sys.stderr.write(f"The {name} ended unexpectedly (exit {code}). Stopping.\n")
                    return 1
                self._restart_later(name, code)
            time.sleep(0.2)
        return 0

    def _restart_later(self, name: str, code: int) -> None:
        """Plan to restart an optional child after a pause."""
        now = time.monotonic()
        if name not in self._restart_at:
            pause = self._next_pause(name, now)
            sys.stderr.write(f"The {name} ended (exit {code}). It restarts in {pause:.0f} s.\n")
            self._restart_at[name] = now + pause
        elif now >= self._restart_at[name]:
            del self._restart_at[name]
            self._start(name)

    def _next_pause(self, name: str, now: float) -> float:
        """Return how long to wait: twice as long as before, unless the child ran long enough."""
        if now - self._started_at[name] > STABLE_SECONDS:
            self._pauses.pop(name, None)
        pause = min(self._pauses.get(name, FIRST_PAUSE_SECONDS / 2) * 2, MAX_PAUSE_SECONDS)
        self._pauses[name] = pause
        return pause

    def _start(self, name: str) -> None:
        self._started_at[name] = time.monotonic()
        self._children[name] = _start(self._commands[name])

    def _stop(self) -> None:
        for child in self._children.values():
            _signal_group(child.pid, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline and any(map(_is_group_alive, self._children.values())):
            time.sleep(0.05)
        for child in self._children.values():
            _signal_group(child.pid, signal.SIGKILL)
            child.wait()


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
    supervisor = os.getpid()

    def die_with_supervisor() -> None:
        if prctl is not None:
            prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != supervisor:
                os._exit(1)

    return subprocess.Popen(
        command,
        start_new_session=True,
        # Threads may be running, such as one that tells news, but this takes no lock of theirs.
        preexec_fn=die_with_supervisor,  # noqa: PLW1509
    )


def _is_group_alive(child: subprocess.Popen[bytes]) -> bool:
    child.poll()
    try:
        os.killpg(child.pid, 0)
    except ProcessLookupError:
        return False
    return True


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return
