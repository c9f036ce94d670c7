"""What a form attaches to its message: one field, named for the kind of attachment."""

from collections.abc import Callable, Mapping
from typing import Final

from django.http import QueryDict

from diplomaccloud.press.actions import Attachment, MapAttachment
from diplomaccloud.press.addresses import MapPlace
from diplomaccloud.press.errors import NoSuchMap
from diplomaccloud.press.forms.documents import read_document


def _read_map(text: str) -> MapAttachment:
    """Return the own map with this number; raise `NoSuchMap` for any other text."""
    place = MapPlace.parse(text)
    if place is None or place.address is not None:
        raise NoSuchMap
    return MapAttachment(place.number)


READERS: Final[Mapping[str, Callable[[str], Attachment]]] = {
    "map": _read_map,
    "document": read_document,
}
"""Each field with what turns its text into an attachment; it raises `Refused` for a forged text."""


def list_attached(sent: QueryDict) -> tuple[tuple[str, str], ...]:
    """Return the fields of an attachment as they were sent, without blank ones."""
    return tuple((name, str(sent[name])) for name in READERS if sent.get(name))


def read_attachment(fields: tuple[tuple[str, str], ...]) -> Attachment | None:
    """Return what the fields attach, None without any; raise `Refused`."""
    name, text = next(iter(fields), ("", ""))
    return READERS[name](text) if name else None
