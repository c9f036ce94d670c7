"""The data of the forms for opening conversations."""

from django.http import HttpRequest

from diplomaccloud.press.conversations.forms import MAX_NUMBER_DIGITS
from diplomaccloud.press.table.addresses import Address, parse_address
from diplomaccloud.press.table.errors import NoSuchConversation


def read_consents(request: HttpRequest) -> dict[Address, int]:
    """Return the conversations in a form, each with the last message number that its page counted.

    Raises `NoSuchConversation` for a damaged form.
    """
    consents = {}
    for text in request.POST.getlist("conversation"):
        number, _, members = text.partition(" ")
        if not (number.isascii() and number.isdecimal() and len(number) <= MAX_NUMBER_DIGITS):
            raise NoSuchConversation
        consents[parse_address(members)] = int(number)
    return consents
