"""Receipts: proof of what each seat had ordered when a phase was locked."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Phase, Receipt, Tenure, receipt_digest
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.phases import Phase as JudgePhase


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """The receipt of one seat; `salt` and `text` are blank unless it is `open` to the viewer.

    `valid` is whether the digest matches the text that the viewer may read.
    """

    seat: int
    digest: str
    issued_at: dt.datetime
    open: bool
    salt: str = ""
    text: str = ""
    valid: bool = False


@dataclass(frozen=True, slots=True)
class LockedPhases:
    """The locked phases, newest first, and the receipts of `shown`, one of them."""

    phases: tuple[tuple[int, JudgePhase], ...]
    shown: int | None
    receipts: tuple[ReceiptFacts, ...]


def read_locked_phases(rows: GameRows, sequence: int | None) -> LockedPhases:
    """Return the receipts of the phase `sequence`, or of the newest locked phase if it is None.

    Raises `NoSuchGame` for a phase that is not locked.
    """
    locked = list(rows.phases.exclude(locked_at=None).order_by("-sequence"))
    shown = next((phase for phase in locked if sequence in (None, phase.sequence)), None)
    if shown is None and sequence is not None:
        raise NoSuchGame
    return LockedPhases(
        tuple((phase.sequence, JudgePhase.parse(phase.name)) for phase in locked),
        shown.sequence if shown else None,
        read_receipts(rows, shown) if shown else (),
    )


def read_receipts(rows: GameRows, phase: Phase) -> tuple[ReceiptFacts, ...]:
    """Return the receipts of a locked phase in the order of the seats: digests for everybody.

    Text and salt are for the person who held the seat at the lock, and for everybody once the
    game is over. A receipt belongs to a country and names no person.
    """
    receipts = {row.seat_id: row for row in phase.receipts.all()}
    user_id = rows.viewer.user_id
    own = [t for t in rows.tenures if t.user_id == user_id] if receipts and user_id else []
    return tuple(
        _read_receipt(
            receipts[seat.pk], is_open=rows.is_finished or _is_own(receipts[seat.pk], own)
        )
        for seat in rows.seats
        if seat.pk in receipts
    )


def read_own_receipt(rows: GameRows, phase: Phase) -> ReceiptFacts | None:
    """Return the viewer's own receipt of a locked phase."""
    own = rows.own_seat
    receipts = read_receipts(rows, phase) if own else ()
    return next((r for r in receipts if own and r.seat == own.pk and r.open), None)


def _is_own(receipt: Receipt, tenures: Iterable[Tenure]) -> bool:
    """Return whether one of `tenures` held the receipt's seat when it was issued."""
    return any(
        tenure.seat_id == receipt.seat_id
        and tenure.since_at <= receipt.issued_at
        and (tenure.until_at is None or receipt.issued_at <= tenure.until_at)
        for tenure in tenures
    )


def _read_receipt(row: Receipt, *, is_open: bool) -> ReceiptFacts:
    if not is_open:
        return ReceiptFacts(row.seat_id, row.digest, row.issued_at, open=False)
    return ReceiptFacts(
        row.seat_id,
        row.digest,
        row.issued_at,
        open=True,
        salt=row.salt,
        text=row.text,
        valid=receipt_digest(row.salt, row.text) == row.digest,
    )
