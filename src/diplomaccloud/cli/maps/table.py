"""`diplomaccloud map table`: the generator measured on many seeds, beside the targets."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import parse_natural, parse_positive, show_progress
from diplomaccloud.cli.maps import selfplay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from diplomaccloud.atlas.survey import Measured, Task
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    table = commands.add_parser("table", help="measure the generator on many seeds")
    table.add_argument("--seeds", type=parse_natural, default=1000, help="maps for 7 players")
    table.add_argument(
        "--others", type=parse_natural, default=100, help="maps for each other number from 2 to 10"
    )
    table.add_argument("--jobs", type=parse_positive, default=2, help="processes at once")
    table.add_argument(
        "--keep", type=Path, help="a file for what is measured; go on from it the next time"
    )
    table.add_argument("--json", action="store_true", help="print JSON")
    selfplay.add_options(table)
    table.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table; 1 if a map breaks a hard constraint or cannot be made.

    With `--selfplay` another table, of games.
    """
    if options.selfplay is not None:
        return selfplay.run(options)
    if options.certified:
        raise ValueError("--certified goes with --selfplay N")
    from diplomaccloud.atlas.standard import standard_chart  # noqa: PLC0415
    from diplomaccloud.atlas.survey import standard_figures, tasks  # noqa: PLC0415
    from diplomaccloud.atlas.survey_table import as_json, table  # noqa: PLC0415

    wanted = tasks(options.seeds, options.others)
    if not wanted:
        raise ValueError("no map is asked for")
    maps = list(_measured(wanted, options))
    show_progress("")
    standard = standard_figures(standard_chart())
    if options.json:
        sys.stdout.write(json.dumps(as_json(maps, standard), indent=2) + "\n")
    else:
        sys.stdout.write(table(maps, standard) + "\n")
    return 1 if any(one.faults or one.failure for one in maps) else 0


def _measured(wanted: "list[Task]", options: argparse.Namespace) -> "Iterator[Measured]":
    """Yield what was kept from an earlier run, then the rest as it is measured."""
    from diplomaccloud.atlas.survey import Task, measured  # noqa: PLC0415

    left = dict.fromkeys(wanted)
    count = len(left)
    for one in _kept(options.keep):
        if (task := Task(one.seed, one.players)) in left:
            del left[task]
            yield one
    for one in measured(list(left), jobs=options.jobs):
        del left[Task(one.seed, one.players)]
        show_progress(f"{count - len(left)} of {count} maps")
        if options.keep is not None:
            with options.keep.open("a", encoding="utf-8") as file:
                file.write(one.to_line() + "\n")
        yield one


def _kept(path: Path | None) -> "list[Measured]":
    from diplomaccloud.atlas.survey import Measured  # noqa: PLC0415

    if path is None or not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Measured.from_line(line) for line in lines if line]
