"""A process that answers each line with a line, within a time limit, for web requests.

Work that needs a whole CPU or a lot of memory must not run in a process that serves pages. The
first request starts the worker, which keeps running for later ones until none has come for a
minute. It answers one request at a time and is killed if that takes too long.

A pool that can kill a task (`pebble` 5.2) was tried. It runs the server's main module again in each
new process, adds three threads to the web server, and would replace a third of this code. It would
be better for several processes at a time.
"""

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final

REST_SECONDS: Final = 60.0
"""How long a process without requests is kept: starting one takes a second, but it needs memory."""
_MAX_START_SECONDS: Final = 30.0
"""How long the process may take to start, even on a busy machine."""
_MAX_REQUESTS: Final = 3
"""How many requests are accepted at once by default. Each occupies a thread that pages need."""
_CHUNK_SIZE: Final = 1 << 16
_MAX_END_SECONDS: Final = 5.0
_MILLISECONDS: Final = 1000


class WorkerBusy(RuntimeError):
    """The worker is busy with other requests."""


class WorkerSlow(RuntimeError):
    """The answer was not finished within the time limit, and the process was killed."""


class LineWorker:
    """The web server's handle for a process; `module` prints a line when it is ready."""

    def __init__(
        self,
        module: str,
        seconds: float,
        *,
        words: Sequence[str] = (),
        rest: float | None = REST_SECONDS,
        most: int = _MAX_REQUESTS,
    ) -> None:
        """Prepare a worker; its process starts with the first request, with `words` as arguments.

        It ends when there has been no request for `rest` seconds; with None, it stays.
        It accepts at `most` this many requests at once.
        """
        self._seconds, self._rest = seconds, rest
        self._command = [sys.executable, "-P", "-m", module, *words]
        self._used_at = 0.0
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._queue = threading.BoundedSemaphore(most)
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        atexit.register(self.close)

    def warm_up(self) -> None:
        """Start the process in advance, because starting takes a second."""
        if self._lock.acquire(blocking=False):
            try:
                self._start()
            finally:
                self._lock.release()

    def ask(self, line: str) -> str:
        """Return the answer to a line, without the line break.

        Raises `WorkerBusy`, `WorkerSlow`, or `OSError` if the process has ended.
        """
        if not self._queue.acquire(blocking=False):
            raise WorkerBusy
        try:
            return self._ask_in_turn(line)
        finally:
            self._queue.release()

    def close(self) -> None:
        """Kill the process, if it is running."""
        process, self._process = self._process, None
        if process is not None:
            self._ended.set()
            process.kill()
            process.communicate()

    def _ask_in_turn(self, line: str) -> str:
        if not self._lock.acquire(timeout=self._seconds / 2):
            raise WorkerBusy
        try:
            return self._exchange(line)
        except BaseException:
            # Its next line could be the answer to this request, so it must not stay.
            self.close()
            raise
        finally:
            self._used_at = time.monotonic()
            self._lock.release()

    def _exchange(self, line: str) -> str:
        process = self._start()
        requests, answers = process.stdin, process.stdout
        if requests is None or answers is None:
            raise OSError("the worker has no pipes")
        if not self._ready:
            self._read_answer(process, answers.fileno(), _MAX_START_SECONDS)
            self._ready = True
        requests.write(line.encode() + b"\n")
        requests.flush()
        return self._read_answer(process, answers.fileno(), self._seconds)

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self._ready = False
            self._process = self.open(self._command)
            self._used_at = time.monotonic()
            self._ended.set()
            self._ended = threading.Event()
            if self._rest is not None:
                threading.Thread(
                    target=self._end_idle, args=(self._ended, self._rest), daemon=True
                ).start()
        return self._process

    def open(self, command: list[str]) -> "subprocess.Popen[bytes]":
        """Start the process, in a session of its own."""
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )

    def _end_idle(self, ended: threading.Event, rest: float) -> None:
        """End the process when there has been no request for `rest` seconds."""
        while not ended.wait(max(0.0, self._used_at + rest - time.monotonic())):
            # A request that is being answered holds the lock.
            with self._lock:
                if not ended.is_set() and time.monotonic() >= self._used_at + rest:
                    self.close()

    def _read_answer(self, process: "subprocess.Popen[bytes]", pipe: int, seconds: float) -> str:
        deadline, answer = time.monotonic() + seconds, bytearray()
        # Not `select`, which fails if the process has 1024 files and sockets open.
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while not answer.endswith(b"\n"):
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not poll.poll(remaining * _MILLISECONDS):
                raise WorkerSlow
            chunk = os.read(pipe, _CHUNK_SIZE)
            if not chunk:
                try:
                    status = process.wait(_MAX_END_SECONDS)
                except subprocess.TimeoutExpired:
                    raise OSError("the worker has closed its output") from None
                raise WorkerSlow if status == -signal.SIGXCPU else OSError("the worker has ended")
            answer += chunk
        return answer.decode().rstrip("\n")
