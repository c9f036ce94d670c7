"""The record on the pages of a game: how many lines it has, and the hash of the last one."""

from dataclasses import dataclass

from diplomaccloud.games.orders.page import shorten_hash
from diplomaccloud.games.record.read import read_record_end
from diplomaccloud.games.table.read import Reader


@dataclass(frozen=True, slots=True)
class RecordView:
    """The end of the record of a game: how many lines it has, and the hash of the last one."""

    lines: int
    head: str
    short: str


def present_record(reader: Reader) -> RecordView | None:
    """Return the end of the record; None for a game whose record is not a chain."""
    end = read_record_end(reader)
    return RecordView(end.lines, end.head, shorten_hash(end.head)) if end else None
