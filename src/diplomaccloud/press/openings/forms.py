"""The data of the forms for opening conversations."""

from django.http import HttpRequest

from diplomaccloud.press.table.addresses import Address, parse_address, parse_number
from diplomaccloud.press.table.errors import NoSuchConversation


def read_consents(request: HttpRequest) -> dict[Address, int]:
    """Return the conversations in a form, each with the last message number that its page counted.

    Raises `NoSuchConversation` for a damaged form.
    """
    consents = {}
    for text in request.POST.getlist("conversation"):
        first, _, members = text.partition(" ")
        if (number := parse_number(first)) is None:
            raise NoSuchConversation
        consents[parse_address(members)] = number
    return consents
