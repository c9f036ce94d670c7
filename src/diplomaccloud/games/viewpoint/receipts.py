"""Receipts: what was promised of each seat's orders when a phase was locked."""

import shlex
from dataclasses import dataclass

from django.urls import reverse

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Phase, Receipt, Status, Tenure, receipt_digest
from diplomaccloud.games.presenters.drafts import ReceiptLine
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.judge.phases import Phase as JudgePhase


@dataclass(frozen=True, slots=True)
class ReceiptsPage:
    """The receipts of one locked phase, and the phases that have any, newest first."""

    title: str
    sequence: int
    lines: tuple[ReceiptLine, ...]
    phases: tuple[tuple[str, str], ...]
    example: ReceiptLine | None
    over: bool


def receipts_page(table: Table, sequence: int | None) -> ReceiptsPage:
    """Return the receipts of the phase `sequence`, of the newest locked one if it is None.

    Raises `NoSuchGame` for a phase that is not locked.
    """
    locked = list(table.phases.exclude(locked_at=None).order_by("-sequence"))
    shown = [one for one in locked if sequence in (None, one.sequence)]
    if not shown and sequence is not None:
        raise NoSuchGame
    lines = receipts_of(table, shown[0]) if shown else ()
    address = reverse("games:receipts", args=[table.game.slug])
    return ReceiptsPage(
        title=_title(shown[0]) if shown else "",
        sequence=shown[0].sequence if shown else 0,
        lines=lines,
        phases=tuple((f"{address}?phase={one.sequence}", _title(one)) for one in locked),
        example=next((line for line in lines if line.open), None),
        over=table.game.status == Status.FINISHED,
    )


def receipts_of(table: Table, phase: Phase) -> tuple[ReceiptLine, ...]:
    """Return the receipts of a locked phase: digests for all, texts for whom they belong to.

    Text and salt are told to whoever held the seat at the lock, and to everybody when the
    game is over. No name is told: a receipt is a country's.
    """
    rows = {row.seat_id: row for row in phase.receipts.all()}
    owned = _owned(table) if rows else []
    seats = {seat.pk: seat for seat in table.seats}
    over = table.game.status == Status.FINISHED
    return tuple(
        _line(
            rows[key],
            country=seat.country,
            color=seat.color,
            is_you=seat.is_you,
            told=over or any(tenure.held(rows[key]) for tenure in owned),
        )
        for key, seat in seats.items()
        if key in rows
    )


def own_receipt(table: Table, phase: Phase) -> ReceiptLine | None:
    """Return the viewer's own receipt of a locked phase."""
    return next((line for line in receipts_of(table, phase) if line.is_you and line.open), None)


@dataclass(frozen=True, slots=True)
class _Held:
    tenure: Tenure

    def held(self, receipt: Receipt) -> bool:
        """Return whether the viewer held the receipt's seat when it was issued."""
        until = self.tenure.until_at
        return (
            self.tenure.seat_id == receipt.seat_id
            and self.tenure.since_at <= receipt.issued_at
            and (until is None or receipt.issued_at <= until)
        )


def _owned(table: Table) -> list[_Held]:
    if table.viewer.user_id is None:
        return []
    return [_Held(row) for row in table.tenures if row.user_id == table.viewer.user_id]


def _line(row: Receipt, *, country: str, color: str, is_you: bool, told: bool) -> ReceiptLine:
    return ReceiptLine(
        country=country,
        color=color,
        is_you=is_you,
        digest=row.digest,
        issued_at=row.issued_at,
        open=told,
        salt=row.salt if told else "",
        text=row.text if told else "",
        command=_command(row) if told else "",
        checks=told and receipt_digest(row.salt, row.text) == row.digest,
    )


def _command(row: Receipt) -> str:
    """Return a line for a POSIX shell that prints the digest."""
    text = row.text.replace("\\", "\\\\").replace("\n", "\\n")
    return f"printf '%s\\n%b' {row.salt} {shlex.quote(text)} | sha256sum"


def _title(phase: Phase) -> str:
    return JudgePhase.parse(phase.name).title
