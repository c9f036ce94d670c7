"""`diplomaccloud convert`: converts games between the formats of different programs."""

import argparse
import gzip
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import write_atomically

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    convert = commands.add_parser(
        "convert", help="convert games: records, plain text, saved games of the diplomacy package"
    )
    convert.add_argument(
        "file", help="games in any of these formats, or compressed as .gz; - is standard input"
    )
    convert.add_argument(
        "--to", required=True, choices=("text", "record", "diplomacy"), help="the format to write"
    )
    convert.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="output file (default: standard output)"
    )
    convert.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read the games, adjudicate them, and write them, or write nothing if one has an error."""
    from diplomaccloud.judge.exchange import read_games, write_games  # noqa: PLC0415

    games = read_games(_read_file(options.file))
    content = "".join(f"{line}\n" for line in write_games(games, options.to))
    if options.output is None:
        sys.stdout.write(content)
    else:
        write_atomically(options.output, content.encode())
    return 0


def _read_file(name: str) -> bytes:
    """Return the content of a file; raise `ValueError` if it is too long or damaged."""
    from diplomaccloud.judge.exchange.formats import MAX_SIZE  # noqa: PLC0415

    if name == "-":
        return sys.stdin.buffer.read(MAX_SIZE + 1)
    path = Path(name)
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as file:
            return bytes(file.read(MAX_SIZE + 1))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{name} is damaged: {error}") from error
