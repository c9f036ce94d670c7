"""Measure pages and actions of games, compared with an empty view: `python benchmarks/games`.

The figures are medians of processor time, which a busy machine affects least, in one process on a
SQLite file. Queries are counted in a separate run, and page sizes are compressed. `--rounds N` sets
the number of repetitions, `--only TEXT` selects lines, and `--profile` prints a profile.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402
from figures import EMPTY, measure  # noqa: E402


def main() -> None:
    """Make the games and print a line for each measurement."""
    parser = argparse.ArgumentParser(description="Measure pages and actions of games.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="only lines with this text in their name")
    parser.add_argument("--profile", action="store_true", help="print a profile")
    options = parser.parse_args()
    with fresh_site():
        measure_all(options)


def measure_all(options: argparse.Namespace) -> None:
    """Measure each line and print it with its ratio to the empty view."""
    from scenes import lines

    columns = "{:<46}{:>10}{:>9}{:>9}{:>10}"
    print(columns.format("", "CPU, ms", "ratio", "queries", "gzip, kB"))
    empty = 0.0
    for line in lines(options.rounds):
        if line.name != EMPTY and options.only not in line.name:
            continue
        figures = measure(line, profile=options.profile and line.name != EMPTY)
        empty = empty or figures.ms
        weight = f"{figures.bytes / 1000:.1f}" if figures.bytes else ""
        ratio = f"{figures.ms / empty:.1f}"
        print(
            columns.format(line.name, f"{figures.ms:.2f}", ratio, figures.queries, weight),
            flush=True,
        )


main()
