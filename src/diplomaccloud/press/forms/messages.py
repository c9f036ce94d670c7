"""The data of press forms. Actions validate it, so that no text is lost."""

from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from diplomaccloud.press.actions import Attachment
from diplomaccloud.press.addresses import Address, parse_address, seats_address
from diplomaccloud.press.forms.attachments import list_attached, read_attachment

MAX_NUMBER_DIGITS = 9


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A submitted message; `to` has the addresses in the form.

    `attached` has the fields of its attachment.
    """

    to: tuple[str, ...]
    together: bool
    subject: str
    body: str
    key: str
    attached: tuple[tuple[str, str], ...] = ()

    @property
    def attachment(self) -> Attachment | None:
        """The message's attachment; raises `Refused`."""
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
    """Return the message text for a form without a subject field, with the subject above it."""
    return "\n".join(filter(None, (sent.get("subject", ""), sent.get("body", ""))))


def read_number(sent: QueryDict, name: str) -> int | None:
    """Return the message number in a form or an address, None if there is none."""
    text = sent.get(name, "")
    plain = text.isascii() and text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS
    return int(text) if plain else None
