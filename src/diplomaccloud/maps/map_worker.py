"""The map worker: a process that makes maps for web requests, within a time limit.

The generator uses a whole CPU and loads numerical libraries, so it does not run in a process that
serves pages. The first request starts the worker, which stays for later requests. It makes one
map at a time and is killed when a map takes too long.

Run as a program, this module is the worker: it prints a line when it is ready, then reads requests
as lines of JSON and answers each with a line, the chart as `atlas.chartfile` writes it or the
reason why there is no map.
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
from diplomaccloud.maps.factory import DEFAULT_SEA, NoMapError, load_generator, make_map

MAX_SECONDS = 12.0
"""How long a request may wait for a map."""

_MAX_START_SECONDS = 30.0
"""How long the process may take to start; a busy machine is slow."""

_MAX_REQUESTS = 3
"""How many requests may be accepted at once: each occupies a thread that pages need, too."""

_CHUNK_SIZE = 1 << 16

_BUSY = "Other maps are being made right now. Try again in a few seconds."


class BusyError(NoMapError):
    """The worker is busy with the requests of other people."""


class TooSlowError(NoMapError):
    """The map was not finished within the time limit."""


@dataclass(frozen=True, slots=True)
class MapRequest:
    """The options of a new map; `provinces` is `None` for a number that suits the players."""

    seed: str
    players: int = 7
    provinces: int | None = None
    sea: float = DEFAULT_SEA


class MapWorker:
    """The worker process, as the web server uses it."""

    def __init__(self, seconds: float = MAX_SECONDS) -> None:
        """Prepare a worker; its process starts with the first request."""
        self._seconds = seconds
        self._lock = threading.Lock()
        self._queue = threading.BoundedSemaphore(_MAX_REQUESTS)
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        atexit.register(self.close)

    def warm_up(self) -> None:
        """Start the process before it is needed, because starting takes a second."""
        if self._lock.acquire(blocking=False):
            try:
                self._start()
            finally:
                self._lock.release()

    def make(self, map_request: MapRequest) -> Chart:
        """Return the map for a request; raise `NoMapError`, `BusyError` or `TooSlowError`."""
        if not self._queue.acquire(blocking=False):
            raise BusyError(_BUSY)
        try:
            answer = self._ask_in_turn(json.dumps(asdict(map_request)))
        finally:
            self._queue.release()
        kind, _, text = answer.partition(" ")
        if kind != "chart":
            raise NoMapError(text)
        return load_chart(json.loads(text))

    def close(self) -> None:
        """Kill the process, if it is running."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask_in_turn(self, line: str) -> str:
        if not self._lock.acquire(timeout=self._seconds / 2):
            raise BusyError(_BUSY)
        try:
            return self._ask(line)
        finally:
            self._lock.release()

    def _ask(self, line: str) -> str:
        try:
            process = self._start()
            requests, answers = process.stdin, process.stdout
            if requests is None or answers is None:
                raise OSError("the map worker has no pipes")
            if not self._ready:
                self._read_answer(answers.fileno(), _MAX_START_SECONDS)
                self._ready = True
            requests.write(line.encode() + b"\n")
            requests.flush()
            return self._read_answer(answers.fileno(), self._seconds)
        except OSError as error:
            self.close()
            raise NoMapError("The map could not be made. Try again.") from error
        except TooSlowError:
            self.close()
            raise

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._ready = False
            command = [sys.executable, "-P", "-m", "diplomaccloud.maps.map_worker"]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        return self._process

    def _read_answer(self, pipe: int, seconds: float) -> str:
        deadline, answer = time.monotonic() + seconds, b""
        while not answer.endswith(b"\n"):
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not select.select([pipe], [], [], remaining)[0]:
                raise TooSlowError(
                    f"The map was not finished within {seconds:.0f} seconds. Choose fewer "
                    "provinces, or try again when the server is less busy."
                )
            chunk = os.read(pipe, _CHUNK_SIZE)
            if not chunk:
                raise OSError("the map worker has ended")
            answer += chunk
        return answer.decode().rstrip("\n")


MAP_WORKER = MapWorker()


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    os.nice(5)  # pages are more urgent than maps
    load_generator()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        request = MapRequest(**json.loads(line))
        try:
            chart = make_map(
                request.seed, request.players, provinces=request.provinces, sea=request.sea
            )
            answer = f"chart {json.dumps(dump_chart(chart))}"
        except NoMapError as error:
            answer = f"none {' '.join(str(error).split())}"
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
