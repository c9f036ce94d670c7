"""What the forms of press send; the actions decide whether it is valid, so that no text is lost."""

from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from diplomaccloud.press.actions import Attachment
from diplomaccloud.press.addresses import Address, parse_address, seats_address
from diplomaccloud.press.forms.attachments import list_attached, read_attachment

MAX_NUMBER_DIGITS = 9


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message as it was sent: `to` are the addresses that the form carried.

    `attached` are the fields of what it carries.
    """

    to: tuple[str, ...]
    together: bool
    subject: str
    body: str
    key: str
    attached: tuple[tuple[str, str], ...] = ()

    @property
    def attachment(self) -> Attachment | None:
        """What the message carries besides its text; raises `Refused`."""
        return read_attachment(self.attached)

    @property
    def address(self) -> Address:
        """The conversation, or the seats; raises `NoSuchConversation`."""
        return parse_address(self.to[0]) if len(self.to) == 1 else seats_address(self.to)


def read_message(request: HttpRequest) -> SentMessage:
    """Return the message that a form sent."""
    sent = request.POST
    return SentMessage(
        to=tuple(dict.fromkeys(sent.getlist("to"))),
        together=sent.get("mode") == "together",
        subject=sent.get("subject", ""),
        body=sent.get("body", ""),
        key=sent.get("key", ""),
        attached=list_attached(sent),
    )


def join_subject(sent: QueryDict) -> str:
    """Return the text of a message for a form without a subject, which goes above it."""
    return "\n".join(filter(None, (sent.get("subject", ""), sent.get("body", ""))))


def read_number(sent: QueryDict, name: str) -> int | None:
    """Return the number of a message that a form or an address names, None if it names none."""
    text = sent.get(name, "")
    plain = text.isascii() and text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS
    return int(text) if plain else None
