"""The loop that processes due phases; slower work runs elsewhere, so that phases don't wait."""

import datetime as dt
import os
import random
import time
import uuid
from contextlib import suppress
from queue import Empty, SimpleQueue

import structlog
from django.db import close_old_connections

from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.games.deadlines.actions import credit_outage, end_pauses
from diplomaccloud.games.next_game.actions import extend_musters, open_missing, tend_next_games
from diplomaccloud.games.turn.claims import LEASE, advance, due_games, lock_due_phases
from diplomaccloud.games.votes.actions import close_expired_votes
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.shared.round_threads import log_failed_round
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.worker.health import Pulse
from diplomaccloud.worker.task_rows import run_waiting_tasks

_log = structlog.get_logger(__name__)
_MAX_CANDIDATES = 64
"""How many of the longest overdue games a worker considers in one round."""
_BATCH_SIZE = 16
"""How many of those it processes, chosen at random."""
_PAUSE_CHECK_SECONDS = 10.0
"""Time between two checks for expired pauses, which no index can find."""

_OPENING_CHECK_SECONDS = 30.0
"""Time between two checks for templates without a waiting game: the first, or a missing map."""


class Worker:
    """Does rounds until stopped. Any number of workers may run at the same time."""

    def __init__(
        self, *, pause: float = 1.0, lease: dt.timedelta = LEASE, pulse: int | None = None
    ) -> None:
        """Prepare the worker; `pulse` is the file descriptor of a supervisor that watches it."""
        self.owner = f"worker {uuid.uuid4().hex[:12]}"
        self._pause, self._lease = pause, lease
        self._pulse = Pulse(self.owner)
        self._supervisor = pulse
        if pulse is not None:
            os.set_blocking(pulse, False)
        self._now = site_clock.now
        self._rng = random.Random(self.owner)
        self._is_stopping = False
        # Not an event, whose lock the interrupted thread may hold while a signal calls `stop`.
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._pauses_at = 0.0
        self._opening_at = 0.0

    def stop(self) -> None:
        """Stop after the current phase. A signal handler may call this."""
        self._is_stopping = True
        self._wake.put(None)

    def wait(self) -> None:
        """Do nothing until stopped."""
        while not self._is_stopping:
            self._wake.get()

    def run(self) -> None:
        """Run round after round; if the database is unavailable, wait for it."""
        _log.info("worker started", owner=self.owner, kernel=KERNEL.name)
        if SLOW_KERNEL:
            _log.warning("kernel not compiled", advice=SLOW_KERNEL)
        while not self._is_stopping:
            busy = 0
            try:
                close_old_connections()
                busy = self.run_round() + run_waiting_tasks("clock")
            except Exception as error:  # any error must not prevent the next round
                log_failed_round(error)
            self._show_life()
            if not busy:
                self._rest(self._pause)
        _log.info("worker stopped", owner=self.owner)

    def _show_life(self) -> None:
        """Show the supervisor, if there is one, that this worker does not hang.

        The heartbeat would not do: it waits for the database, and for the credit of an outage.
        """
        if self._supervisor is not None:
            with suppress(OSError):  # the pipe is full, or the supervisor has ended
                os.write(self._supervisor, b".")

    def _rest(self, seconds: float) -> None:
        """Wait for some time, or until stopped."""
        with suppress(Empty):
            self._wake.get(timeout=seconds)

    def run_round(self) -> int:
        """Do all work that is due, and return how many phases were processed."""
        self.credit_outage()
        self._pulse.beat(now=self._now())
        # Orders in phases that are adjudicated later.
        lock_due_phases(now=self._now, lease=self._lease)
        close_expired_votes(now=self._now)
        self.end_pauses()
        self.tend_next_games()
        return self.process_due()

    def credit_outage(self) -> int:
        """Extend deadlines after an outage, and return how many games were affected."""
        away_at = self._pulse.silent_since(now=self._now())
        if away_at is None:
            return 0
        count = credit_outage(away_at=away_at, back_at=self._now, before_each=self._show_life)
        extend_musters(away_at=away_at, back_at=self._now())
        _log.warning("outage ended", since=away_at.isoformat(), games_extended=count)
        return count

    def end_pauses(self) -> int:
        """End expired pauses, at most every ten seconds, and return how many were ended."""
        if time.monotonic() < self._pauses_at:
            return 0
        self._pauses_at = time.monotonic() + _PAUSE_CHECK_SECONDS
        return end_pauses(now=self._now)

    def tend_next_games(self) -> int:
        """Open and end musters, and open missing games; return how many games have started."""
        started = tend_next_games(now=self._now)
        for game_id in started:
            self._advance(game_id)
        if time.monotonic() >= self._opening_at:
            self._opening_at = time.monotonic() + _OPENING_CHECK_SECONDS
            open_missing(now=self._now())
        return len(started)

    def process_due(self) -> int:
        """Process some of the longest overdue games, and return how many phases were processed.

        Each worker chooses at random, so that two workers rarely pick the same game.
        """
        due = due_games(now=self._now())[:_MAX_CANDIDATES]
        chosen = self._rng.sample(due, min(len(due), _BATCH_SIZE))
        return sum(self._advance(game_id) for game_id in chosen)

    def _advance(self, game_id: int) -> int:
        if self._is_stopping:
            return 0
        self._show_life()
        started = time.perf_counter()
        count = advance(game_id=game_id, owner=self.owner, now=self._now, lease=self._lease)
        if count:
            ms = round((time.perf_counter() - started) * 1000)
            _log.info("game processed", game=game_id, phases=count, ms=ms)
        return count
