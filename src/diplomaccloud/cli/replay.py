"""`diplomaccloud replay`: verifies the record of a game and adjudicates it again."""

import argparse
import contextlib
import gzip
import re
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands
    from diplomaccloud.judge.codec.reader import Node
    from diplomaccloud.record.report import Report

_HASH = re.compile(r"[0-9a-f]{64}")
LATE = 3
"""The exit status if nothing differs, but a record does not prove the start of its game."""

MAX_FILE_SIZE = 16 * 1024 * 1024
"""The largest file of keys or receipts, in bytes."""


def add(commands: "Commands") -> None:
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
    replay.set_defaults(run=run)


def _parse_hash(text: str) -> str:
    if not _HASH.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is not a hash (64 hexadecimal digits)")
    return text


def run(options: argparse.Namespace) -> int:
    """Print the faults of the record; return 1 if there are any.

    Returns `LATE` if the record is as it was written, but does not prove the start of a game.
    """
    from diplomaccloud.record.receipts import read_receipts  # noqa: PLC0415
    from diplomaccloud.record.signatures import read_keys  # noqa: PLC0415

    keys = None if options.keys is None else read_keys(_read_file(options.keys))
    receipts = [] if options.receipts is None else read_receipts(_read_file(options.receipts))
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


def _read_file(path: Path) -> bytes:
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
