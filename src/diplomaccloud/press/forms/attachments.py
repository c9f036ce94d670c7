"""The attachment of a message form: one field, named after the kind of attachment."""

from collections.abc import Callable, Mapping
from typing import Final

from django.http import QueryDict

from diplomaccloud.press.actions import Attachment, MapAttachment
from diplomaccloud.press.addresses import MapPlace
from diplomaccloud.press.errors import NoSuchMap
from diplomaccloud.press.forms.documents import read_document


def _read_map(text: str) -> MapAttachment:
    """Return the sender's map with this number; raise `NoSuchMap` if it is not a number."""
    place = MapPlace.parse(text)
    if place is None or place.address is not None:
        raise NoSuchMap
    return MapAttachment(place.number)


READERS: Final[Mapping[str, Callable[[str], Attachment]]] = {
    "map": _read_map,
    "document": read_document,
}
"""The reader of each field, which returns an attachment or raises `Refused` for a forged value."""


def list_attached(sent: QueryDict) -> tuple[tuple[str, str], ...]:
    """Return the nonblank attachment fields as sent."""
    return tuple((name, str(sent[name])) for name in READERS if sent.get(name))


def read_attachment(fields: tuple[tuple[str, str], ...]) -> Attachment | None:
    """Return the attachment of the fields, None if there is none; raise `Refused`."""
    name, text = next(iter(fields), ("", ""))
    return READERS[name](text) if name else None
