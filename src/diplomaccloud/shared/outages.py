"""Services that the site can do without for a while; it tries them again after a pause."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

PAUSE_SECONDS: Final = 5.0
"""How long to leave a service alone after it failed, so that requests do not wait for it."""
_log = structlog.get_logger(__name__)


class Away(Exception):
    """Raised if the service does not answer, or did not answer a moment ago."""


class Outage:
    """Whether this process knows that a service is down. Each outage is logged once."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._until: float | None = None

    @contextmanager
    def watched(self, *errors: type[Exception]) -> Iterator[None]:
        """Raise `Away` instead of these errors; during the pause, don't run the block at all."""
        if self._until is not None:
            with self._lock:
                now = time.monotonic()
                if self._until is not None and now < self._until:
                    raise Away(self._name)
                # After the pause, let one thread try, but not the others.
                self._until = now + PAUSE_SECONDS
        try:
            yield
        except errors as error:
            with self._lock:
                is_new, self._until = self._until is None, time.monotonic() + PAUSE_SECONDS
            if is_new:
                # Don't log the message, which may contain the address with its password.
                _log.error("service away", service=self._name, error=type(error).__name__)
            raise Away(self._name) from error
        if self._until is not None:
            with self._lock:
                was_away, self._until = self._until is not None, None
            if was_away:
                _log.info("service back", service=self._name)
