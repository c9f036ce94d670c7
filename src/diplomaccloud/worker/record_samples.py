"""Compares the games of a site with their records by adjudicating some of them again."""

import io
from dataclasses import dataclass
from typing import Final

import structlog

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.record.read import draw_sample, list_sample, read_record
from diplomaccloud.judge.protocol import read_record as parse_record
from diplomaccloud.judge.protocol import replay
from diplomaccloud.metrics import RECORDS
from diplomaccloud.record.reader import read_opening
from diplomaccloud.record.verification import verify_record

MOST_LINES: Final = 300
"""The longest record that a worker verifies beside its other work; a year has about 15 lines."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many games and phases were adjudicated again, and the faults that were found.

    `late` says of each record that does not prove its start where its proof begins.
    """

    games: int
    phases: int
    faults: tuple[str, ...]
    late: tuple[str, ...] = ()


def replay_sample(size: int, *, at_random: bool = False, most_lines: int | None = None) -> Replayed:
    """Adjudicate `size` games again: the newest ones and a spread of older ones, or any ones.

    Those drawn at random have at most `most_lines` in their records.
    """
    boards, faults, phases, late = BoardLoader(), list[str](), 0, list[str]()
    slugs = draw_sample(size, most_lines) if at_random else list_sample(size)
    for slug in slugs:
        lines = b"".join(f"{line}\n".encode() for line in read_record(slug))
        is_chain, source = read_opening(io.BytesIO(lines))
        if is_chain:
            report = verify_record(source, boards)
            faults += [f"game {slug}: {fault}" for fault in report.faults]
            phases += report.phases
            late += report.late
        else:
            replayed = replay(parse_record(source), boards)
            faults += [f"game {slug}: {difference}" for difference in replayed.differences]
            phases += replayed.phases
    return Replayed(len(slugs), phases, tuple(faults), tuple(late))


def check_random_game() -> None:
    """Adjudicate a game drawn at random again, and raise an alarm if its record differs.

    Longer games are left to the doctor: their bots may have thought for minutes.
    """
    replayed = replay_sample(1, at_random=True, most_lines=MOST_LINES)
    for fault in replayed.faults:
        _log.error("record differs", fault=fault)
    RECORDS.labels("differs").inc(bool(replayed.faults))
    RECORDS.labels("good").inc(replayed.games - bool(replayed.faults))
