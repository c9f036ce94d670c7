"""A document's card in its message: the text, the signatures, and the viewer's buttons."""

import datetime as dt
import hashlib
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from diplomaccloud.press.conversations.page import COMPOSE, Attached, AttachLink
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.table.addresses import Address, Kind, parse_address
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.read import AttachmentFacts
from diplomaccloud.press.table.wording import title_phase

_MAX_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class DocumentView:
    """The card; `digest` identifies the text that the viewer has read."""

    url: str
    text: str
    changed_at: dt.datetime | None
    signatures: tuple[str, ...]
    may_sign: bool
    may_change: bool
    digest: str
    sign_url: str
    change_url: str
    show_url: str
    may_show: bool
    template: str = "press/_document.html"


def present_document(facts: AttachmentFacts, url: str) -> DocumentView:
    """Return the card of a document whose message is at `url`, blank in a chronicle."""
    if not isinstance(facts, DocumentFacts):
        raise TypeError(f"not a document: {facts!r}")
    return DocumentView(
        url=f"{url}document/",
        text=facts.text,
        changed_at=facts.changed_at,
        signatures=tuple(
            f"Signed by {row.country} in {title_phase(row.phase)}." for row in facts.signatures
        ),
        may_sign=facts.may_sign,
        may_change=facts.may_change,
        digest=hashlib.sha256(facts.text.encode()).hexdigest(),
        sign_url=f"{url}document/sign/",
        change_url=f"{url}document/change/",
        show_url=_show_url(url),
        may_show=facts.may_show,
    )


def _show_url(url: str) -> str:
    """Return the address for a new message that shows the document of the message at `url`."""
    if not url:
        return ""
    press, members, number = url.rstrip("/").rsplit("/", 2)
    return f"{press}/new/?{urlencode({'document': f'{members}/{number}'})}"


def make_document_link(slug: str, to: Address | None) -> AttachLink | None:
    """Return the button for a document, which can go wherever a proposal can."""
    if to is None or to.kind not in (Kind.SEATS, Kind.PUBLIC):
        return None
    url = reverse("press:write-document", args=[slug, str(to)])
    return AttachLink("Document", "i-notes", url, url, COMPOSE)


def describe_document(press: PressReader, slug: str, text: str) -> Attached | None:
    """Return the document of a message that the viewer can read, to attach it to a new one."""
    members, _, number = text.rpartition("/")
    if not (number.isascii() and number.isdecimal() and len(number) <= _MAX_DIGITS):
        return None
    try:
        found = press.conversation(parse_address(members), after=int(number) - 1, limit=1).messages
    except NoSuchConversation:
        return None
    parts = [part for message in found for part in message.attachments]
    if not any(isinstance(part, DocumentFacts) for part in parts):
        return None
    url = reverse("press:document", args=[slug, members, int(number)])
    return Attached((("document", text),), "A document with its signatures", "i-notes", url)
