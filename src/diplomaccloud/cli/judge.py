"""Commands that need no site: `judge`, `convert`, `schema`, and `replay`, which checks records."""

import argparse
import contextlib
import gzip
import os
import re
import sys
import traceback
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from diplomaccloud.cli.common import write_atomically
from diplomaccloud.judge.codec.schemas import list_schemas, read_schema

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands
    from diplomaccloud.judge.codec.reader import Node
    from diplomaccloud.record.report import Report


def add_judge(commands: "Commands") -> None:
    """Add the command."""
    judge = commands.add_parser(
        "judge", help="adjudicate positions: read and write one JSON object per line"
    )
    judge.add_argument("--explain", action="store_true", help="add an explanation to each result")
    judge.add_argument(
        "--maps", type=Path, metavar="DIR", help="a folder with map files that requests may name"
    )
    judge.set_defaults(run=_run_judge)


def _run_judge(options: argparse.Namespace) -> int:
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


def add_convert(commands: "Commands") -> None:
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
    convert.set_defaults(run=_run_convert)


def _run_convert(options: argparse.Namespace) -> int:
    """Read the games, adjudicate them, and write them, or write nothing if one has an error."""
    from diplomaccloud.judge.exchange import read_games, write_games  # noqa: PLC0415

    games = read_games(_read_game(options.file))
    content = "".join(f"{line}\n" for line in write_games(games, options.to))
    if options.output is None:
        sys.stdout.write(content)
    else:
        write_atomically(options.output, content.encode())
    return 0


def _read_game(name: str) -> bytes:
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


def add_schema(commands: "Commands") -> None:
    """Add the command."""
    schema = commands.add_parser("schema", help="print the JSON Schema of a format, or list them")
    schema.add_argument("name", nargs="?", help="a format, e.g. record (default: list all formats)")
    schema.set_defaults(run=_run_schema)


def _run_schema(options: argparse.Namespace) -> int:
    """Print the schema, or the names of all formats."""
    if options.name is None:
        sys.stdout.write("".join(f"{name}\n" for name in list_schemas()))
    else:
        sys.stdout.write(read_schema(options.name))
    return 0


_HASH = re.compile(r"[0-9a-f]{64}")
LATE = 3
"""The exit status if nothing differs, but a record does not prove the start of its game."""

MAX_FILE_SIZE = 16 * 1024 * 1024
"""The largest file of keys or receipts, in bytes."""


def add_replay(commands: "Commands") -> None:
    """Add the command."""
    replay = commands.add_parser(
        "replay", help="verify the record of a game: adjudicate it again and check its proofs"
    )
    replay.add_argument(
        "file", help="JSON or JSON lines, or compressed as .gz; - is standard input"
    )
    replay.add_argument(
        "--head",
        action="append",
        default=[],
        metavar="HASH",
        type=_parse_hash,
        help="a hash that the game's page has shown; the record must contain a line with it",
    )
    replay.add_argument(
        "--keys", type=Path, metavar="FILE", help="the site's page of keys, saved as a file"
    )
    replay.add_argument(
        "--receipts",
        type=Path,
        metavar="FILE",
        help="a file of receipts that are not in the record",
    )
    replay.add_argument(
        "--maps",
        type=Path,
        metavar="DIR",
        help="a folder with map files that a version 1 record may name",
    )
    replay.set_defaults(run=_run_replay)


def _parse_hash(text: str) -> str:
    if not _HASH.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is not a hash (64 hexadecimal digits)")
    return text


def _run_replay(options: argparse.Namespace) -> int:
    """Print the faults of the record; return 1 if there are any.

    Returns `LATE` if the record is as it was written, but does not prove the start of a game.
    """
    from diplomaccloud.record.receipts import read_receipts  # noqa: PLC0415
    from diplomaccloud.record.signatures import read_keys  # noqa: PLC0415

    keys = None if options.keys is None else read_keys(_read_record(options.keys))
    receipts = [] if options.receipts is None else read_receipts(_read_record(options.receipts))
    with contextlib.ExitStack() as files:
        source: BinaryIO = sys.stdin.buffer
        if options.file != "-":
            path = Path(options.file)
            opener = gzip.open if path.suffix == ".gz" else open
            source = cast("BinaryIO", files.enter_context(opener(path, "rb")))
        try:
            return _replay(source, options, keys, receipts)
        except (EOFError, zlib.error) as error:
            raise ValueError(f"{options.file} is damaged: {error}") from error


def _read_record(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(MAX_FILE_SIZE + 1)
    if len(content) > MAX_FILE_SIZE:
        raise ValueError(f"{path} is longer than {MAX_FILE_SIZE} bytes")
    return content


def _replay(
    source: BinaryIO,
    options: argparse.Namespace,
    keys: Mapping[str, str] | None,
    receipts: "Sequence[Node]",
) -> int:
    """Print the result of a record of either version, and return the exit status."""
    from diplomaccloud.atlas.board_loader import BoardLoader  # noqa: PLC0415
    from diplomaccloud.judge.protocol import read_record, replay  # noqa: PLC0415
    from diplomaccloud.record.reader import read_opening  # noqa: PLC0415
    from diplomaccloud.record.verification import verify_record  # noqa: PLC0415

    is_chain, record = read_opening(source)
    if is_chain:
        report = verify_record(
            record, BoardLoader(), heads=options.head, keys=keys, receipts=receipts
        )
        _print_report(report, sys.stdout.write)
        return 1 if report.fault_count else LATE if report.late_count else 0
    if options.head or receipts or keys is not None:
        raise ValueError(
            "--head, --keys and --receipts require a version 2 record, and this is version 1"
        )
    replayed = replay(read_record(record), BoardLoader(options.maps))
    if not replayed.games:
        raise ValueError("there is no record in the file")
    for difference in replayed.differences:
        sys.stdout.write(f"{difference}\n")
    _print_totals(replayed.games, replayed.phases, len(replayed.differences))
    return 1 if replayed.differences else 0


def _print_report(report: "Report", write: Callable[[str], object]) -> None:
    for fault in report.faults:
        write(f"{fault}\n")
    if report.fault_count > len(report.faults):
        write(f"{report.fault_count - len(report.faults)} more games differ\n")
    _print_totals(report.games, report.phases, report.fault_count)
    for sentence in report.late:
        write(f"{sentence}\n")
    if report.late_count > len(report.late):
        write(f"{report.late_count - len(report.late)} more games do not prove their start\n")
    for sentence in report.receipts:
        write(f"{sentence}\n")
    counts = [f"{what} ({count})" for what, count in sorted(report.checked.items()) if count]
    if counts:
        write(f"Checked: {', '.join(counts)}\n")
    for sentence in report.unchecked:
        write(f"Not checked: {sentence}\n")


def _print_totals(games: int, phases: int, differences: int) -> None:
    sys.stdout.write(f"{games} games, {phases} phases adjudicated, {differences} differences\n")
