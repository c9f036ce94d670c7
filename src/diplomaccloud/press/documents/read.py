"""Documents, for viewers who can read a message with them."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from diplomaccloud.games.table.models import Seat
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.documents.models import Document, DocumentCopy, Signature
from diplomaccloud.press.table.models import Message
from diplomaccloud.press.table.read import AttachmentFacts


@dataclass(frozen=True, slots=True)
class SignatureFacts:
    """A signature: which country, and in which phase."""

    power: str
    country: str
    phase: JudgePhase


@dataclass(frozen=True, slots=True)
class DocumentFacts(AttachmentFacts):
    """A document, without its author. The author `may_change` it until it is signed.

    `changed_at` is when its text was last changed after this message showed it. Earlier changes
    would tell that somebody else had it before.
    """

    text: str
    changed_at: dt.datetime | None
    signatures: tuple[SignatureFacts, ...]
    may_sign: bool
    may_change: bool
    may_show: bool

    def list_lines(self, map_hash: str) -> Iterator[str]:  # noqa: ARG002 the base class
        """Return the text and its signatures."""
        yield self.text
        for row in self.signatures:
            yield f"Signed by {row.country} in {row.phase.title}."


def read_documents(
    messages: Sequence[Message], user_id: int | None, seats: Sequence[Seat]
) -> Mapping[int, DocumentFacts]:
    """Return the documents by message key, for messages the viewer can read, in two queries."""
    rows = DocumentCopy.objects.filter(message__in=[message.pk for message in messages])
    copies = list(rows.select_related("document__tenure"))
    sent_at = {message.pk: message.at for message in messages}
    by_key = {seat.pk: seat for seat in seats}
    own_seat = next((seat for seat in seats if user_id and seat.user_id == user_id), None)
    signatures: dict[int, list[SignatureFacts]] = {}
    signed: set[int] = set()
    signed_rows = Signature.objects.filter(document__in=[copy.document_id for copy in copies])
    for row in signed_rows.annotate(phase_name=F("phase__name")).order_by("pk"):
        seat = by_key[row.seat_id]
        facts = SignatureFacts(
            seat.power or "", seat.country_name, JudgePhase.parse(getattr(row, "phase_name", ""))
        )
        signatures.setdefault(row.document_id, []).append(facts)
        if own_seat is not None and row.seat_id == own_seat.pk:
            signed.add(row.document_id)
    return {
        copy.message_id: DocumentFacts(
            text=copy.document.text,
            changed_at=_find_change(copy.document, sent_at[copy.message_id]),
            signatures=tuple(signatures.get(copy.document_id, ())),
            may_show=own_seat is not None,
            may_sign=own_seat is not None and copy.document_id not in signed,
            may_change=own_seat is not None
            and copy.document.fixed_at is None
            and copy.document.tenure.user_id == user_id
            and copy.document.tenure.until_at is None,
        )
        for copy in copies
    }


def _find_change(document: Document, sent_at: dt.datetime) -> dt.datetime | None:
    """Return when the text was last changed, None if that was before `sent_at`."""
    at = document.changed_at
    return at if at is not None and at > sent_at else None
