"""A document's card in its message: the text, the signatures, and the viewer's buttons."""

import hashlib
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from diplomaccloud.press.conversations.page import Attached
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.table.addresses import Address, parse_address, parse_number
from diplomaccloud.press.table.errors import NoSuchConversation, NoSuchDocument
from diplomaccloud.press.table.wording import title_phase


@dataclass(frozen=True, slots=True)
class DocumentView:
    """The card; `digest` identifies the text that the viewer has read."""

    document: DocumentFacts
    url: str
    signatures: tuple[str, ...]
    digest: str
    show_url: str
    template: str = "press/documents/_card.html"


def present_document(facts: DocumentFacts, url: str) -> DocumentView:
    """Return the card of a document whose message is at `url`, blank in a chronicle."""
    press, members, number = url.rstrip("/").rsplit("/", 2) if url else ("", "", "")
    return DocumentView(
        document=facts,
        url=f"{url}document/",
        signatures=tuple(
            f"Signed by {row.country} in {title_phase(row.phase)}." for row in facts.signatures
        ),
        digest=hashlib.sha256(facts.text.encode()).hexdigest(),
        show_url=f"{press}/new/?{urlencode({'document': f'{members}/{number}'})}" if url else "",
    )


def read_source(text: str) -> tuple[Address, int]:
    """Parse a conversation and a message number; raise `NoSuchDocument` if they are invalid."""
    members, _, last = text.rpartition("/")
    if (number := parse_number(last)) is None:
        raise NoSuchDocument
    return parse_address(members), number


def describe_document(press: PressReader, slug: str, text: str) -> Attached | None:
    """Return the document of a message that the viewer can read, to attach it to a new one."""
    try:
        address, number = read_source(text)
        messages = press.conversation(address, after=number - 1, limit=1).messages
    except (NoSuchConversation, NoSuchDocument):
        return None
    parts = [part for message in messages for part in message.attachments]
    if not any(isinstance(part, DocumentFacts) for part in parts):
        return None
    url = reverse("press:document", args=[slug, str(address), number])
    return Attached((("document", text),), "A document with its signatures", "notes", url)
