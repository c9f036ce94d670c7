"""The command `replay`, which adjudicates a record again and checks its proofs."""

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.judge.cli.commands import (
    add_replay_parser,
    open_record,
    print_totals,
    replay_plain,
)

if TYPE_CHECKING:
    from typing import BinaryIO

    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.judge.codec import Node
    from diplomaccloud.record.report import Report

_HASH = re.compile(r"[0-9a-f]{64}")
LATE = 3
"""The exit status if nothing differs, but a record does not prove the start of its game."""

MAX_FILE_SIZE = 16 * 1024 * 1024
"""The largest file of keys or receipts, in bytes."""


def add(commands: "Commands") -> None:
    """Add the command, which also reads what the judge's command of this name reads."""
    about = "verify the record of a game: adjudicate it again and check its proofs"
    parser = add_replay_parser(commands, about)
    parser.add_argument(
        "--head",
        action="append",
        default=[],
        metavar="HASH",
        type=_parse_hash,
        help="a hash that the game's page has shown; the record must contain a line with it",
    )
    parser.add_argument(
        "--keys", type=Path, metavar="FILE", help="the site's page of keys, saved as a file"
    )
    parser.add_argument(
        "--receipts",
        type=Path,
        metavar="FILE",
        help="a file of receipts that are not in the record",
    )
    parser.set_defaults(run=_run_replay)


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
    with open_record(options.file) as source:
        return _replay(source, options, keys, receipts)


def _read_record(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(MAX_FILE_SIZE + 1)
    if len(content) > MAX_FILE_SIZE:
        raise ValueError(f"{path} is longer than {MAX_FILE_SIZE} bytes")
    return content


def _replay(
    source: "BinaryIO",
    options: argparse.Namespace,
    keys: Mapping[str, str] | None,
    receipts: "Sequence[Node]",
) -> int:
    """Print the result of a record of either version, and return the exit status."""
    from diplomaccloud.atlas.board_loader import BoardLoader  # noqa: PLC0415
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
    return replay_plain(record, BoardLoader(options.maps))


def _print_report(report: "Report", write: Callable[[str], object]) -> None:
    for fault in report.faults:
        write(f"{fault}\n")
    if report.fault_count > len(report.faults):
        write(f"{report.fault_count - len(report.faults)} more games differ\n")
    print_totals(report.games, report.phases, report.fault_count)
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
