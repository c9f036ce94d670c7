"""The mapmaker: draws and certifies maps, and fills the stock, in a process of its own.

It runs beside the site at the lowest priority. Each map is stored in one go when it is done,
so that a mapmaker that is killed leaves nothing half made, and the next one starts it again.
"""

import threading

import structlog
from django.db import Error, close_old_connections
from django.utils import timezone

from diplomaccloud.maps.certifying import NotMeasurableError, certify, uncertified
from diplomaccloud.maps.pictures import draw_all, undrawn
from diplomaccloud.maps.pool import make_stock_map, missing_from_stock
from diplomaccloud.maps.workshop import NoMapError

_log = structlog.get_logger(__name__)


class MapMaker:
    """Does one piece of work after the other, and rests when there is none."""

    def __init__(self, *, rest: float = 15.0) -> None:
        self._rest = rest
        self._stopped = threading.Event()
        self._given_up: set[str] = set()
        self._undrawable: set[str] = set()

    def stop(self) -> None:
        """End after the map at hand."""
        self._stopped.set()

    def run(self) -> None:
        """Work until stopped; after a failure, such as a database that is away, rest and go on.

        Maps made ahead are a comfort: no fault in making one may end the process, because the
        supervisor would then stop the site.
        """
        _log.info("mapmaker started")
        while not self._stopped.is_set():
            close_old_connections()
            try:
                busy = self.work()
            except Exception:
                _log.exception("no work done")
                busy = False
            if not busy:
                self._stopped.wait(self._rest)

    def work(self) -> bool:
        """Draw a stored map, or certify one, or make one; return whether there was work.

        Pictures come first: the gallery waits for them, and each takes a second.
        """
        blank = [key for key in undrawn() if key not in self._undrawable]
        if blank:
            self._draw(blank[0])
            return True
        waiting = [key for key in uncertified() if key not in self._given_up]
        if waiting:
            self._certify(waiting[0])
            return True
        seed = missing_from_stock(frozenset(self._given_up))
        if seed is None:
            return False
        self._make(seed)
        return True

    def _draw(self, key: str) -> None:
        try:
            draw_all(key)
        except Error:
            raise
        except Exception:
            # A map that cannot be drawn can still be measured.
            _log.exception("not drawn", map=key)
            self._undrawable.add(key)
        else:
            _log.info("drawn", map=key)

    def _certify(self, key: str) -> None:
        try:
            certify(key, now=timezone.now())
        except NotMeasurableError:
            self._given_up.add(key)
        except Error:
            raise
        except Exception:
            # Whatever is wrong with one map, the others get their turn.
            _log.exception("not certified", map=key)
            self._given_up.add(key)
        else:
            _log.info("certified", map=key)

    def _make(self, seed: str) -> None:
        try:
            key = make_stock_map(seed, now=timezone.now())
        except NoMapError as error:
            _log.warning("no map", seed=seed, reason=str(error))
            self._given_up.add(seed)
        else:
            _log.info("made", seed=seed, map=key)
