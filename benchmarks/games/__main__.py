"""Measure pages and actions of games, compared with empty views: `python benchmarks/games`.

The times are medians of processor time, which a busy machine affects least, in one process on a
SQLite file. Each is also given as a multiple of two empty views in the same run, one for a visitor
and one for a person who is logged in: see `scenes.py`. Queries are counted in a separate run, and
page sizes are compressed. `--rounds N` sets the number of repetitions, `--only TEXT` selects lines,
and `--profile` prints a profile.
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
    options = parser.parse_args()
    with fresh_site():
        measure_all(options)


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
