"""The data of press forms. Actions validate it, so that no text is lost."""

from collections.abc import Callable, Mapping
from typing import Final

from django.http import HttpRequest, QueryDict

from diplomaccloud.games.table.forms import FlagField, PhaseForm
from diplomaccloud.press.conversations.page import Draft
from diplomaccloud.press.documents.actions import DocumentAttachment
from diplomaccloud.press.documents.page import read_source
from diplomaccloud.press.maps.actions import MapAttachment
from diplomaccloud.press.table.actions import Attachment
from diplomaccloud.press.table.addresses import Address, MapPlace, parse_address, seats_address
from diplomaccloud.press.table.errors import NoSuchMap


def read_message(request: HttpRequest) -> Draft:
    """Return the message that a form sent, with the addresses and the attachment in the form."""
    sent = request.POST
    return Draft(
        to=tuple(dict.fromkeys(sent.getlist("to"))),
        together=sent.get("mode") == "together",
        subject=sent.get("subject", ""),
        body=sent.get("body", ""),
        key=sent.get("key", ""),
        attached=list_attached(sent),
    )


def read_addressee(draft: Draft) -> Address:
    """Return the conversation, or the seats; raise `NoSuchConversation`."""
    return parse_address(draft.to[0]) if len(draft.to) == 1 else seats_address(draft.to)


# The attachment of a message form: one field, named after the kind of attachment.


def _read_map(text: str) -> MapAttachment:
    """Return the sender's map with this number; raise `NoSuchMap` if it is not a number."""
    place = MapPlace.parse(text)
    if place is None or place.address is not None:
        raise NoSuchMap
    return MapAttachment(place.number)


READERS: Final[Mapping[str, Callable[[str], Attachment]]] = {
    "map": _read_map,
    "document": lambda text: DocumentAttachment(source=read_source(text)),
}
"""The reader of each field, which returns an attachment or raises `Refused` for a forged value."""


def list_attached(sent: QueryDict) -> tuple[tuple[str, str], ...]:
    """Return the nonblank attachment fields as sent."""
    return tuple((name, str(sent[name])) for name in READERS if sent.get(name))


def read_attachment(draft: Draft) -> Attachment | None:
    """Return the attachment of the message, None if there is none; raise `Refused`."""
    name, text = next(iter(draft.attached), ("", ""))
    return READERS[name](text) if name else None


class TalkForm(PhaseForm):
    """Whether the player is done talking in a phase."""

    done = FlagField()
