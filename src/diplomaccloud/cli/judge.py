"""`diplomaccloud judge`: positions judged, a JSON object a line."""

import argparse
import os
import sys
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    judge = commands.add_parser(
        "judge", help="judge positions: one JSON object a line in, one a line out"
    )
    judge.add_argument("--explain", action="store_true", help="add a tree of causes to each result")
    judge.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer every line of standard input."""
    from diplomaccloud.atlas.board_loader import BoardShelf  # noqa: PLC0415
    from diplomaccloud.judge.protocol import serve_lines  # noqa: PLC0415

    try:
        serve_lines(
            sys.stdin.buffer,
            sys.stdout.buffer,
            BoardShelf(),
            explain=options.explain,
            report=traceback.print_exception,
        )
    except BrokenPipeError:
        # Whoever read the answers has gone; nothing is left to be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
