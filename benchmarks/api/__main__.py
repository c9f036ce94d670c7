"""Measure API calls and the pages that show the same things: `python benchmarks/api`.

A call and its page are requested alternately, by the same person, in one process on a SQLite file;
the times are medians of processor time. The response to a form counts together with the page that
follows it. A ratio over `--most` is marked, unless both are the same file. `--rounds N` sets the
number of rounds, `--only TEXT` selects lines, and `--profile` prints each call's profile.
"""

import argparse
import cProfile
import pstats
import sys
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402

_COLUMNS = "{:<26}{:<34}{:>9}{:>9}{:>8}{:>9}  {}"


def main() -> None:
    """Create the scene and print a line for each call."""
    parser = argparse.ArgumentParser(description="Measure API calls and the matching pages.")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--only", default="", help="only lines with this text in their name")
    parser.add_argument("--most", type=float, default=0.5, help="the largest ratio")
    parser.add_argument("--profile", action="store_true", help="print a profile of each call")
    options = parser.parse_args()
    with fresh_site():
        over = measure_all(options)
    sys.exit(f"over {options.most}: {', '.join(over)}" if over else 0)


def measure_all(options: argparse.Namespace) -> list[str]:
    """Print each line; return the names of the calls whose ratio is too large."""
    from pairs import make_pairs

    print(_COLUMNS.format("call", "page", "call, ms", "page, ms", "ratio", "queries", ""))
    over = []
    for pair in make_pairs():
        if options.only not in pair.name:
            continue
        call_ms, page_ms = measure(pair, options.rounds)
        ratio = call_ms / page_ms
        is_over = ratio > options.most and not pair.is_file
        if is_over:
            over.append(pair.name)
        figures = (f"{call_ms:.2f}", f"{page_ms:.2f}", f"{ratio:.2f}")
        queries = f"{count_queries(pair.call)}/{count_queries(pair.page)}"
        mark = "a file" if pair.is_file else "over" if is_over else ""
        line = _COLUMNS.format(pair.name, pair.page_name, *figures, queries, mark)
        print(line, flush=True)
        if options.profile:
            profile(pair.call, options.rounds)
    return over


def measure(pair, rounds):
    """Return the median times of the call and of its page in ms, measured alternately."""
    from diplomaccloud.shared.database_cache import this_minute

    times = ([], [])
    for _ in range(rounds):
        this_minute.clear()
        for work, taken in zip((pair.call, pair.page), times, strict=True):
            started = process_time()
            work()
            taken.append((process_time() - started) * 1000)
    return median(times[0][2:]), median(times[1][2:])


def count_queries(work):
    """Return the number of queries of a request."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        work()
    verbs = ("SELECT", "INSERT", "UPDATE", "DELETE")
    return sum(query["sql"].startswith(verbs) for query in captured)


def profile(work, rounds):
    """Print where the time of a call goes."""
    profiler = cProfile.Profile()
    with profiler:
        for _ in range(rounds):
            work()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(70)


main()
