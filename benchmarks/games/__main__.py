"""Measures pages and verbs of games beside an empty view: `python benchmarks/games`.

Medians of processor time, which a busy machine disturbs least, in one process on a SQLite file;
queries are counted in a run of their own, and pages weighed as a browser gets them. `--rounds N`
sets how often each thing is done, `--only TEXT` names lines, `--profile` says where the time goes.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402
from figures import EMPTY, measure  # noqa: E402


def main() -> None:
    """Make the games and print a line for each thing measured."""
    parser = argparse.ArgumentParser(description="Measure pages and verbs of games.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="only lines whose name holds this")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    options = parser.parse_args()
    with fresh_site():
        measure_all(options)


def measure_all(options: argparse.Namespace) -> None:
    """Measure line after line and print each with its ratio to the empty view."""
    from scenes import lines

    columns = "{:<46}{:>10}{:>9}{:>9}{:>10}"
    print(columns.format("", "CPU, ms", "ratio", "queries", "gzip, kB"))
    empty = 0.0
    for line in lines(options.rounds):
        if line.name != EMPTY and options.only not in line.name:
            continue
        found = measure(line, profile=options.profile and line.name != EMPTY)
        empty = empty or found.ms
        weight = f"{found.bytes / 1000:.1f}" if found.bytes else ""
        ratio = f"{found.ms / empty:.1f}"
        print(
            columns.format(line.name, f"{found.ms:.2f}", ratio, found.queries, weight), flush=True
        )


main()
