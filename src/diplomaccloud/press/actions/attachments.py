"""What a message can carry besides its text: a map, and more. Each kind has its own module."""

from collections.abc import Sequence
from typing import Protocol

from diplomaccloud.press.actions.delivery import Letter
from diplomaccloud.press.addresses import AttachmentKind, Kind
from diplomaccloud.press.errors import BadText
from diplomaccloud.press.models import Message, Send
from diplomaccloud.press.table import Table, Target


class Attachment(Protocol):
    """Something that a message carries, as its sender names it."""

    @property
    def kind(self) -> AttachmentKind:
        """What it is, which its message remembers."""

    @property
    def digest_part(self) -> str:
        """What joins the digest for which the composer's key stands."""

    def require_sendable(self, table: Table, target: Target, letter: Letter) -> None:
        """Raise `Refused` unless the sender may send it there; nothing has been written."""

    def attach(self, send: Send, messages: Sequence[Message]) -> None:
        """Write the rows that join it to the messages, in their transaction."""


def require_attachable(
    attachment: Attachment | None, table: Table, targets: Sequence[Target], letter: Letter
) -> None:
    """Raise `Refused` if the attachment may not go to all targets; gray messages carry none."""
    for target in targets if attachment else ():
        if target.kind is Kind.GRAY:
            raise BadText("body", "An unsigned message is text only. Nothing was sent.")
        if attachment is not None:
            attachment.require_sendable(table, target, letter)
