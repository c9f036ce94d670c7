"""The worker thread in which bots think, using at most one processor.

Bots search for orders in a separate process, so that a runaway search can be killed alone; the
thread evaluates deals itself. Once a second, it queries small tables for bots that have something
to think about; they contain only games in which something has changed.
"""

import datetime as dt
import uuid
from collections.abc import Callable

from diplomaccloud.games.turn.thinking import think_for_bots
from diplomaccloud.press.actions import answer_for_bots, talk_for_bots
from diplomaccloud.shared.round_threads import RoundThread
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.worker.bot_process import BotProcess
from diplomaccloud.worker.task_rows import run_waiting_tasks


class ThinkingThread(RoundThread):
    """Lets bots think in one worker process until stopped.

    It uses the site's clock, since it may also process phases.
    """

    def __init__(
        self, *, now: Callable[[], dt.datetime] = site_clock.now, pause: float = 1.0
    ) -> None:
        super().__init__("bots", pause=pause)
        self._now = now
        self._owner = f"bots {uuid.uuid4().hex[:12]}"
        self._process = BotProcess()

    def start(self) -> None:
        """Start the thread, and start the process before the first bot needs it."""
        self.warm_up()
        super().start()

    def warm_up(self) -> None:
        """Start the process of the bots."""
        self._process.warm_up()

    def run_once(self) -> int:
        """Let bots think, talk and answer; return how many did.

        At most one talks and one answers, so that phases do not wait while bots weigh many deals.
        """
        count = run_waiting_tasks("bots")
        count += think_for_bots(owner=self._owner, now=self._now, ask=self._process.order)
        return count + talk_for_bots(now=self._now, most=1) + answer_for_bots(now=self._now, most=1)

    def close(self) -> None:
        """End the process of the bots."""
        self._process.close()
