"""The thread of a worker in which bots think: at most one processor of each worker's machine.

They think in a process beside it, so that a search which runs away ends alone. The thread asks
small tables once a second for bots that have something to think about; a game in which nothing
changes is not in them.
"""

import datetime as dt
import threading
import uuid
from collections.abc import Callable
from typing import Final

import structlog
from django.db import close_old_connections, connections

from diplomaccloud.games.actions import think_for_bots
from diplomaccloud.press.actions import answer_for_bots, talk_for_bots
from diplomaccloud.worker.bot_process import BotProcess

STOP_SECONDS: Final = 2.0
"""How long a stop waits for the bots at hand; others think after the next start, or play greedy."""
_log = structlog.get_logger(__name__)


class ThinkingThread:
    """Lets bots think in one worker process until stopped.

    `now` returns the time by the clock of the site: turns are judged here, too.
    """

    def __init__(self, *, now: Callable[[], dt.datetime], pause: float = 1.0) -> None:
        self._now, self._pause = now, pause
        self._owner = f"bots {uuid.uuid4().hex[:12]}"
        self._process = BotProcess()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the bots at hand."""
        self._stop.set()
        self._thread.join(STOP_SECONDS)

    def run_once(self) -> int:
        """Return how many bots have thought, talked or answered.

        One at most talks and one answers, so that no phase waits while many deals are weighed.
        """
        count = think_for_bots(owner=self._owner, now=self._now, ask=self._process.order)
        return count + talk_for_bots(now=self._now, most=1) + answer_for_bots(now=self._now, most=1)

    def _run(self) -> None:
        while not self._stop.is_set():
            count = 0
            try:
                close_old_connections()
                count = self.run_once()
            except Exception:  # whatever it is, the next round must come
                _log.exception("bots failed")
            if not count:
                self._stop.wait(self._pause)
        self._process.close()
        connections.close_all()
