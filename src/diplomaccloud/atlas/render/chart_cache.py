"""What is worked out once for a chart and kept, for the same few are drawn turn after turn."""

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar

from diplomaccloud.atlas.chart import Chart

_MOST = 32

Found = TypeVar("Found")


def once_per_chart(work: Callable[[Chart], Found]) -> Callable[[Chart], Found]:
    """Return `work` with its answers for the last charts kept.

    Charts are told apart by being one object, since to compare two takes longer than the work.
    """
    kept: dict[int, tuple[Chart, Found]] = {}
    lock = Lock()

    @wraps(work)
    def found(chart: Chart) -> Found:
        entry = kept.get(id(chart))
        # The chart is kept with its answer, so that its id cannot come to mean another.
        if entry is not None and entry[0] is chart:
            return entry[1]
        answer = work(chart)
        with lock:
            while len(kept) >= _MOST:
                del kept[next(iter(kept))]
            kept[id(chart)] = (chart, answer)
        return answer

    return found
