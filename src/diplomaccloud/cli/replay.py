"""`diplomaccloud replay`: adjudicates the record of a game again."""

import argparse
import contextlib
import gzip
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    replay = commands.add_parser(
        "replay", help="adjudicate the record of a game again and compare the results"
    )
    replay.add_argument(
        "file", help="JSON or JSON lines, also compressed as .gz; - is standard input"
    )
    replay.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the differences from the record; return 1 if there are any."""
    from diplomaccloud.atlas.board_loader import BoardLoader  # noqa: PLC0415
    from diplomaccloud.judge.protocol import read_record, replay  # noqa: PLC0415

    with contextlib.ExitStack() as files:
        source: BinaryIO = sys.stdin.buffer
        if options.file != "-":
            path = Path(options.file)
            opener = gzip.open if path.suffix == ".gz" else open
            source = cast("BinaryIO", files.enter_context(opener(path, "rb")))
        try:
            replayed = replay(read_record(source), BoardLoader())
        except (EOFError, zlib.error) as error:
            raise ValueError(f"{options.file} is damaged: {error}") from error
    for difference in replayed.differences:
        sys.stdout.write(f"{difference}\n")
    sys.stdout.write(
        f"{replayed.games} games, {replayed.phases} phases adjudicated, "
        f"{len(replayed.differences)} differences\n"
    )
    return 1 if replayed.differences else 0
