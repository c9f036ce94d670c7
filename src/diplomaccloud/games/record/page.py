"""The record on the pages of a game: how many lines it has, and the hash of the last one."""

import datetime as dt
import shlex
from dataclasses import dataclass

from django.urls import reverse

from diplomaccloud.games.record.read import (
    Part,
    ReceiptFacts,
    read_receipts,
    read_record_end,
    read_saves,
)
from diplomaccloud.games.seats.page import Seats, SeatView
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


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A digest of one seat for one phase; text and salt are blank while they are secret.

    `part` says what the digest covers, and is blank if it covers everything. `command`
    checks the digest in a shell; `valid` is whether the digest matched when we checked.
    """

    country: str
    color: str
    is_you: bool
    part: str
    digest: str
    issued_at: dt.datetime
    open: bool
    salt: str
    text: str
    command: str
    valid: bool


@dataclass(frozen=True, slots=True)
class LastSaveView:
    """The newest signed receipt of the viewer for the open phase."""

    short: str
    digest: str
    at: dt.datetime


SHORT_HASH = 8
"""How many digits of a hash pages show."""
_PARTS = {
    Part.EVERYTHING: "",
    Part.ORDERS: "orders",
    Part.SEALED: "conditional orders and draw vote",
}


@dataclass(frozen=True, slots=True)
class SaveView:
    """A signed receipt of the viewer; `command` checks its digest in a shell."""

    short: str
    phase: str
    at: dt.datetime
    digest: str
    text: str
    key: str
    signature: str
    command: str


@dataclass(frozen=True, slots=True)
class ReceiptsPage:
    """The receipts of one locked phase, and the URLs and titles of all of them, newest first."""

    title: str
    sequence: int
    lines: tuple[ReceiptLine, ...]
    phases: tuple[tuple[str, str], ...]
    example: ReceiptLine | None
    over: bool
    saves: tuple[SaveView, ...]
    has_own_record: bool


def present_receipts(reader: Reader, seats: Seats, sequence: int | None) -> ReceiptsPage:
    """Return the receipts of a locked phase, the newest if `sequence` is None."""
    locked = read_receipts(reader, sequence)
    titles = {number: phase.title for number, phase in locked.phases}
    by_key = {seat.pk: seat for seat in seats.all}
    lines = tuple(present_receipt(receipt, by_key[receipt.seat]) for receipt in locked.receipts)
    url = reverse("games:receipts", args=[reader.game.slug])
    return ReceiptsPage(
        title=titles[locked.shown] if locked.shown else "",
        sequence=locked.shown or 0,
        lines=lines,
        phases=tuple((f"{url}?phase={number}", title) for number, title in titles.items()),
        example=next((line for line in lines if line.open), None),
        over=reader.is_finished,
        saves=_list_saves(reader, locked.shown),
        has_own_record=read_record_end(reader) is not None and reader.game.is_signed_in,
    )


def _list_saves(reader: Reader, shown: int | None) -> tuple[SaveView, ...]:
    """Return the viewer's signed receipts for the phase that is shown and for the open phase."""
    sequences = {shown, reader.phase.sequence if reader.phase else None}
    saves = read_saves(reader, *(sequence for sequence in sequences if sequence is not None))
    return tuple(
        SaveView(
            short=shorten_hash(save.digest),
            phase=save.phase.title,
            at=save.at,
            digest=save.digest,
            text=save.text,
            key=save.key,
            signature=save.signature,
            command=_write_command(save.salt, save.text),
        )
        for save in saves
    )


def shorten_hash(digest: str) -> str:
    """Return the first digits of a hash, enough for people to tell hashes apart."""
    return f"{digest[:SHORT_HASH]}…"


def present_receipt(receipt: ReceiptFacts, seat: SeatView) -> ReceiptLine:
    """Return the receipt of a seat, with a command that prints its digest if it is open."""
    return ReceiptLine(
        country=seat.country,
        color=seat.color,
        is_you=seat.is_you,
        part=_PARTS[receipt.part],
        digest=receipt.digest,
        issued_at=receipt.issued_at,
        open=receipt.open,
        salt=receipt.salt,
        text=receipt.text,
        command=_write_command(receipt.salt, receipt.text) if receipt.open else "",
        valid=receipt.valid,
    )


def present_last_save(reader: Reader) -> LastSaveView | None:
    """Return the viewer's newest signed receipt for the open phase."""
    save = reader.read_last_save()
    return LastSaveView(shorten_hash(save.digest), save.digest, save.at) if save else None


def _write_command(salt: str, text: str) -> str:
    """Return a line for a POSIX shell that prints the digest."""
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return f"printf '%s\\n%b' {salt} {shlex.quote(text)} | sha256sum"


SHOWS_ORDER = "The record of this older game numbers seats in the order in which players joined."
