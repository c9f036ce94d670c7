"""`diplomaccloud map table`: measure the generator on many seeds, and compare with the targets."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import parse_natural, parse_positive, show_progress
from diplomaccloud.cli.maps import selfplay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from diplomaccloud.atlas.survey import MapResult, Task
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    table = commands.add_parser("table", help="measure the generator on many seeds")
    table.add_argument("--seeds", type=parse_natural, default=1000, help="maps for 7 players")
    table.add_argument(
        "--others",
        type=parse_natural,
        default=100,
        help="maps for each other player count, 2 to 10",
    )
    table.add_argument("--jobs", type=parse_positive, default=2, help="number of processes")
    table.add_argument(
        "--keep", type=Path, help="save results in this file; the next run resumes from it"
    )
    table.add_argument("--json", action="store_true", help="print JSON")
    selfplay.add_options(table)
    table.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table; return 1 if a map breaks a constraint or cannot be made.

    With `--selfplay`, print the results of test games instead.
    """
    if options.selfplay is not None:
        return selfplay.run(options)
    if options.certified:
        raise ValueError("--certified requires --selfplay N")
    from diplomaccloud.atlas.standard import standard_chart  # noqa: PLC0415
    from diplomaccloud.atlas.survey import list_tasks, standard_figures  # noqa: PLC0415
    from diplomaccloud.atlas.survey_table import build_json, build_table  # noqa: PLC0415

    requested = list_tasks(options.seeds, options.others)
    if not requested:
        raise ValueError("there is no map to measure: both numbers are 0")
    maps = list(_measure(requested, options))
    show_progress("")
    standard = standard_figures(standard_chart())
    if options.json:
        sys.stdout.write(json.dumps(build_json(maps, standard), indent=2) + "\n")
    else:
        sys.stdout.write(build_table(maps, standard) + "\n")
    return 1 if any(result.faults or result.failure for result in maps) else 0


def _measure(requested: "list[Task]", options: argparse.Namespace) -> "Iterator[MapResult]":
    """Yield the results of an earlier run, then new ones as they are measured."""
    from diplomaccloud.atlas.survey import Task, measure_maps  # noqa: PLC0415

    remaining = dict.fromkeys(requested)
    count = len(remaining)
    for result in _read_results(options.keep):
        if (task := Task(result.seed, result.players)) in remaining:
            del remaining[task]
            yield result
    for result in measure_maps(list(remaining), jobs=options.jobs):
        del remaining[Task(result.seed, result.players)]
        show_progress(f"{count - len(remaining)} of {count} maps")
        if options.keep is not None:
            with options.keep.open("a", encoding="utf-8") as file:
                file.write(result.to_line() + "\n")
        yield result


def _read_results(path: Path | None) -> "list[MapResult]":
    from diplomaccloud.atlas.survey import MapResult  # noqa: PLC0415

    if path is None or not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [MapResult.from_line(line) for line in lines if line]
