"""Large maps: a thread of the web server waits for them, because they can take minutes.

They have a worker process of their own, so that other maps do not wait for them. It ends after each
map, because it needs much memory. A request waits for a few seconds; later ones find the result.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Final

from django.core.cache import cache
from django.db import DatabaseError, connection

from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.map_worker import BusyError, MapRequest, MapWorker

MAX_SECONDS: Final = 600.0
"""How long a large map may take: most take ten seconds of an idle CPU, the largest a minute."""
WAIT: Final = 4.0
"""How many seconds a request waits for a map."""
MAX_WAITING: Final = 2
"""How many large maps may be made or wait in this process."""
_KEEP_REFUSAL: Final = 600
"""How many seconds a refusal is kept for the next requests."""
_RENEW: Final = 15.0
"""How often the claim on a map is renewed, in seconds."""
_KEEP_CLAIM: Final = 4 * _RENEW
"""How many seconds a claim is valid: after a restart, it must not block the map for long."""


class NotReadyError(RuntimeError):
    """The map is still being made; the message is for the person who asks for it."""


class LargeMapWorker(MapWorker):
    """The web server's handle for the process; each map has a thread that waits for it."""

    def __init__(self) -> None:
        """Prepare a worker; its process starts with each map."""
        super().__init__(MAX_SECONDS)
        self._free = threading.BoundedSemaphore(MAX_WAITING)
        self._turn = threading.Lock()

    def start(self, map_request: MapRequest, count: Callable[[], None]) -> "Future[Chart]":
        """Return the future map; raise `BusyError` if others wait already, or what `count` raises.

        `count` is called if nobody has to be refused.
        """
        if not self._free.acquire(blocking=False):
            raise BusyError("Other large worlds are being drawn right now. Try again in a minute.")
        future: Future[Chart] = Future()
        # A server that stops does not wait for it.
        thread = threading.Thread(target=self._fulfill, args=(future, map_request), daemon=True)
        try:
            count()
            thread.start()
        except BaseException:
            self._free.release()
            raise
        return future

    def _fulfill(self, future: "Future[Chart]", map_request: MapRequest) -> None:
        try:
            with self._turn:
                try:
                    chart = self.make(map_request)
                finally:
                    self.close()
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(chart)
        finally:
            self._free.release()


LARGE_MAP_WORKER = LargeMapWorker()


def make_large_map(
    key: str, map_request: MapRequest, count: Callable[[], None], keep: Callable[[Chart], None]
) -> Chart:
    """Return the map for a request with this key, if it is finished in a few seconds.

    Otherwise raises `NotReadyError`. `keep` stores the map, perhaps later. `count` is called if
    nobody has asked for this map before and the worker is free. Also raises what `count` raises,
    and `NoMapError`, perhaps because an earlier request with the same key failed.
    """
    if refusal := cache.get(_name_refusal(key)):
        raise NoMapError(*refusal)
    if not cache.add(_name_claim(key), 1, _KEEP_CLAIM):
        raise NotReadyError("This world is still being drawn.")
    is_late = False
    try:
        future = LARGE_MAP_WORKER.start(map_request, count)
        if is_late := not wait([future], WAIT).done:
            threading.Thread(target=_keep_late, args=(future, key, keep), daemon=True).start()
            raise NotReadyError("This world is still being drawn.")
        chart = future.result()
        keep(chart)
    finally:
        if not is_late:
            cache.delete(_name_claim(key))
    return chart


def _keep_late(future: "Future[Chart]", key: str, keep: Callable[[Chart], None]) -> None:
    """Hold the claim until the map is finished, and keep it then, or the reason why there is none.

    No connection to the database stays open while this waits.
    """
    while not wait([future], _RENEW).done:
        # Without the claim, the map would at worst be made twice.
        with suppress(DatabaseError):
            cache.touch(_name_claim(key), _KEEP_CLAIM)
        connection.close()
    try:
        keep(future.result())
    except NoMapError as error:
        cache.set(_name_refusal(key), [str(error), error.option], _KEEP_REFUSAL)
    finally:
        cache.delete(_name_claim(key))
        connection.close()


def _name_claim(key: str) -> str:
    return f"map-claimed-{key}"


def _name_refusal(key: str) -> str:
    return f"map-refused-{key}"
