"""The worker: processes due phases, and does nothing else, so that none has to wait."""

import datetime as dt
import random
import threading
import time
import uuid

import structlog
from django.db import Error, close_old_connections

from diplomaccloud.games import actions
from diplomaccloud.games.actions import LEASE
from diplomaccloud.worker.health import Pulse
from diplomaccloud.worker.skew import SiteClock

_log = structlog.get_logger(__name__)
_FRONT, _BATCH = 64, 16
"""Of so many games that are longest overdue, so many are drawn at a time."""
_PAUSES = 10.0
"""Seconds between two looks at the pauses: no index leads to them."""


class Worker:
    """Goes its rounds until told to stop; any number may run beside each other."""

    def __init__(self, *, pause: float = 1.0, lease: dt.timedelta = LEASE) -> None:
        self.owner = f"worker {uuid.uuid4().hex[:12]}"
        self._pause, self._lease = pause, lease
        self._pulse = Pulse(self.owner)
        self._clock = SiteClock()
        self._rng = random.Random(self.owner)
        self._stop = threading.Event()
        self._pauses_at = 0.0

    def stop(self) -> None:
        """End after the phase at hand."""
        self._stop.set()

    def run(self) -> None:
        """Go round after round; a database that is away is waited for."""
        _log.info("worker started", owner=self.owner)
        while not self._stop.is_set():
            close_old_connections()
            busy = 0
            try:
                self._clock.compare()
                busy = self.round()
            except Error:
                _log.exception("round failed")
            if not busy:
                self._stop.wait(self._pause)
        _log.info("worker stopped", owner=self.owner)

    def round(self) -> int:
        """Return how many phases were processed in one round of everything that has to be done."""
        self.make_up()
        self._pulse.beat(now=self._clock.now())
        self.lock_due()
        actions.expire_motions(now=self._clock.now)
        self.end_pauses()
        return self.process_due()

    def make_up(self) -> int:
        """Return how many games were given back the time of an outage that is over now."""
        away_at = self._pulse.silent_since(now=self._clock.now())
        if away_at is None:
            return 0
        count = actions.credit_outage(away_at=away_at, back_at=self._clock.now)
        _log.warning("back after an outage", since=away_at.isoformat(), credited=count)
        return count

    def lock_due(self) -> int:
        """Return in how many phases the orders were closed that are adjudicated later."""
        clock = self._clock.now
        return sum(
            actions.lock_phase(phase_id=key, now=clock)
            for key in actions.phases_to_lock(now=clock())
        )

    def end_pauses(self) -> int:
        """Return how many pauses ended by themselves; asked every ten seconds, not every round."""
        if time.monotonic() < self._pauses_at:
            return 0
        self._pauses_at = time.monotonic() + _PAUSES
        return actions.end_pauses(now=self._clock.now)

    def process_due(self) -> int:
        """Return how many phases were processed now: of some of the games longest overdue.

        Workers beside each other each draw their own, so that they seldom meet.
        """
        due = actions.due_games(now=self._clock.now())[:_FRONT]
        drawn = self._rng.sample(due, min(len(due), _BATCH))
        return sum(self._advance(game_id) for game_id in drawn)

    def _advance(self, game_id: int) -> int:
        if self._stop.is_set():
            return 0
        began = time.perf_counter()
        count = actions.advance(
            game_id=game_id, owner=self.owner, now=self._clock.now, lease=self._lease
        )
        if count:
            ms = round((time.perf_counter() - began) * 1000)
            _log.info("processed", game=game_id, phases=count, ms=ms)
        return count
