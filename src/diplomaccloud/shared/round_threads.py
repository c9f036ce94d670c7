"""Work outside of requests: threads that repeat rounds, and how often failing tasks are tried."""

import threading
from typing import Final

import structlog
from django.db import close_old_connections, connections

MAX_TASK_ATTEMPTS: Final = 4
"""How many times a background task that fails or gets lost is tried."""
STOP_SECONDS: Final = 2.0
"""How long a stop waits for the current round; unfinished work is picked up by another worker."""
_log = structlog.get_logger(__name__)


class RoundThread:
    """Does rounds until stopped, without pausing as long as there is work."""

    def __init__(self, name: str, *, pause: float = 1.0) -> None:
        self._pause = pause
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current round, or sooner if it takes too long."""
        self._stop.set()
        self._thread.join(STOP_SECONDS)

    def run_once(self) -> int:
        """Do a round, and return how many things were done."""
        raise NotImplementedError

    def close(self) -> None:
        """Clean up anything that the rounds have started."""

    def _run(self) -> None:
        while not self._stop.is_set():
            count = 0
            try:
                close_old_connections()
                count = self.run_once()
            except Exception:  # any error must not prevent the next round
                _log.exception("round failed", thread=self._thread.name)
            if not count:
                self._stop.wait(self._pause)
        self.close()
        connections.close_all()
