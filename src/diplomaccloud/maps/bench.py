"""A process beside the web server that makes maps for requests, within a limit of time.

The generator takes a processor and loads numerical libraries: neither is for a process that
serves pages. The bench is started by the first wish and then kept, so that later ones take
only as long as the map does. It makes one map at a time; what takes too long is killed.

Run as a program, this module is that process: it says when it is ready, then reads wishes as
lines of JSON and answers each with a line, the chart in the form of `atlas.chartfile` or the
reason why there is none.
"""

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.maps.workshop import DEFAULT_SEA, NoMapError, load_generator, make_map

SECONDS = 12.0
"""How long a request waits for a map at most."""

_START = 30.0
"""How long the process may take to start, which a busy machine can make long."""

_QUEUE = 3
"""How many requests may wait or be at work at once: each holds a thread that pages need too."""

_CHUNK = 1 << 16

_BUSY = "Other maps are being made just now. Try again in a few seconds."


class BusyError(NoMapError):
    """The bench is at work for somebody else."""


class TooSlowError(NoMapError):
    """A map that takes longer than a request may."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a map is made from; `provinces` of `None` means as many as suit the players."""

    seed: str
    players: int = 7
    provinces: int | None = None
    sea: float = DEFAULT_SEA


class Bench:
    """The process, as seen by those who ask it."""

    def __init__(self, seconds: float = SECONDS) -> None:
        """Start nothing yet."""
        self._seconds = seconds
        self._lock = threading.Lock()
        self._queue = threading.BoundedSemaphore(_QUEUE)
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        atexit.register(self.close)

    def warm_up(self) -> None:
        """Start the process before it is needed, since that takes a second."""
        if self._lock.acquire(blocking=False):
            try:
                self._started()
            finally:
                self._lock.release()

    def make(self, wish: Wish) -> Chart:
        """Return the map of a wish; raise `NoMapError`, which includes being busy or too slow."""
        if not self._queue.acquire(blocking=False):
            raise BusyError(_BUSY)
        try:
            answer = self._in_turn(json.dumps(asdict(wish)))
        finally:
            self._queue.release()
        kind, _, text = answer.partition(" ")
        if kind != "chart":
            raise NoMapError(text)
        return load_chart(json.loads(text))

    def close(self) -> None:
        """Kill the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _in_turn(self, line: str) -> str:
        if not self._lock.acquire(timeout=self._seconds / 2):
            raise BusyError(_BUSY)
        try:
            return self._ask(line)
        finally:
            self._lock.release()

    def _ask(self, line: str) -> str:
        try:
            process = self._started()
            wishes, answers = process.stdin, process.stdout
            if wishes is None or answers is None:
                raise OSError("the bench has no pipes")
            if not self._ready:
                self._answer(answers.fileno(), _START)
                self._ready = True
            wishes.write(line.encode() + b"\n")
            wishes.flush()
            return self._answer(answers.fileno(), self._seconds)
        except OSError as error:
            self.close()
            raise NoMapError("The map could not be made. Try again.") from error
        except TooSlowError:
            self.close()
            raise

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._ready = False
            command = [sys.executable, "-P", "-m", "diplomaccloud.maps.bench"]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        return self._process

    def _answer(self, pipe: int, seconds: float) -> str:
        deadline, found = time.monotonic() + seconds, b""
        while not found.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise TooSlowError(
                    f"After {seconds:.0f} seconds the map was not finished, and a page waits no "
                    "longer. Ask for fewer provinces, or try again when the server is less busy."
                )
            chunk = os.read(pipe, _CHUNK)
            if not chunk:
                raise OSError("the bench is gone")
            found += chunk
        return found.decode().rstrip("\n")


BENCH = Bench()


def serve() -> None:
    """Answer wishes from standard input until it ends; make no more than one map at a time."""
    os.nice(5)  # pages come before maps
    load_generator()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        wish = Wish(**json.loads(line))
        try:
            chart = make_map(wish.seed, wish.players, provinces=wish.provinces, sea=wish.sea)
            answer = f"chart {json.dumps(dump_chart(chart))}"
        except NoMapError as error:
            answer = f"none {' '.join(str(error).split())}"
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
