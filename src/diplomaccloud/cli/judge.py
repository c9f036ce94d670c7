"""`diplomaccloud judge`: adjudicates positions, one JSON object per line."""

import argparse
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    judge = commands.add_parser(
        "judge", help="adjudicate positions: read and write one JSON object per line"
    )
    judge.add_argument("--explain", action="store_true", help="add an explanation to each result")
    judge.add_argument(
        "--maps", type=Path, metavar="DIR", help="a folder with map files that requests may name"
    )
    judge.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer each line of standard input."""
    from diplomaccloud.atlas.board_loader import BoardLoader  # noqa: PLC0415
    from diplomaccloud.judge.protocol import serve_lines  # noqa: PLC0415

    try:
        serve_lines(
            sys.stdin.buffer,
            sys.stdout.buffer,
            BoardLoader(options.maps),
            explain=options.explain,
            report=traceback.print_exception,
        )
    except BrokenPipeError:
        # The reader has closed the pipe; keep Python from writing to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
