"""`diplomaccloud map validate`: list all faults of a map file with their paths."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diplomaccloud.atlas.chart import Chart
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    validate = commands.add_parser("validate", help="list all faults of a map file")
    validate.add_argument("file", help="FILE.json; - is standard input")
    validate.add_argument(
        "--published",
        action="store_true",
        help="also check the constraints for published maps",
    )
    validate.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the faults and return 1, or print a summary of a valid map and return 0."""
    from diplomaccloud.atlas.chartfile import ChartError, check_chart, content_hash  # noqa: PLC0415

    try:
        chart = check_chart(read_map_file(options.file))
    except ChartError as error:
        lines = [str(fault) for fault in error.faults]
        return print_faults(options.file, lines, error.unlisted)
    broken = _find_broken_constraints(chart) if options.published else []
    if broken:
        return print_faults(options.file, broken)
    board = chart.board
    sys.stdout.write(
        f"{options.file}: no fault. {chart.world}: {len(board.powers)} powers,"
        f" {len(board.provinces)} provinces, {len(board.centers)} centers,"
        f" {content_hash(chart)}\n"
    )
    return 0


def read_map_file(name: str) -> bytes:
    """Return the content of the file `name` (`-`: standard input); raise `OSError`.

    Reads at most one byte more than the allowed size.
    """
    from diplomaccloud.atlas.validation.chart_schema import MAX_FILE_SIZE  # noqa: PLC0415

    if name == "-":
        return sys.stdin.buffer.read(MAX_FILE_SIZE + 1)
    with Path(name).open("rb") as file:
        return file.read(MAX_FILE_SIZE + 1)


def print_faults(name: str, lines: list[str], unlisted: int = 0) -> int:
    """Print the faults of the file `name`, one per line, and return the exit status 1."""
    count = len(lines) + unlisted
    more = [f"… and {unlisted:,} more"] if unlisted else []
    summary = f"{name}: {count:,} fault{'s' * (count != 1)}"
    sys.stdout.write("\n".join([*lines, *more, summary]) + "\n")
    return 1


def _find_broken_constraints(chart: "Chart") -> list[str]:
    from diplomaccloud.atlas.generator.constraints import find_faults  # noqa: PLC0415

    return [str(fault) for fault in find_faults(chart)]
