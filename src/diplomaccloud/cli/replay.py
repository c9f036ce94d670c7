"""`diplomaccloud replay`: the record of a game adjudicated again."""

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
    replay = commands.add_parser("replay", help="adjudicate the record of a game again")
    replay.add_argument("file", help="JSON, JSON lines or either in .gz; - is standard input")
    replay.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what differs from the record; 1 if anything does."""
    from diplomaccloud.atlas.board_loader import BoardShelf  # noqa: PLC0415
    from diplomaccloud.judge.protocol import read_record, replay  # noqa: PLC0415

    with contextlib.ExitStack() as opened:
        source: BinaryIO = sys.stdin.buffer
        if options.file != "-":
            path = Path(options.file)
            opener = gzip.open if path.suffix == ".gz" else open
            source = cast("BinaryIO", opened.enter_context(opener(path, "rb")))
        try:
            found = replay(read_record(source), BoardShelf())
        except (EOFError, zlib.error) as problem:
            raise ValueError(f"{options.file} is damaged: {problem}") from problem
    for difference in found.differences:
        sys.stdout.write(f"{difference}\n")
    agreed = "no difference" if not found.differences else f"{len(found.differences)} differ"
    sys.stdout.write(f"{found.games} games, {found.phases} phases judged: {agreed}\n")
    return 1 if found.differences else 0
