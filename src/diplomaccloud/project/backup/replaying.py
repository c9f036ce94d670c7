"""Compares the games of a restored database with their records by adjudicating them again."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.viewpoint.copies import list_sample, read_record
from diplomaccloud.judge.protocol import read_record as parse_record
from diplomaccloud.judge.protocol import replay
from diplomaccloud.record.opening import read_opening
from diplomaccloud.record.verification import verify_record


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many games and phases were adjudicated again, and the faults that were found."""

    games: int
    phases: int
    faults: tuple[str, ...]


def replay_sample(size: int) -> Replayed:
    """Adjudicate `size` games again: the newest ones, and a spread of older ones."""
    boards, faults, phases, slugs = BoardLoader(), list[str](), 0, list_sample(size)
    for slug in slugs:
        lines = _Lines(read_record(slug))
        is_chain, source = read_opening(io.BufferedReader(lines))
        if is_chain:
            report = verify_record(source, boards)
            found = [str(fault) for fault in report.faults]
            phases += report.phases
        else:
            replayed = replay(parse_record(source), boards)
            found = [str(difference) for difference in replayed.differences]
            phases += replayed.phases
        faults += [f"game {slug}: {fault}" for fault in found]
    return Replayed(len(slugs), phases, tuple(faults))


class _Lines(io.RawIOBase):
    """Lines as a stream of bytes."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._rest = lines, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._rest and (line := next(self._lines, None)) is not None:
            self._rest = f"{line}\n".encode()
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)
