"""Cards of proposals and documents, with which a script replaces old cards."""

from typing import Final, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from diplomaccloud.press.addresses import Address
from diplomaccloud.press.presenters.attached import AttachmentView
from diplomaccloud.press.presenters.press_page import Desk
from diplomaccloud.press.views.reading import is_part
from diplomaccloud.shared.responses import see_other

CONTEXT: Final = 4
"""How many messages before a card its link also shows."""

_Facts = TypeVar("_Facts")


def find_attachment(desk: Desk, address: Address, number: int, kind: type[_Facts]) -> _Facts | None:
    """Return the attachment of `kind` of a message that the viewer can read, or None."""
    for message in desk.press.conversation(address, after=number - 1, limit=1).messages:
        for part in message.attachments:
            if message.number == number and isinstance(part, kind):
                return part
    return None


def send_card(
    request: HttpRequest, conversation: str, number: int, card: AttachmentView
) -> HttpResponse:
    """Send a card to a script, and redirect everyone else to its message in `conversation`."""
    if not is_part(request):
        return see_other(f"{conversation}?after={max(0, number - CONTEXT)}#m{number}")
    return render(request, card.template, {"attachment": card})
