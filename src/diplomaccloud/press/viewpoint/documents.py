"""Documents, for viewers who can read a message with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from diplomaccloud.games.models import Seat
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.models import DocumentCopy, Message, Signature
from diplomaccloud.press.viewpoint.facts import AttachmentFacts


@dataclass(frozen=True, slots=True)
class SignatureFacts:
    """A signature: which country, and in which phase."""

    power: str
    country: str
    phase: JudgePhase


@dataclass(frozen=True, slots=True)
class DocumentFacts(AttachmentFacts):
    """A document, without its author. The author `may_change` it until it is signed."""

    text: str
    signatures: tuple[SignatureFacts, ...]
    may_sign: bool
    may_change: bool
    may_show: bool


def read_documents(
    messages: Sequence[Message], user_id: int | None, seats: Sequence[Seat]
) -> Mapping[int, DocumentFacts]:
    """Return the documents by message key, for messages the viewer can read, in two queries."""
    rows = DocumentCopy.objects.filter(message__in=[message.pk for message in messages])
    copies = list(rows.select_related("document__tenure"))
    by_key = {seat.pk: seat for seat in seats}
    own = next((s for s in seats if user_id is not None and s.user_id == user_id), None)
    signatures: dict[int, list[SignatureFacts]] = {}
    signed: set[int] = set()
    signed_rows = Signature.objects.filter(document__in=[copy.document_id for copy in copies])
    for row in signed_rows.annotate(phase_name=F("phase__name")).order_by("pk"):
        seat = by_key[row.seat_id]
        facts = SignatureFacts(
            seat.power or "", seat.country_name, JudgePhase.parse(getattr(row, "phase_name", ""))
        )
        signatures.setdefault(row.document_id, []).append(facts)
        if own is not None and row.seat_id == own.pk:
            signed.add(row.document_id)
    return {
        copy.message_id: DocumentFacts(
            text=copy.document.text,
            signatures=tuple(signatures.get(copy.document_id, ())),
            may_show=own is not None,
            may_sign=own is not None and copy.document_id not in signed,
            may_change=own is not None
            and copy.document.fixed_at is None
            and copy.document.tenure.user_id == user_id
            and copy.document.tenure.until_at is None,
        )
        for copy in copies
    }
