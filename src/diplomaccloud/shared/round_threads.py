"""Work outside of requests: threads that repeat rounds, and how often failing tasks are tried."""

import threading
import time
from typing import Final

import structlog
from django.db import (
    InterfaceError,
    OperationalError,
    close_old_connections,
    connection,
    connections,
)

MAX_TASK_ATTEMPTS: Final = 4
"""How many times a background task that fails or gets lost is tried."""
STOP_SECONDS: Final = 2.0
"""How long a stop waits for the current round; unfinished work is picked up by another worker."""
_AWAY_SECONDS: Final = 60.0
"""How often a process complains while the database is away."""
_log = structlog.get_logger(__name__)
_complained_at = -_AWAY_SECONDS
_complaining = threading.Lock()


def log_failed_round(error: Exception, **facts: object) -> None:
    """Log a round that failed with its traceback, or a line a minute while the database is away."""
    global _complained_at  # noqa: PLW0603 one for all threads of the process
    is_lost = isinstance(error, OperationalError | InterfaceError)
    if not is_lost or (connection.connection is not None and connection.is_usable()):
        _log.error("round failed", **facts, exc_info=error)
        return
    with _complaining:
        if time.monotonic() - _complained_at < _AWAY_SECONDS:
            return
        _complained_at = time.monotonic()
    # The message may contain the address with its password.
    fix = "start it, or correct DATABASE_URL; this process tries again by itself"
    _log.error("database away", error=type(error).__name__, fix=fix)


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
            except Exception as error:  # any error must not prevent the next round
                log_failed_round(error, thread=self._thread.name)
            if not count:
                self._stop.wait(self._pause)
        self.close()
        connections.close_all()
