"""Mail on its way: sent beside the pages, so that no page waits for it or tells how it went.

One thread in each web server, begun by the first letter. What waits is in memory alone: a server
that stops says in the log what it has not sent, and the link to a new password can be asked for
again.
"""

import atexit
import heapq
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import structlog
from django.db import connections

_log = structlog.get_logger(__name__)

SOON: Final = 0.5
"""Seconds before the first try: the page is answered by then, and no work beside it slows it."""

WAITS: Final = (10.0, 60.0, 300.0, 1800.0, 3600.0)
"""Seconds after each try that failed; after one more the letter is given up."""

MOST: Final = 1000
"""Letters that may wait at once."""

_LAST: Final = 1.0
"""Seconds for what is being sent when the server stops."""


@dataclass(frozen=True, slots=True, order=True)
class _Letter:
    """One thing to be done once `time.monotonic()` is `due`; `number` keeps the sequence."""

    due: float
    number: int
    kind: str = field(compare=False)
    send: Callable[[], None] = field(compare=False)
    failed: int = field(compare=False, default=0)


class Postman:
    """Sends letters one after the other, and tries again later what could not be sent."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._letters: list[_Letter] = []
        self._numbers = count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._at_hand: _Letter | None = None
        self._stopped = False

    def post(self, kind: str, send: Callable[[], None]) -> None:
        """Have `send` called soon, and again later if it raises; the log calls it `kind`."""
        letter = _Letter(time.monotonic() + SOON, next(self._numbers), kind, send)
        with self._changed:
            if self._stopped or len(self._letters) >= MOST:
                why = "the server stops" if self._stopped else "too many wait"
                _log.error("mail was not sent", mail=kind, reason=why)
                return
            heapq.heappush(self._letters, letter)
            self.start()
            self._changed.notify()

    def start(self) -> None:
        """See to it that the thread is there."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="postman", daemon=True)
            self._thread.start()
            atexit.register(self.close)

    def deliver(self, now: float) -> None:
        """Try everything that is due at `now`, by `time.monotonic()`, also what that brings."""
        began = time.monotonic()
        while letter := self._due(now):
            try:
                letter.send()
            except Exception as error:  # whatever it is, the next letter must go out
                taken = time.monotonic() - began  # a server that does not answer takes long
                self._put_back(letter, now + taken, reason=type(error).__name__)
            self._at_hand = None

    def close(self) -> None:
        """Let the letter at hand be finished, and say in the log which are not sent."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(_LAST)
        with self._changed:
            left, self._letters = [self._at_hand, *self._letters], []
        for letter in filter(None, left):
            _log.error("mail was not sent", mail=letter.kind, reason="the server stops")

    def _run(self) -> None:
        while not self._stopped:
            self.deliver(time.monotonic())
            connections.close_all()
            with self._changed:
                rest = self._letters[0].due - time.monotonic() if self._letters else None
                if not self._stopped and (rest is None or rest > 0):
                    self._changed.wait(rest)

    def _due(self, now: float) -> _Letter | None:
        """Return the letter to be sent next, having taken it in hand; None if it has to wait."""
        with self._changed:
            if self._stopped or not self._letters or self._letters[0].due > now:
                return None
            self._at_hand = heapq.heappop(self._letters)
            return self._at_hand

    def _put_back(self, letter: _Letter, now: float, *, reason: str) -> None:
        told = {"mail": letter.kind, "reason": reason, "tries": letter.failed + 1}
        if letter.failed >= len(WAITS):
            _log.error("mail was given up", **told)
            return
        wait = WAITS[letter.failed]
        _log.error("mail was not sent", **told, again_in=wait)
        again = _Letter(
            now + wait, letter.number, letter.kind, letter.send, failed=letter.failed + 1
        )
        with self._changed:
            heapq.heappush(self._letters, again)


POSTMAN: Final = Postman()
"""That of this process."""
