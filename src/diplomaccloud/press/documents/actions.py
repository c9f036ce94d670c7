"""Documents: showing a text to chosen seats, changing it before it is signed, and signing it."""

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from diplomaccloud.games.table.errors import NotYourSeat, WrongMoment
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.documents.models import Document, DocumentCopy, Signature
from diplomaccloud.press.table.actions import (
    Letter,
    find_readable,
    open_table,
    raise_reader_versions,
    require_open,
)
from diplomaccloud.press.table.addresses import Address, AddressKind, AttachmentKind
from diplomaccloud.press.table.errors import DocumentChanged, NoSuchDocument
from diplomaccloud.press.table.models import Message, Send
from diplomaccloud.press.table.state import PressTable, Target, find_target
from diplomaccloud.press.table.text import clean_body

FIXED = "This document has been signed, so its text can no longer change."


@dataclass(slots=True)
class DocumentAttachment:
    """A document that a message shows: a new `text`, or the one of a message at `source`.

    `source` is a conversation and a number, as the sender sees them.
    """

    text: str = ""
    source: tuple[Address, int] | None = None
    kind: ClassVar = AttachmentKind.DOCUMENT
    _document: Document | None = None

    @property
    def digest_part(self) -> str:
        """The text, or the message that already shows it."""
        place = [str(self.source[0]), self.source[1]] if self.source else []
        return json.dumps(["document", self.text, place])

    def require_sendable(self, table: PressTable, target: Target, letter: Letter) -> None:  # noqa: ARG002 the protocol's
        """Raise `Refused` unless the sender has the document and may show it there."""
        if table.seat is None or table.tenure is None or table.newest.phase is None:
            raise NotYourSeat("Only players can show documents.")
        if target.kind not in (AddressKind.SEATS, AddressKind.PUBLIC):
            raise NotYourSeat("You can show documents only to players or to everyone.")
        if self.source is not None:
            address, number = self.source
            self._document = _find_document(table, find_target(table, address), number)
            return
        self._document = Document(
            game=table.game, seat=table.seat, tenure=table.tenure, text=clean_body(self.text)
        )

    def attach(self, send: Send, messages: Sequence[Message]) -> None:  # noqa: ARG002 the protocol's
        """Write the document if it is new, and link it to the messages."""
        document = self._document
        if document is None:
            raise ValueError("the document has not been checked")
        if self.source is None:
            document.save(force_insert=True)
        DocumentCopy.objects.bulk_create(
            DocumentCopy(message=message, document=document) for message in messages
        )


def digest_of_text(text: str) -> str:
    """Return the digest with which a form says which text the person has read."""
    return hashlib.sha256(text.encode()).hexdigest()


@atomic_with_retries
def sign_document(
    *, slug: str, user_id: int, to: Address, number: int, digest: str, now: dt.datetime
) -> None:
    """Sign the document of a message for the person's seat; the first signature fixes the text.

    `digest` is that of the text the person has read; if the author has changed the text since,
    nothing is signed. Signing twice changes nothing. Raises `NoSuchDocument`, `DocumentChanged`,
    `PressClosed`, or what `lock_game` raises.
    """
    table, target, document = _open(slug, user_id, to, number)
    seat, tenure, phase = table.seat, table.tenure, table.newest.phase
    if seat is None or tenure is None or phase is None:
        raise NotYourSeat("You no longer play this country, so you cannot sign for it.")
    if Signature.objects.filter(document=document, seat=seat).exists():
        return
    require_open(table, target, now)
    if digest_of_text(document.text) != digest:
        raise DocumentChanged
    if document.fixed_at is None:
        document.fixed_at = now
        document.save(update_fields=["fixed_at"])
    Signature.objects.create(document=document, seat=seat, tenure=tenure, phase=phase, at=now)
    raise_reader_versions(table.game.pk, document__document=document)


@atomic_with_retries
def change_document(
    *, slug: str, user_id: int, to: Address, number: int, text: str, now: dt.datetime
) -> None:
    """Change the text of a document, as its author, before anyone has signed it.

    Raises `NoSuchDocument`, `WrongMoment`, `BadText`, `PressClosed`, or what `lock_game` raises.
    """
    cleaned = clean_body(text)
    table, target, document = _open(slug, user_id, to, number)
    if table.tenure is None and table.holders.has_held(user_id):
        raise NotYourSeat("You no longer play this country, so you cannot change its documents.")
    if table.tenure is None or document.tenure_id != table.tenure.pk:
        raise NoSuchDocument
    require_open(table, target, now)
    if document.fixed_at is not None:
        raise WrongMoment(FIXED)
    if document.text == cleaned:
        return
    document.text, document.changed_at = cleaned, now
    document.save(update_fields=["text", "changed_at"])
    raise_reader_versions(table.game.pk, document__document=document)


def _open(slug: str, user_id: int, to: Address, number: int) -> tuple[PressTable, Target, Document]:
    table = open_table(slug, user_id)
    target = find_target(table, to)
    return table, target, _find_document(table, target, number)


def _find_document(table: PressTable, target: Target, number: int) -> Document:
    message = find_readable(table, target, number)
    copy = DocumentCopy.objects.filter(message=message).select_related("document").first()
    if message is None or copy is None:
        raise NoSuchDocument
    return copy.document
