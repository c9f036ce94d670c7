"""Runs the site's processes together: all start, and when one goes or we are told, all stop.

Each child leads a process group of its own. Web servers fork workers that outlive a killed
parent, so a stop is always of the whole group, politely first. On Linux a child is told by
the kernel when its supervisor dies, so that even `kill -9` leaves no orphans.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from types import FrameType

GRACE = 10.0
"""Seconds a child has to finish its work before it is killed."""

PAUSE = 60.0
"""Seconds before a child that the site can spare is started again."""

_PR_SET_PDEATHSIG = 1


class Supervisor:
    """Starts commands and keeps them together. Used once, from the main thread."""

    def __init__(
        self, commands: Mapping[str, Sequence[str]], *, spare: Collection[str] = ()
    ) -> None:
        """Take the commands by name; nothing starts before `run`.

        Those called as `spare` says are a comfort: when one ends, it is started again after a
        while, and the others go on.
        """
        self._commands = commands
        self._spare = frozenset(spare)
        self._again_at: dict[str, float] = {}
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._told_to_stop = False

    def run(self) -> int:
        """Run until told to stop (0) or until a child ends by itself (1), then stop them all."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._hear)
        try:
            for name, command in self._commands.items():
                self._children[name] = _start(command)
            return self._watch()
        finally:
            self._stop()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self._told_to_stop = True

    def _watch(self) -> int:
        while not self._told_to_stop:
            for name, child in self._children.items():
                if (code := child.poll()) is None:
                    continue
                if name not in self._spare:
                    sys.stderr.write(f"The {name} ended unexpectedly (exit {code}); stopping.\n")
                    return 1
                self._start_again(name, code)
            time.sleep(0.2)
        return 0

    def _start_again(self, name: str, code: int) -> None:
        """Start a spare child that has ended, once its pause is over."""
        now = time.monotonic()
        if name not in self._again_at:
            sys.stderr.write(f"The {name} ended (exit {code}); it starts again in {PAUSE:.0f} s.\n")
            self._again_at[name] = now + PAUSE
        elif now >= self._again_at[name]:
            del self._again_at[name]
            self._children[name] = _start(self._commands[name])

    def _stop(self) -> None:
        for child in self._children.values():
            _signal_group(child.pid, signal.SIGTERM)
        deadline = time.monotonic() + GRACE
        while time.monotonic() < deadline and any(map(_group_lives, self._children.values())):
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
        preexec_fn=die_with_supervisor,  # noqa: PLW1509 no thread runs yet
    )


def _group_lives(child: subprocess.Popen[bytes]) -> bool:
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
