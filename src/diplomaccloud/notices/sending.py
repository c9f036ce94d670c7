"""The worker's thread that turns events into notices and sends due deliveries.

Further threads call other servers, with one call at a time for each destination. Destinations that
did not answer last time have separate threads, so that they don't delay the others.
"""

import datetime as dt
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import structlog
from django.db import connections
from django.urls import reverse

from diplomaccloud.notices.consumer import consume_events, consume_press
from diplomaccloud.notices.delivery import deliver, list_due
from diplomaccloud.notices.models import Delivery
from diplomaccloud.notices.reminders import send_reminders
from diplomaccloud.shared.round_threads import RoundThread
from diplomaccloud.shared.site_clock import site_clock

FAST_THREADS: Final = 6
SLOW_THREADS: Final = 2
_QUEUE_LENGTH: Final = 2
"""How many deliveries may be queued per thread, so that none waits longer than its lease."""
_log = structlog.get_logger(__name__)


class Lane:
    """Some sending threads, and the destinations they are busy with."""

    def __init__(self, name: str, threads: int, send: Callable[[int], None]) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"notices-{name}")
        self._size = threads * _QUEUE_LENGTH
        self._send = send
        self._busy: dict[int, Future[None]] = {}

    def busy(self) -> list[int]:
        """Return the destinations that the lane is sending to."""
        self._busy = {key: call for key, call in self._busy.items() if not call.done()}
        return list(self._busy)

    def room(self) -> int:
        """Return how many more deliveries the lane can accept now."""
        return self._size - len(self.busy())

    def add(self, row: Delivery) -> None:
        """Send the delivery once a thread is free."""
        self._busy[row.destination_id] = self._pool.submit(self._send, row.pk)

    def stop(self) -> None:
        """Start no more deliveries."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class NoticesThread(RoundThread):
    """Processes notices in one worker process until stopped."""

    def __init__(
        self, *, pause: float = 1.0, now: Callable[[], dt.datetime] = site_clock.now
    ) -> None:
        super().__init__("notices", pause=pause)
        self._now = now
        self._fast = Lane("fast", FAST_THREADS, self._deliver)
        self._slow = Lane("slow", SLOW_THREADS, self._deliver)

    def stop(self) -> None:
        """Stop, and start no more deliveries: those are due again when their leases end."""
        super().stop()
        self._fast.stop()
        self._slow.stop()

    def is_idle(self) -> bool:
        """Return whether nothing is being sent."""
        return not (self._fast.busy() or self._slow.busy())

    def run_once(self) -> int:
        """Run one round; return the number of events, reminders and started deliveries."""
        # The first link loads the URLs of the whole site, which takes seconds: too long for the
        # transactions of a round.
        reverse("notices:list")
        now = self._now()
        done = consume_events(now=now) + consume_press(now=now) + send_reminders(now=now)
        busy = self._fast.busy() + self._slow.busy()
        for lane, is_slow in ((self._fast, False), (self._slow, True)):
            rows = list_due(now=now, limit=lane.room(), busy=busy, failing=is_slow)
            for row in rows:
                lane.add(row)
            done += len(rows)
        return done

    def _deliver(self, delivery_id: int) -> None:
        try:
            deliver(delivery_id, now=self._now)
        except Exception:  # the other deliveries must still be sent
            _log.exception("delivery broke off", delivery=delivery_id)
        finally:
            connections.close_all()
