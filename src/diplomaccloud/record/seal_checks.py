"""Checks what follows a chain: its seal, and the receipts of the reader."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.judge.codec.reader import Node
from diplomaccloud.record.chain import hash_text, parse_time
from diplomaccloud.record.digests import salted_digest
from diplomaccloud.record.lines import receipt_message, seal_message
from diplomaccloud.record.phase_checks import MAX_SEALED
from diplomaccloud.record.report import RecordFault, Report
from diplomaccloud.record.signatures import find_key_id, verify
from diplomaccloud.record.state import Context, PhaseState, read_hash, read_seat

Keys = Mapping[str, str]
"""The public keys of a site, by id."""


def check_seal(context: Context, node: Node, *, lines: int, head: str, keys: Keys | None) -> None:
    """Check that the seal is that of a chain of `lines` lines, the last with the hash `head`."""
    state, report = context.state, context.report
    if node["id"].value != state.name:
        raise RecordFault("it is the seal of another game")
    if node["lines"].value != lines or node["head"].value != head:
        raise RecordFault(f"the seal is not that of the {lines} lines before it")
    if "signature" not in node:
        if state.is_site:
            raise RecordFault("the seal is not signed")
        report.note_unchecked("who made this record: it is not signed")
        return
    key_id = _read_key(node, report, keys)
    message = seal_message(game=state.name, lines=lines, head=head, key_id=key_id)
    _check_signature(node, message)
    report.checked["signatures"] += 1
    report.note_unchecked(
        "whether the game went on after this record: compare its head with the game's page"
    )


def _read_key(node: Node, report: Report, keys: Keys | None) -> str:
    """Return the id of the key of a signature; raise `RecordFault` if it is not the site's."""
    public = read_hash(node["public"])
    key_id = find_key_id(public)
    if node["key"].value != key_id:
        raise RecordFault("the id of the key is not that of the public key")
    if keys is None:
        report.note_unchecked(
            f"whether the key {key_id} is the site's: compare it with the site's page of keys"
        )
    elif keys.get(key_id) != public:
        raise RecordFault(f"the key {key_id} is not one of the given keys")
    return key_id


def _check_signature(node: Node, message: str) -> None:
    if not verify(node["public"].text(), message, node["signature"].text()):
        raise RecordFault("the signature is wrong")


@dataclass(frozen=True, slots=True)
class Held:
    """A receipt that has been checked: what it proves is known at the end of the record."""

    place: int
    seat: int
    at: str
    digest: str
    text_hash: str


class Receipts:
    """The receipts of one reader: numbered, each checked against the chain."""

    def __init__(self, context: Context, keys: Keys | None) -> None:
        self._context = context
        self._keys = keys
        self._count = 0
        self._total: object = None
        self._last: dict[tuple[int, int], Held] = {}
        """The newest receipt of each phase and seat."""

    @property
    def is_complete(self) -> bool:
        """Whether all receipts that the first one announced have been read."""
        return self._total is None or self._count == self._total

    def check(self, node: Node) -> None:
        """Check the next receipt by itself and against the chain."""
        state, report = self._context.state, self._context.report
        self._check_number(node)
        if node["game"].value != state.name:
            raise RecordFault("it is a receipt of another game")
        phase = state.phases.get(node["sequence"].integer(1))
        if phase is None or node["phase"].value != phase.title:
            raise RecordFault("it is a receipt for a phase that the game does not have")
        held = self._read(node, phase)
        if phase.locked_at is not None and parse_time(held.at) >= parse_time(phase.locked_at):
            raise RecordFault(f"it is not older than the lock in line {phase.lock_place}")
        before = self._last.get((phase.sequence, held.seat))
        if before is not None and before.at > held.at:
            raise RecordFault("it is older than the receipt before it")
        self._last[phase.sequence, held.seat] = held
        report.checked["receipts"] += 1

    def _check_number(self, node: Node) -> None:
        self._count += 1
        if node["number"].value != self._count:
            raise RecordFault(f"it must be receipt {self._count}")
        if self._total is None:
            self._total = node["of"].integer(1)
        if node["of"].value != self._total or self._count > node["of"].integer(1):
            raise RecordFault("its number of receipts is not that of the first one")

    def _read(self, node: Node, phase: PhaseState) -> Held:
        """Return the receipt after checking its text, digest and signature."""
        state = self._context.state
        seat = read_seat(node["seat"], state.seat_count)
        text = node["text"].text(MAX_SEALED)
        header = f"orders {state.name} {phase.sequence} {phase.title} seat {seat}"
        if text.split("\n", 1)[0] != header:
            raise RecordFault(f"its text must begin with {header!r}")
        digest, at = read_hash(node["digest"]), node["at"].text()
        if salted_digest(node["salt"].text(), text) != digest:
            raise RecordFault("its digest is not that of its salt and text")
        key_id = _read_key(node, self._context.report, self._keys)
        message = receipt_message(
            game=state.name,
            phase=phase.title,
            sequence=phase.sequence,
            seat=seat,
            at=at,
            digest=digest,
            key_id=key_id,
        )
        _check_signature(node, message)
        return Held(self._context.place, seat, at, digest, hash_text(text))

    def conclude(self) -> None:
        """Report what the receipts prove; raise `RecordFault` for orders that were changed."""
        for (sequence, seat), held in self._last.items():
            phase = self._context.state.phases[sequence]
            if sentence := _find_proof(phase, seat, held):
                self._context.report.note_receipt(f"Receipt in line {held.place}: {sentence}")
            else:
                raise RecordFault(
                    f"seat {seat} had other orders at the lock of {phase.title} "
                    f"(line {phase.lock_place}) than in its last receipt here",
                    held.place,
                )


def _find_proof(phase: PhaseState, seat: int, held: Held) -> str:
    """Return what a receipt proves, blank if it contradicts the record."""
    saved = f"seat {seat} saved its orders for {phase.title} at {held.at}"
    if phase.locked_at is None:
        return f"{saved}; they are not locked yet."
    locked = phase.seats.get(seat)
    if locked is None or locked.orders is None:
        return f"{saved}, but it had nothing to order at the lock."
    if held.digest == locked.orders or held.text_hash == locked.text_hash:
        return f"{saved}, before the lock at {phase.locked_at}, and they are those locked."
    if seat in phase.seats_changed:
        return f"{saved}; the seat changed hands before the lock."
    if locked.text_hash is None:
        return f"{saved}; whether they are those locked shows when the phase is processed."
    return ""
