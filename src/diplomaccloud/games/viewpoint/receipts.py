"""Receipts: proof of each seat's orders when a phase was locked, and of the viewer's saves."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Phase, Receipt, SaveReceipt, Tenure, receipt_digest
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.phases import Phase as JudgePhase

_MAX_SAVES = 50
"""The most receipts of saves that a page shows; the download has all."""


class Part(StrEnum):
    """What a digest covers. Older receipts have one digest for everything."""

    EVERYTHING = "everything"
    ORDERS = "orders"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """A digest of one seat; `salt` and `text` are blank unless it is `open` to the viewer.

    `valid` says whether the digest matches the text that the viewer may read.
    """

    seat: int
    part: Part
    digest: str
    issued_at: dt.datetime
    open: bool
    salt: str = ""
    text: str = ""
    valid: bool = False


@dataclass(frozen=True, slots=True)
class SaveFacts:
    """A signed receipt of the viewer: these orders were saved at that time."""

    phase: JudgePhase
    at: dt.datetime
    digest: str
    text: str
    salt: str
    key: str
    signature: str


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
    # A game has many phases, so more than the name is read for only one of them.
    locked = rows.phases.exclude(locked_at=None).order_by("-sequence")
    names = list(locked.values_list("pk", "sequence", "name", "processed_at"))
    found = next((row for row in names if sequence in (None, row[1])), None)
    if found is None and sequence is not None:
        raise NoSuchGame
    shown = None if found is None else Phase(pk=found[0], processed_at=found[3])
    return LockedPhases(
        tuple((number, JudgePhase.parse(name)) for _, number, name, _ in names),
        found[1] if found else None,
        read_receipts(rows, shown) if shown else (),
    )


def read_receipts(rows: GameRows, phase: Phase) -> tuple[ReceiptFacts, ...]:
    """Return the receipts of a locked phase in the order of the seats.

    Everyone can read the digests, but only the person who held the seat at the lock can read texts
    and salts. Those of orders become public once the phase is processed, and the others once the
    game is over. A receipt belongs to a country and does not name a person.
    """
    receipts = {row.seat_id: row for row in phase.receipts.all()}
    user_id = rows.viewer.user_id
    own = [t for t in rows.tenures if t.user_id == user_id] if receipts and user_id else []
    return tuple(
        facts
        for seat in rows.seats
        if seat.pk in receipts
        for facts in _read_receipt(rows, phase, receipts[seat.pk], own)
    )


def read_own_receipts(rows: GameRows, phase: Phase) -> tuple[ReceiptFacts, ...]:
    """Return the viewer's own receipts of a locked phase."""
    own = rows.own_seat
    receipts = read_receipts(rows, phase) if own else ()
    return tuple(facts for facts in receipts if own and facts.seat == own.pk and facts.open)


def read_saves(rows: GameRows, sequences: Iterable[int]) -> tuple[SaveFacts, ...]:
    """Return the viewer's signed receipts in these phases, newest first."""
    saves = SaveReceipt.objects.filter(
        phase__game=rows.game, phase__sequence__in=list(sequences), user=rows.viewer.user_id
    )
    newest = saves.select_related("key").order_by("-pk").annotate(phase_name=F("phase__name"))
    return tuple(
        SaveFacts(
            phase=JudgePhase.parse(str(vars(row)["phase_name"])),
            at=row.at,
            digest=row.digest,
            text=row.text,
            salt=row.salt,
            key=row.key.key_id,
            signature=row.signature,
        )
        for row in newest[:_MAX_SAVES]
    )


def _is_own(receipt: Receipt, tenures: Iterable[Tenure]) -> bool:
    """Return whether one of `tenures` held the receipt's seat when it was issued."""
    return any(
        tenure.seat_id == receipt.seat_id
        and tenure.since_at <= receipt.issued_at
        and (tenure.until_at is None or receipt.issued_at <= tenure.until_at)
        for tenure in tenures
    )


def _read_receipt(
    rows: GameRows, phase: Phase, row: Receipt, own: Iterable[Tenure]
) -> Iterator[ReceiptFacts]:
    """Yield the facts for each digest of a receipt."""
    is_open = rows.is_finished or _is_own(row, own)
    is_public = row.is_sealed and phase.processed_at is not None
    if row.digest:
        part = Part.ORDERS if row.is_sealed else Part.EVERYTHING
        proof = _Proof(row.digest, row.salt, row.text)
        yield _read_proof(row, part, proof, is_open=is_open or is_public)
    if row.sealed_digest:
        proof = _Proof(row.sealed_digest, row.sealed_salt, row.sealed_text)
        yield _read_proof(row, Part.SEALED, proof, is_open=is_open)


@dataclass(frozen=True, slots=True)
class _Proof:
    digest: str
    salt: str
    text: str


def _read_proof(row: Receipt, part: Part, proof: _Proof, *, is_open: bool) -> ReceiptFacts:
    if not is_open:
        return ReceiptFacts(row.seat_id, part, proof.digest, row.issued_at, open=False)
    return ReceiptFacts(
        row.seat_id,
        part,
        proof.digest,
        row.issued_at,
        open=True,
        salt=proof.salt,
        text=proof.text,
        valid=receipt_digest(proof.salt, proof.text) == proof.digest,
    )
