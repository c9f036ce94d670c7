"""The mapmaker: draws and measures maps and fills the stock, in a process at the lowest priority.

A worker chooses one job after another, and `mapmaker_process` does it. If that process is killed,
nothing is left incomplete: the next one continues a measurement from its finished games, and starts
a map that it was making again.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from django.db import Error
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

_MAX_LOSSES: Final = 3
"""How many processes in a row a map may cost, for example because it needs too much memory."""
_log = structlog.get_logger(__name__)


class NotNowError(RuntimeError):
    """The job can be tried again later."""


class LostError(NotNowError):
    """The process ended, or was killed because it took too long, while it did the job."""


class Task(StrEnum):
    """What the mapmaker does with a map; `MAKE` gets a seed, and the others the map's hash."""

    STORE = "store"
    DRAW = "draw"
    MEASURE = "measure"
    FINISH = "finish"
    MAKE = "make"


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to do, for which a process takes from a second to several minutes."""

    task: Task
    key: str


def _find_other(keys: Iterable[str], excluded: Collection[str]) -> str | None:
    return next((key for key in keys if key not in excluded), None)


def open_shipped_maps(path: Path | None) -> ShippedMaps:
    """Return the shipped maps in a file, or none if it cannot be read."""
    try:
        return ShippedMaps(path)
    except GalleryFileError:
        _log.exception("shipped maps not read")
        return ShippedMaps(None)


class MapMaker:
    """Chooses one job after another, and remembers which could not be done."""

    def __init__(
        self, *, shipped: Path | None = None, do: Callable[[Job], bool] | None = None
    ) -> None:
        """Prepare the work; `shipped` is the file with the maps of the release, if any.

        `do` does a job as `do_job`, which is what does it by default.
        """
        self._shipped = open_shipped_maps(shipped)
        self._do = do or partial(do_job, self._shipped)
        self._losses: Counter[str] = Counter()
        self._failed: set[str] = set()
        self._not_drawable: set[str] = set()

    def work(self) -> bool:
        """Store, draw or make one map, or measure one for a while; return whether there was work.

        A job that fails is left out from then on, and so is one that has cost too many processes:
        it must not stop work on other maps. Raises what `do` raises.
        """
        job = next(self._list_jobs(), None)
        if job is None:
            return False
        if not self._try(job):
            # A map that cannot be drawn can still be measured.
            (self._not_drawable if job.task == Task.DRAW else self._failed).add(job.key)
        return True

    def _try(self, job: Job) -> bool:
        try:
            done = self._do(job)
        except LostError:
            self._losses[job.key] += 1
            if self._losses[job.key] < _MAX_LOSSES:
                raise
            _log.warning("map left out", task=job.task, map=job.key, reason="ended its process")
            done = False
        self._losses.pop(job.key, None)
        return done

    def _list_jobs(self) -> Iterator[Job]:
        """Yield a job of each kind, the most urgent first.

        Maps that came with the release are first, because storing one takes only a moment. Pictures
        come next, because the gallery needs them and each takes only a second. Then every map gets
        a quick measurement. Bots that look ahead take minutes for a map, so they come later; maps
        that an earlier version has measured come last.
        """
        if key := _find_other(find_missing_shipped_maps(self._shipped), self._failed):
            yield Job(Task.STORE, key)
        if key := _find_other(list_undrawn_maps(), self._not_drawable):
            yield Job(Task.DRAW, key)
        if key := _find_other(list_unmeasured_maps(), self._failed):
            yield Job(Task.MEASURE, key)
        if key := self._find_partly_measured(earlier=False):
            yield Job(Task.FINISH, key)
        if seed := find_missing_seed(frozenset(self._failed)):
            yield Job(Task.MAKE, seed)
        if key := self._find_partly_measured(earlier=True):
            yield Job(Task.FINISH, key)

    def _find_partly_measured(self, *, earlier: bool) -> str | None:
        if SLOW_KERNEL:
            # Without the compiled kernel, bots that look ahead would take hours for a map.
            return None
        return _find_other(list_partly_measured_maps(earlier=earlier), self._failed)


def do_job(shipped: ShippedMaps, job: Job) -> bool:
    """Do a job; return False, with a line in the log, if it must not be tried again.

    A fault in one map must not stop work on the others. Raises `django.db.Error`.
    """
    try:
        _do_task(shipped, job)
    except (NotMeasurableError, NoMapError) as error:
        _log.warning("map left out", task=job.task, map=job.key, reason=str(error))
    except Error:
        raise
    except Exception:
        _log.exception("map job failed", task=job.task, map=job.key)
    else:
        return True
    return False


def _do_task(shipped: ShippedMaps, job: Job) -> None:
    now = timezone.now()
    match job.task:
        case Task.STORE:
            store_shipped_map(shipped, job.key, now=now)
            _log.info("shipped map stored", map=job.key)
        case Task.DRAW:
            draw_pictures(job.key)
            _log.info("map drawn", map=job.key)
        case Task.MEASURE | Task.FINISH:
            quickly = job.task == Task.MEASURE
            if certify_map(job.key, quickly=quickly, now=now):
                _log.info("map certified", map=job.key, quickly=quickly)
        case Task.MAKE:
            key = make_stock_map(job.key, now=now)
            _log.info("map made", seed=job.key, map=key)
