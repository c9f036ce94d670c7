"""Measure pages and actions of games, compared with empty views: `python benchmarks/games`.

The times are medians of processor time, which a busy machine affects least, in one process on a
SQLite file. Each is also given as a multiple of two empty views in the same run, one for a visitor
and one for a person who is logged in: see `scenes.py`. Queries are counted in a separate run, and
page sizes are compressed. With `--http`, a web server answers requests for the pages instead, and
its processor time is given in multiples of that for empty pages: these are the figures of
`docs/scaling.md`. `--rounds N` sets the number of repetitions, `--only TEXT` selects lines, and
`--profile` prints a profile.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402
from figures import EMPTY, EMPTY_FOR_PERSON, measure  # noqa: E402


def main() -> None:
    """Create the games and print a line for each measurement."""
    parser = argparse.ArgumentParser(description="Measure pages and actions of games.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="only lines with this text in their name")
    parser.add_argument("--profile", action="store_true", help="print a profile")
    parser.add_argument("--http", action="store_true", help="measure a web server")
    options = parser.parse_args()
    with fresh_site():
        (measure_over_http if options.http else measure_all)(options)


def measure_over_http(options: argparse.Namespace) -> None:
    """Print the processor time of a web server for each page, and its ratios to empty pages."""
    from over_http import measure_pages

    columns = "{:<52}{:>10}{:>9}{:>10}{:>10}{:>10}"
    print(columns.format("", "CPU, ms", "x empty", "x person", "gzip, kB", "full, kB"))
    for name, page in measure_pages(options).items():
        sizes = (page.size / 1000, page.full_size / 1000)
        figures = (page.ms, page.times_visitor, page.times_player, *sizes)
        print(columns.format(name, *(f"{figure:.1f}" for figure in figures)))


def measure_all(options: argparse.Namespace) -> None:
    """Measure each line and print it with its ratios to the empty views."""
    from scenes import lines

    columns = "{:<52}{:>10}{:>9}{:>10}{:>9}{:>10}"
    print(columns.format("", "CPU, ms", "x empty", "x person", "queries", "gzip, kB"))
    empty: dict[str, float] = {}
    for line in lines(options.rounds):
        is_empty = line.name in (EMPTY, EMPTY_FOR_PERSON)
        if not is_empty and options.only not in line.name:
            continue
        figures = measure(line, profile=options.profile and not is_empty)
        if is_empty:
            empty[line.name] = figures.ms
        multiples = [
            f"{figures.ms / empty[name]:.1f}" if name in empty else ""
            for name in (EMPTY, EMPTY_FOR_PERSON)
        ]
        weight = f"{figures.bytes / 1000:.1f}" if figures.bytes else ""
        print(
            columns.format(line.name, f"{figures.ms:.2f}", *multiples, figures.queries, weight),
            flush=True,
        )


main()
