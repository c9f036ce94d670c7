"""The receipts of a game, and short hashes of its record, on its pages."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from diplomaccloud.games.record.read import (
    Part,
    ReceiptFacts,
    SaveFacts,
    read_receipts,
    read_record_end,
    read_saves,
)
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.seats.read import SeatView
from diplomaccloud.games.table.read import Reader

SHORT_HASH = 8
"""How many digits of a hash pages show; templates have the same number."""
_PARTS = {
    Part.EVERYTHING: "",
    Part.ORDERS: "orders",
    Part.SEALED: "conditional orders and draw vote",
}


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A digest of one seat; `part` says what it covers, and is blank if it covers everything."""

    seat: SeatView
    part: str
    receipt: ReceiptFacts


@dataclass(frozen=True, slots=True)
class ReceiptsPage:
    """The receipts of one locked phase, and the URLs and titles of all of them, newest first."""

    title: str
    sequence: int
    lines: tuple[ReceiptLine, ...]
    phases: tuple[tuple[str, str], ...]
    example: ReceiptLine | None
    over: bool
    saves: tuple[SaveFacts, ...]
    has_own_record: bool


def present_receipts(reader: Reader, seats: Seats, sequence: int | None) -> ReceiptsPage:
    """Return the receipts of a locked phase, the newest if `sequence` is None.

    The viewer's signed receipts are for that phase and for the open one.
    """
    locked = read_receipts(reader, sequence)
    titles = {number: phase.title for number, phase in locked.phases}
    lines = list_receipts(locked.receipts, seats)
    sequences = {locked.shown, reader.phase.sequence if reader.phase else None}
    url = reverse("games:receipts", args=[reader.game.slug])
    return ReceiptsPage(
        title=titles[locked.shown] if locked.shown else "",
        sequence=locked.shown or 0,
        lines=lines,
        phases=tuple((f"{url}?phase={number}", title) for number, title in titles.items()),
        example=next((line for line in lines if line.receipt.open), None),
        over=reader.is_finished,
        saves=read_saves(reader, *(number for number in sequences if number is not None)),
        has_own_record=read_record_end(reader) is not None and reader.game.is_signed_in,
    )


def list_receipts(receipts: Iterable[ReceiptFacts], seats: Seats) -> tuple[ReceiptLine, ...]:
    """Return the receipts with their seats."""
    by_key = {seat.key: seat for seat in seats.all}
    return tuple(ReceiptLine(by_key[row.seat], _PARTS[row.part], row) for row in receipts)


def shorten_hash(digest: str) -> str:
    """Return the first digits of a hash, enough for people to tell hashes apart."""
    return f"{digest[:SHORT_HASH]}…"


SHOWS_ORDER = "The record of this older game numbers seats in the order in which players joined."
