"""Measure one page or action: processor time, queries and compressed size."""

import cProfile
import gzip
import pstats
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from time import process_time

EMPTY = "an empty view"
EMPTY_FOR_PERSON = "an empty view that knows who asks"


@dataclass
class Line:
    """Something to measure: `work` is called once with each argument that `arguments` yields."""

    name: str
    arguments: Iterator[object]
    work: Callable[[object], object]
    rounds: int


@dataclass
class Figures:
    """The measurements of one line."""

    ms: float
    queries: int
    bytes: int


def measure(line: Line, *, profile: bool) -> Figures:
    """Return the median time of a line and its queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    line.work(next(line.arguments))
    argument = next(line.arguments)
    with CaptureQueriesContext(connection) as captured:
        answer = line.work(argument)
    queries = [query["sql"] for query in captured]
    profiler, times = cProfile.Profile(), []
    for _ in range(line.rounds):
        argument = next(line.arguments)
        if profile:
            profiler.enable()
        start = process_time()
        line.work(argument)
        times.append((process_time() - start) * 1000)
        profiler.disable()
    if profile:
        print(*(text[:230] for text in queries), sep="\n")
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
    content = getattr(answer, "content", b"")
    weight = len(gzip.compress(content)) if content else 0
    return Figures(median(times), len(queries), weight)
