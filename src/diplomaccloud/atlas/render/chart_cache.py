"""A cache for results that depend on the chart alone; the same charts are drawn turn after turn."""

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar

from diplomaccloud.atlas.chart import Chart

_MAX_CHARTS = 32

Result = TypeVar("Result")


def cache_per_chart(function: Callable[[Chart], Result]) -> Callable[[Chart], Result]:
    """Return `function` with its results for the last charts cached.

    Charts are recognized by identity, because comparing two takes longer than the work.
    """
    cache: dict[int, tuple[Chart, Result]] = {}
    lock = Lock()

    @wraps(function)
    def load_or_compute(chart: Chart) -> Result:
        entry = cache.get(id(chart))
        # The cache holds the chart itself, so that its id cannot be reused by another chart.
        if entry is not None and entry[0] is chart:
            return entry[1]
        result = function(chart)
        with lock:
            while len(cache) >= _MAX_CHARTS:
                del cache[next(iter(cache))]
            cache[id(chart)] = (chart, result)
        return result

    return load_or_compute
