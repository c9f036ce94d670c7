"""What a process counts and measures about itself, for Prometheus.

Each process publishes its metrics on its own port, never on the port of the pages. Metrics from the
database are not here: workers query them, see `worker.figures`.

Prometheus adds the processes up. The library's multi-process mode would share files, and a killed
process would leave some behind.
"""

import errno
from typing import Final

import structlog
from prometheus_client import Counter, Gauge, Histogram, start_http_server

PORTS: Final = 32
"""How many ports to try from the given one on, one for each process on the machine."""
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)
_log = structlog.get_logger(__name__)

JUDGE_SECONDS: Final = Histogram(
    "diplomaccloud_judge_seconds",
    "Time to adjudicate a phase, without the database",
    buckets=_SECONDS,
)
PHASE_SECONDS: Final = Histogram(
    "diplomaccloud_phase_seconds", "Time to process a due phase", buckets=_SECONDS
)
PHASE_LAG_SECONDS: Final = Histogram(
    "diplomaccloud_phase_lag_seconds",
    "Time from when a phase was due until it was processed",
    buckets=_SECONDS,
)
LEASES_LOST: Final = Counter(
    "diplomaccloud_leases_lost", "Phases that another process had started but not finished"
)
NOTICES: Final = Counter(
    "diplomaccloud_notices", "Attempts to deliver a notice, by result", ("channel", "result")
)
RECORDS: Final = Counter(
    "diplomaccloud_records", "Records of games that a worker verified, by result", ("result",)
)
LOGINS_REFUSED: Final = Counter("diplomaccloud_logins_refused", "Log-ins with a wrong password")
STREAMS: Final = Gauge("diplomaccloud_streams", "Open live streams of this process")
INFO: Final = Gauge(
    "diplomaccloud_process", "A process of the site, by its role", ("role", "release")
)


def publish_metrics(address: tuple[str, int] | None, *, role: str, release: str) -> int | None:
    """Serve the metrics of this process on the first free port, and return the port.

    Returns None if nothing is published, because there is no address or, with a log line, no free
    port.
    """
    if address is None:
        return None
    INFO.labels(role, release).set(1)
    host, first = address
    for port in range(first, min(first + PORTS, 65536)):
        try:
            start_http_server(port, host)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            _log.error("metrics are not published", address=host, reason=error.strerror)
            return None
        _log.info("metrics are published", address=host, port=port)
        return port
    _log.error("metrics are not published", address=host, reason="no port is free")
    return None
