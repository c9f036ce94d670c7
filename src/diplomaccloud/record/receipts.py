"""Checks the seal of a chain, signatures and their keys, and receipts."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.judge.codec import Node
from diplomaccloud.judge.protocol.answers import read_json
from diplomaccloud.judge.version import tell_install
from diplomaccloud.record.chain import hash_text, parse_time
from diplomaccloud.record.commitments import salted_digest
from diplomaccloud.record.lines import LineKind, receipt_message, seal_message
from diplomaccloud.record.report import NO_LINE, RecordFault, Report
from diplomaccloud.record.signatures import can_verify, find_key_id, verify
from diplomaccloud.record.state import (
    MAX_TEXT,
    Context,
    RecordedPhase,
    read_hash,
    read_salt,
    read_seat,
)

Keys = Mapping[str, str]
"""The public keys of a site, by id."""


def check_seal(context: Context, node: Node, *, lines: int, head: str, keys: Keys | None) -> None:
    """Check that the seal matches a chain of `lines` lines whose last hash is `head`."""
    state, report = context.state, context.report
    if node["id"].value != state.name:
        raise RecordFault("this is the seal of another game")
    if node["lines"].value != lines or node["head"].value != head:
        raise RecordFault(f"the seal does not match the {lines} lines before it")
    if "signature" not in node:
        if state.is_site:
            raise RecordFault("the seal is not signed")
        if keys is not None:
            raise RecordFault(
                "the record is not signed, so it is not from the site with these keys"
            )
        report.note_unchecked("who made this record: it is not signed")
        return
    key_id = read_key(node, report, keys)
    message = seal_message(game=state.name, lines=lines, head=head, key_id=key_id)
    check_signature(node, message, report)
    if can_verify():
        report.checked["signatures"] += 1


def read_key(node: Node, report: Report, keys: Keys | None) -> str:
    """Return the id of a signature's key; raise `RecordFault` if it is not the site's."""
    public = read_hash(node["public"])
    key_id = find_key_id(public)
    if node["key"].value != key_id:
        raise RecordFault("the id of the key does not match the public key")
    if keys is None:
        report.note_unchecked(
            f"whether the key {key_id} is the site's: compare it with the site's page of keys"
        )
    elif keys.get(key_id) != public:
        raise RecordFault(f"the key {key_id} is not one of the given keys")
    return key_id


def check_signature(node: Node, message: str, report: Report) -> None:
    """Check the signature of `message`, or note that it cannot be checked here."""
    if not can_verify():
        how = tell_install("record")
        report.note_unchecked(f"the signatures; in a checkout, {how} adds what checks them")
        return
    if not verify(node["public"].text(), message, node["signature"].text()):
        raise RecordFault("the signature is wrong")


@dataclass(frozen=True, slots=True)
class Held:
    """A checked receipt; what it proves is known only at the end of the record.

    `place` is its line in the record, or None if it was given separately.
    """

    name: str
    place: int | None
    seat: int
    at: str
    digest: str
    text_hash: str


class Receipts:
    """The receipts for one game, each checked against the chain."""

    def __init__(self, context: Context, keys: Keys | None) -> None:
        self._context = context
        self._keys = keys
        self._count = 0
        self._total: object = None
        self._last: dict[tuple[int, int], Held] = {}
        """The newest receipt of each phase and seat."""

    @property
    def is_complete(self) -> bool:
        """Whether as many receipts have been read as the first one says."""
        return self._total is None or self._count == self._total

    def check_line(self, node: Node) -> None:
        """Check the next receipt of the download."""
        self._count += 1
        if node["number"].value != self._count:
            raise RecordFault(f"this must be receipt {self._count}")
        if self._total is None:
            self._total = node["of"].integer(1)
        if node["of"].value != self._total or self._count > node["of"].integer(1):
            raise RecordFault("its number of receipts differs from that of the first one")
        if node["game"].value != self._context.state.name:
            raise RecordFault("this is a receipt for another game")
        place = self._context.place
        self._take(node, f"Receipt in line {place}", place)

    def check_given(self, node: Node, name: str) -> None:
        """Check a receipt for this game that is not in the record."""
        try:
            self._take(node, name, None)
        except ValueError as error:
            raise RecordFault(f"{name}: {error}", NO_LINE) from error

    def _take(self, node: Node, name: str, place: int | None) -> None:
        state, sequence = self._context.state, node["sequence"].integer(1)
        phase = state.phases.get(sequence)
        if state.skips(sequence):
            held = self._read(node, sequence, node["phase"].text(), name, place)
            what = "its signature is good, but the record does not prove that phase"
            self._context.report.note_receipt(f"{name}: seat {held.seat}, phase {sequence}: {what}")
            return
        if phase is None or node["phase"].value != phase.title:
            raise RecordFault("this is a receipt for a phase that the game does not have")
        held = self._read(node, sequence, phase.title, name, place)
        before = self._last.get((phase.sequence, held.seat))
        # In the record, receipts are in order even if the site's clock was set back.
        if before is None or place is not None or before.at <= held.at:
            self._last[phase.sequence, held.seat] = held
        self._context.report.checked["receipts"] += 1

    def _read(self, node: Node, sequence: int, title: str, name: str, place: int | None) -> Held:
        """Return the receipt after checking its text, digest and signature."""
        state = self._context.state
        seat = read_seat(node["seat"], state.seat_count)
        text = node["text"].text(MAX_TEXT)
        header = f"orders {state.name} {sequence} {title} seat {seat}"
        if text.split("\n", 1)[0] != header:
            raise RecordFault(f"its text must begin with {header!r}")
        digest, at = read_hash(node["digest"]), node["at"].text()
        parse_time(at)
        if salted_digest(read_salt(node["salt"]), text) != digest:
            raise RecordFault("its digest does not match its salt and text")
        key_id = read_key(node, self._context.report, self._keys)
        message = receipt_message(
            game=state.name,
            phase=title,
            sequence=sequence,
            seat=seat,
            at=at,
            digest=digest,
            key_id=key_id,
        )
        check_signature(node, message, self._context.report)
        return Held(name, place, seat, at, digest, hash_text(text))

    def conclude(self) -> None:
        """Report what the receipts prove; raise `RecordFault` for orders that were changed."""
        for (sequence, seat), held in self._last.items():
            phase = self._context.state.phases[sequence]
            sentence = _find_proof(phase, seat, held)
            if not sentence:
                late = held.at >= str(phase.locked_at)
                what = (
                    f"seat {seat} had other orders at the lock of {phase.title} "
                    f"(line {phase.lock_place}) than in its {'later' if late else 'last'} receipt"
                )
                if held.place is None:
                    raise RecordFault(f"{held.name}: {what}", NO_LINE)
                raise RecordFault(what, held.place)
            self._context.report.note_receipt(f"{held.name}: {sentence}")


def _find_proof(phase: RecordedPhase, seat: int, held: Held) -> str:
    """Return what a receipt proves, or blank if it contradicts the record."""
    saved = f"seat {seat} saved its orders for {phase.title} at {held.at}"
    if phase.locked_at is None:
        return f"{saved}; they are not locked yet."
    locked = phase.seats.get(seat)
    if locked is None or locked.orders is None:
        return f"{saved}, but it had nothing to order at the lock."
    if held.digest == locked.orders or held.text_hash == locked.text_hash:
        is_late = held.at >= phase.locked_at
        when = f"{phase.locked_at} by another clock" if is_late else phase.locked_at
        return f"{saved}, before the lock at {when}, and they match the locked orders."
    if seat in phase.seats_changed:
        return f"{saved}; the seat changed hands before the lock."
    if locked.text_hash is None:
        return f"{saved}; whether they match the locked orders will show after processing."
    return ""


def read_receipts(text: bytes) -> list[Node]:
    """Return the receipts in a file of JSON lines; raise `ValueError` for anything else."""
    receipts = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        node = Node(read_json(line))
        if node["kind"].value != LineKind.RECEIPT:
            raise ValueError(f"line {number} of the receipts is not a receipt")
        receipts.append(node)
    return receipts
