"""The thread of a worker in which bots think: at most one processor of each worker's machine.

They search for orders in a process beside it, so that a search which runs away ends alone; the
thread weighs deals itself. It asks small tables once a second for bots that have something to think
about; a game in which nothing changes is not in them.
"""

import datetime as dt
import uuid
from collections.abc import Callable

from diplomaccloud.games.actions import think_for_bots
from diplomaccloud.press.actions import answer_for_bots, talk_for_bots
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.worker.bot_process import BotProcess
from diplomaccloud.worker.loop import RoundThread
from diplomaccloud.worker.task_rows import run_waiting_tasks


class ThinkingThread(RoundThread):
    """Lets bots think in one worker process until stopped.

    It asks for the time by the clock of the site, since turns are judged here, too.
    """

    def __init__(
        self, *, now: Callable[[], dt.datetime] = site_clock.now, pause: float = 1.0
    ) -> None:
        super().__init__("bots", pause=pause)
        self._now = now
        self._owner = f"bots {uuid.uuid4().hex[:12]}"
        self._process = BotProcess()

    def start(self) -> None:
        """Start the thread, and the process before the first bot needs it."""
        self.warm_up()
        super().start()

    def warm_up(self) -> None:
        """Start the process of the bots."""
        self._process.warm_up()

    def run_once(self) -> int:
        """Return how many bots have thought, talked or answered.

        One at most talks and one answers, so that no phase waits while many deals are weighed.
        """
        count = run_waiting_tasks("bots")
        count += think_for_bots(owner=self._owner, now=self._now, ask=self._process.order)
        return count + talk_for_bots(now=self._now, most=1) + answer_for_bots(now=self._now, most=1)

    def close(self) -> None:
        """End the process of the bots."""
        self._process.close()
