"""The worker: processes due phases, and makes maps for the gallery when there is time."""

import datetime as dt
import threading
import time
import uuid

import structlog
from django.db import Error, close_old_connections
from django.utils import timezone

from diplomaccloud.games import actions
from diplomaccloud.games.actions import LEASE
from diplomaccloud.maps.pool import make_pool_map, missing_from_pool
from diplomaccloud.maps.workshop import NoMapError

_log = structlog.get_logger(__name__)
IDLE_BEFORE_MAPS = 5
"""So many rounds without a due phase before a map is made."""


class Worker:
    """Goes its rounds until told to stop; any number may run beside each other."""

    def __init__(
        self, *, pause: float = 1.0, lease: dt.timedelta = LEASE, pool_size: int = 0
    ) -> None:
        self.owner = f"worker {uuid.uuid4().hex[:12]}"
        self._pause, self._lease, self._pool_size = pause, lease, pool_size
        self._stop = threading.Event()
        self._idle = 0
        self._without_map: set[int] = set()

    def stop(self) -> None:
        """End after the phase at hand."""
        self._stop.set()

    def run(self) -> None:
        """Go round after round; a database that is away is waited for."""
        _log.info("worker started", owner=self.owner)
        while not self._stop.is_set():
            close_old_connections()
            try:
                self._round()
            except Error:
                _log.exception("round failed")
            self._stop.wait(self._pause)
        _log.info("worker stopped", owner=self.owner)

    def lock_due(self) -> int:
        """Return in how many phases the orders were closed that are adjudicated later."""
        now = timezone.now()
        return sum(
            actions.lock_phase(phase_id=key, now=now) for key in actions.phases_to_lock(now=now)
        )

    def process_due(self) -> int:
        """Return how many phases were processed: those of every game with one due."""
        done = 0
        for game_id in actions.due_games(now=timezone.now()):
            if self._stop.is_set():
                break
            began = time.perf_counter()
            count = actions.advance(
                game_id=game_id, owner=self.owner, now=timezone.now(), lease=self._lease
            )
            if count:
                ms = round((time.perf_counter() - began) * 1000)
                _log.info("processed", game=game_id, phases=count, ms=ms)
            done += count
        return done

    def _round(self) -> None:
        self.lock_due()
        self._idle = 0 if self.process_due() else self._idle + 1
        if self._idle > IDLE_BEFORE_MAPS and self._pool_size:
            self._make_one_map()

    def _make_one_map(self) -> None:
        missing = [
            number
            for number in missing_from_pool(self._pool_size)
            if number not in self._without_map
        ]
        if not missing:
            self._pool_size = 0
            return
        try:
            make_pool_map(missing[0], now=timezone.now())
        except NoMapError:
            _log.exception("no map", number=missing[0])
            self._without_map.add(missing[0])
