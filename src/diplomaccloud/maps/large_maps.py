"""Large maps: a thread of the web server waits for them, because they can take minutes.

They have a worker process of their own, so that other maps do not wait for them. It ends after each
map, because it needs much memory. A request waits for a few seconds; later ones find the result.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from django.core.cache import cache
from django.db import connection

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


class NotReadyError(RuntimeError):
    """The map is still being made; the message is for the person who asks for it."""


class LargeMapWorker(MapWorker):
    """The web server's handle for the process; each map has a thread that waits for it."""

    def __init__(self) -> None:
        """Prepare a worker; its process starts with each map."""
        super().__init__(MAX_SECONDS)
        self._free = threading.BoundedSemaphore(MAX_WAITING)
        self._turn = threading.Lock()

    def start(self, map_request: MapRequest) -> "Future[Chart]":
        """Return the future map; raise `BusyError` if others wait already."""
        if not self._free.acquire(blocking=False):
            raise BusyError("Other large worlds are being drawn right now. Try again in a minute.")
        future: Future[Chart] = Future()
        # A server that stops does not wait for it.
        threading.Thread(target=self._fulfill, args=(future, map_request), daemon=True).start()
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
            # The map was perhaps stored in this thread.
            connection.close()


LARGE_MAP_WORKER = LargeMapWorker()


def make_large_map(
    key: str, map_request: MapRequest, count: Callable[[], None], keep: Callable[[Chart], None]
) -> Chart:
    """Return the map for a request with this key, if it is finished in a few seconds.

    Otherwise raises `NotReadyError`, and `keep` stores the map later. `count` is called if nobody
    has asked for this map before. Also raises what `count` raises, and `NoMapError`, perhaps
    because an earlier request with the same key failed.
    """
    if refusal := cache.get(f"map-refused-{key}"):
        raise NoMapError(*refusal)
    claim = f"map-claimed-{key}"
    if not cache.add(claim, 1, MAX_SECONDS * MAX_WAITING):
        raise NotReadyError("This world is still being drawn.")

    def finish(future: "Future[Chart]") -> None:
        error = future.exception()
        if error is None:
            keep(future.result())
        elif isinstance(error, NoMapError):
            cache.set(f"map-refused-{key}", [str(error), error.option], _KEEP_REFUSAL)
        cache.delete(claim)

    try:
        count()
        future = LARGE_MAP_WORKER.start(map_request)
        chart = future.result(WAIT)
    except TimeoutError as error:
        future.add_done_callback(finish)
        raise NotReadyError("This world is still being drawn.") from error
    except BaseException:
        cache.delete(claim)
        raise
    cache.delete(claim)
    return chart
