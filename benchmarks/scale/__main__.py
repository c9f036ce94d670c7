"""Measure how the cost of pages grows with the site: `python benchmarks/scale`.

Each page is measured on a site with 100 games, which then grows to `--games` and is measured again.
Times are the fastest of `--rounds`, which a busy machine affects least: processor time on SQLite,
which runs in this process, and elapsed time on a server. Actions are medians. The
database is a SQLite file, or DIPLOMACCLOUD_CHECKS_DATABASE:

    scripts/servers.py postgresql .venv/bin/python benchmarks/scale

A database that already has games is measured as it is, without the small site.
With `--http`, a web server then answers requests for pages, and its processor time is given in
multiples of that for empty pages. `--only TEXT` selects lines, `--plans` prints the plan of each
query, and `--profile` a profile.
"""

import argparse
import cProfile
import os
import pstats
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402

_COLUMNS = "{:<36}{:>10}{:>10}{:>8}{:>9}{:>9}{:>9}  {}"
_SERVED = "{:<46}{:>10}{:>10}{:>8}{:>11}{:>10}{:>10}"
_MULTIPLES = ("x visitor", "x player", "gzip, kB")


def main() -> None:
    """Create the site, measure it, grow it, and measure it again."""
    parser = argparse.ArgumentParser(description="Measure a large site.")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=20_000)
    parser.add_argument("--http", action="store_true", help="also measure a web server")
    parser.add_argument("--orders", type=int, help="order rows to add (PostgreSQL only)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="", help="only lines with this text in their name")
    parser.add_argument("--plans", action="store_true", help="print the plan of each query")
    parser.add_argument("--profile", action="store_true", help="print a profile of each line")
    options = parser.parse_args()
    with fresh_site(os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE", "")):
        run(options)


def run(options: argparse.Namespace) -> None:
    """Print one line for each page, with both sizes side by side, and one for each action."""
    from django.db import connection
    from django.utils import timezone
    from large_site import PLAYED, add_orders, grow_site, make_site
    from over_http import measure_pages

    from diplomaccloud.games.table.models import Game
    from pages import list_pages, measure

    now, started, small, served = timezone.now(), time.perf_counter(), {}, {}
    if not Game.objects.exists():
        make_site(now)
        seconds = time.perf_counter() - started
        print(f"{connection.vendor}: {PLAYED} games played in {seconds:.0f} s", flush=True)
        chosen = [line for line in list_pages() if options.only in line[0]]
        small = {name: measure(work, options.rounds) for name, _, work in chosen}
        served = measure_pages(options) if options.http else {}
        started = time.perf_counter()
        grow_site(options.games, options.people, now)
        print(f"{options.games} games in {time.perf_counter() - started:.0f} s", flush=True)
    if options.orders:
        started = time.perf_counter()
        add_orders(options.orders)
        print(f"{options.orders} orders in {time.perf_counter() - started:.0f} s", flush=True)
    heads = ("small, ms", "large, ms", "ratio", "CPU, ms", "queries", "size, kB", "missed")
    print(_COLUMNS.format("", *heads))
    for name, goal, work in list_pages():
        if options.only in name:
            _print(name, small.get(name), measure(work, options.rounds), goal)
            _explain(options, work)
    _run_actions(options)
    if options.http:
        _print_served(served, measure_pages(options))


def _print_served(small, large) -> None:
    print(_SERVED.format("over HTTP", "small, ms", "large, ms", "ratio", *_MULTIPLES))
    for name, page in large.items():
        before = small.get(name)
        print(
            _SERVED.format(
                name,
                f"{before.ms:.1f}" if before else "",
                f"{page.ms:.1f}",
                f"{page.ms / before.ms:.2f}" if before else "",
                f"{page.times_visitor:.1f}",
                f"{page.times_player:.1f}",
                f"{page.size / 1000:.1f}",
            )
        )


def _run_actions(options: argparse.Namespace) -> None:
    from pages import list_actions, measure_actions

    for name, goal, prepare in list_actions():
        if options.only in name:
            _print(name, None, measure_actions(prepare, options.rounds), goal)
            if options.profile:
                _profile(*(prepare() for _ in range(options.rounds)))


def _print(name, small, large, goal) -> None:
    ratio = large.ms / small.ms if small else 0.0
    missed = [
        word
        for word, limit, value in (
            ("ratio", goal.ratio, ratio),
            ("time", goal.ms, large.ms),
            ("CPU", goal.cpu_ms, large.cpu_ms),
            ("queries", goal.queries, large.queries),
        )
        if limit is not None and value > limit
    ]
    print(
        _COLUMNS.format(
            name,
            f"{small.ms:.1f}" if small else "",
            f"{large.ms:.1f}",
            f"{ratio:.2f}" if small else "",
            f"{large.cpu_ms:.1f}",
            large.queries,
            f"{large.size / 1000:.0f}" if large.size else "",
            ", ".join(missed),
        ),
        flush=True,
    )


def _explain(options: argparse.Namespace, work) -> None:
    from django.db import connection

    from pages import queries_of

    if options.plans:
        verb = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        for sql in queries_of(work):
            started = time.perf_counter()
            with connection.cursor() as cursor:
                cursor.execute(sql)
                cursor.fetchall() if cursor.description else None
                ms = (time.perf_counter() - started) * 1000
                cursor.execute(f"{verb} {sql}")
                print(f"    {ms:.1f} ms  {sql[:3000]}")
                print(*(f"        {row}" for row in cursor.fetchall()), sep="\n")
    if options.profile:
        _profile(*[work] * options.rounds)


def _profile(*works) -> None:
    profiler = cProfile.Profile()
    for work in works:
        profiler.enable()
        work()
        profiler.disable()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(70)


main()
