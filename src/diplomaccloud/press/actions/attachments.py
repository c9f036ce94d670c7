"""Attachments of messages, for example maps. Each kind has its own module."""

from collections.abc import Sequence
from typing import Protocol

from diplomaccloud.press.actions.delivery import Letter
from diplomaccloud.press.addresses import AttachmentKind, Kind
from diplomaccloud.press.errors import BadText
from diplomaccloud.press.models import Message, Send
from diplomaccloud.press.table import Table, Target


class Attachment(Protocol):
    """An attachment, as the sender of its message names it."""

    @property
    def kind(self) -> AttachmentKind:
        """The kind of attachment, which is stored with the message."""

    @property
    def digest_part(self) -> str:
        """The attachment's part of the digest that the composer's key stands for."""

    def require_sendable(self, table: Table, target: Target, letter: Letter) -> None:
        """Raise `Refused` unless the sender may send it there. Called before any write."""

    def attach(self, send: Send, messages: Sequence[Message]) -> None:
        """Write the rows that attach it to the messages, in their transaction."""


def require_attachable(
    attachment: Attachment | None, table: Table, targets: Sequence[Target], letter: Letter
) -> None:
    """Raise `Refused` unless the attachment may go to all targets; gray messages have none."""
    for target in targets if attachment else ():
        if target.kind is Kind.GRAY:
            raise BadText("body", "An unsigned message can only contain text. Nothing was sent.")
        if attachment is not None:
            attachment.require_sendable(table, target, letter)
