"""The field that shows a document on: a conversation and the number of its message there."""

from diplomaccloud.press.actions import DocumentAttachment
from diplomaccloud.press.addresses import Address, parse_address
from diplomaccloud.press.errors import NoSuchDocument

MAX_DIGITS = 9


def read_document(text: str) -> DocumentAttachment:
    """Return what the field `FRANCE/3` attaches; raise `NoSuchDocument` for any other text."""
    return DocumentAttachment(source=read_source(text))


def read_source(text: str) -> tuple[Address, int]:
    """Return the conversation and the number that a text names; raise `NoSuchDocument`."""
    members, _, number = text.rpartition("/")
    if not (number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS):
        raise NoSuchDocument
    return parse_address(members), int(number)
