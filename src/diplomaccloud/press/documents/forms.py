"""The field that passes on a document: a conversation and a message number in it."""

from diplomaccloud.press.documents.actions import DocumentAttachment
from diplomaccloud.press.table.addresses import Address, parse_address
from diplomaccloud.press.table.errors import NoSuchDocument

MAX_DIGITS = 9


def read_document(text: str) -> DocumentAttachment:
    """Return the document of a field such as `FRANCE/3`; raise `NoSuchDocument` if invalid."""
    return DocumentAttachment(source=read_source(text))


def read_source(text: str) -> tuple[Address, int]:
    """Parse a conversation and a message number; raise `NoSuchDocument` if they are invalid."""
    members, _, number = text.rpartition("/")
    if not (number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS):
        raise NoSuchDocument
    return parse_address(members), int(number)
