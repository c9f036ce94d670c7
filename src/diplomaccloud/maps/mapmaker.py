"""The mapmaker: a background process that draws and measures maps and fills the stock.

It runs next to the site at the lowest priority. A killed mapmaker leaves nothing incomplete: the
next one continues a measurement from its finished games, and starts a map that it was making again.
"""

import threading
from collections.abc import Collection, Iterable
from pathlib import Path

import structlog
from django.db import Error, close_old_connections
from django.utils import timezone

from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.maps.certification import (
    NotMeasurableError,
    certify_map,
    list_partly_measured_maps,
    list_unmeasured_maps,
)
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.gallery_file import GalleryFileError, ShippedMaps
from diplomaccloud.maps.pictures import draw_pictures, list_undrawn_maps
from diplomaccloud.maps.stock import (
    find_missing_seed,
    find_missing_shipped_maps,
    make_stock_map,
    store_shipped_map,
)

_log = structlog.get_logger(__name__)


def _find_other(keys: Iterable[str], excluded: Collection[str]) -> str | None:
    return next((key for key in keys if key not in excluded), None)


def _open_shipped_maps(path: Path | None) -> ShippedMaps:
    try:
        return ShippedMaps(path)
    except GalleryFileError:
        _log.exception("shipped maps not read")
        return ShippedMaps(None)


class MapMaker:
    """Does one job after another, and waits when there is nothing to do."""

    def __init__(self, *, rest: float = 15.0, shipped: Path | None = None) -> None:
        """Prepare the work; `shipped` is the file with the maps of the release, if any."""
        self._rest = rest
        self._stopped = threading.Event()
        self._failed: set[str] = set()
        self._not_drawable: set[str] = set()
        self._shipped = _open_shipped_maps(shipped)

    def stop(self) -> None:
        """Stop after the current job."""
        self._stopped.set()

    def run(self) -> None:
        """Work until stopped. After a failure, such as a lost database, wait and continue.

        The site works without new maps, but if a failure ended this process, the supervisor would
        stop the site.
        """
        _log.info("mapmaker started")
        while not self._stopped.is_set():
            try:
                close_old_connections()
                busy = self.work()
            except Exception:
                _log.exception("mapmaker job failed")
                busy = False
            if not busy:
                self._stopped.wait(self._rest)

    def work(self) -> bool:
        """Store, draw or make one map, or measure one for a while; return whether there was work.

        Maps that came with the release are first, because storing one takes only a moment. Pictures
        come next, because the gallery needs them and each takes only a second. Then every map gets
        a quick measurement. Bots that look ahead take minutes for a map, so they come later; maps
        that an earlier version has measured come last.
        """
        if key := _find_other(find_missing_shipped_maps(self._shipped), self._failed):
            self._store_shipped(key)
        elif key := _find_other(list_undrawn_maps(), self._not_drawable):
            self._draw(key)
        elif key := _find_other(list_unmeasured_maps(), self._failed):
            self._certify(key, quickly=True)
        elif key := self._find_partly_measured(earlier=False):
            self._certify(key, quickly=False)
        elif seed := find_missing_seed(frozenset(self._failed)):
            self._make(seed)
        elif key := self._find_partly_measured(earlier=True):
            self._certify(key, quickly=False)
        else:
            return False
        return True

    def _find_partly_measured(self, *, earlier: bool) -> str | None:
        if SLOW_KERNEL:
            # Without the compiled kernel, bots that look ahead would take hours for a map.
            return None
        return _find_other(list_partly_measured_maps(earlier=earlier), self._failed)

    def _store_shipped(self, key: str) -> None:
        try:
            store_shipped_map(self._shipped, key, now=timezone.now())
        except Error:
            raise
        except Exception:
            # The other maps of the file can still be stored.
            _log.exception("shipped map not stored", map=key)
            self._failed.add(key)
        else:
            _log.info("shipped map stored", map=key)

    def _draw(self, key: str) -> None:
        try:
            draw_pictures(key)
        except Error:
            raise
        except Exception:
            # A map that cannot be drawn can still be measured.
            _log.exception("map not drawn", map=key)
            self._not_drawable.add(key)
        else:
            _log.info("map drawn", map=key)

    def _certify(self, key: str, *, quickly: bool) -> None:
        try:
            done = certify_map(key, quickly=quickly, now=timezone.now())
        except NotMeasurableError:
            self._failed.add(key)
        except Error:
            raise
        except Exception:
            # A fault in one map must not stop work on the others.
            _log.exception("map not certified", map=key)
            self._failed.add(key)
        else:
            if done:
                _log.info("map certified", map=key, quickly=quickly)

    def _make(self, seed: str) -> None:
        try:
            key = make_stock_map(seed, now=timezone.now())
        except NoMapError as error:
            _log.warning("map not made", seed=seed, reason=str(error))
            self._failed.add(seed)
        else:
            _log.info("map made", seed=seed, map=key)
