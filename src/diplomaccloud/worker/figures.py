"""Metrics from the database, queried when Prometheus scrapes them.

Results are cached for a few seconds, so that many scrapes cost no more than one, and no query
reads more rows than the limit for counting a queue.
"""

import shutil
import threading
import time
from collections.abc import Iterator
from typing import Final

import structlog
from django.conf import settings
from django.db import Error, connections
from django.utils import timezone
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from diplomaccloud.maps.stock import count_unplayed
from diplomaccloud.metrics import publish_metrics
from diplomaccloud.version import __version__
from diplomaccloud.worker.health import check_health, read_queues

KEEP_SECONDS: Final = 10.0
_log = structlog.get_logger(__name__)


class SiteFigures(Collector):
    """Queries the database for the state of the whole site."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[Metric] = []
        self._until = 0.0

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics, or only that the database is down."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._kept = list(_ask())
                self._until = time.monotonic() + KEEP_SECONDS
            yield from self._kept

    def describe(self) -> list[Metric]:
        """Return nothing, so that registering does not query the database."""
        return []


def publish_figures() -> None:
    """Publish the metrics of this worker and of the site, if the settings say where."""
    if publish_metrics(settings.METRICS, role="worker", release=__version__):
        REGISTRY.register(SiteFigures())


def _ask() -> Iterator[Metric]:
    free = shutil.disk_usage(settings.DATA_DIR).free
    yield _gauge("disk_free_bytes", "Free space on the disk of the data directory", free)
    is_up, figures = 1, list[Metric]()
    try:
        figures += _ask_database()
    except Error:
        _log.exception("figures cannot be read")
        is_up, figures = 0, []
    finally:
        connections.close_all()  # each scrape runs in a new thread
    yield _gauge("database_up", "Whether the database answers", is_up)
    yield from figures


def _ask_database() -> Iterator[Metric]:
    now = timezone.now()
    about = "Work that is due and not done"
    depth = GaugeMetricFamily("diplomaccloud_queue_depth", about, labels=["queue"])
    about = "How long the oldest work has waited"
    age = GaugeMetricFamily("diplomaccloud_queue_age_seconds", about, labels=["queue"])
    for queue in read_queues(now=now):
        depth.add_metric([queue.name], queue.depth)
        age.add_metric([queue.name], queue.age)
    yield depth
    yield age
    health = check_health(now=now)
    seen = health.worker_seen_at.timestamp() if health.worker_seen_at else 0
    yield _gauge("worker_seen_timestamp_seconds", "When a worker was last seen", seen)
    yield _gauge("games_suspended", "Games suspended after an error", health.backlog.suspended)
    about = "Maps that nobody has played on"
    stock = GaugeMetricFamily("diplomaccloud_map_stock", about, labels=["players"])
    for players, count in count_unplayed().items():
        stock.add_metric([str(players)], count)
    yield stock


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(f"diplomaccloud_{name}", about, value)
