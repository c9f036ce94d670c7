"""Messages, the requests that sent them, and messages waiting to be published."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.models.conversations import Conversation
from diplomaccloud.press.text import MAX_SUBJECT

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


MAX_ATTACHED = 8
"""The maximum length of the name of an attachment kind."""


class Send(models.Model):
    """One press of the "Send" button, which may send copies to several conversations.

    `key` comes from the composer and is unique for its author forever. `digest` is that of the
    content, to tell a repeated request from a different message with the same key. `kind` and
    `copies` are the kind and number of the conversations, and `opened` counts new personal ones.
    `body` is blank except for a waiting gray message. `unnoticed` is true until the notices of its
    messages are written, then NULL; for a gray message, it is set on publication. `author` is NULL
    for a bot.
    """

    author: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    key = models.CharField(max_length=32)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=8, choices=[(kind.value, kind.value) for kind in Kind])
    digest = models.CharField(max_length=64)
    copies = models.PositiveSmallIntegerField()
    opened = models.PositiveSmallIntegerField(default=0)
    subject = models.CharField(max_length=MAX_SUBJECT, blank=True)
    body = models.TextField(blank=True)
    at = models.DateTimeField()
    unnoticed = models.BooleanField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("author", "key"), name="send_key"),)
        indexes = (
            models.Index(fields=("author", "game", "at"), name="send_limits"),
            models.Index(fields=("author", "at", "id"), name="send_sent"),
            models.Index(fields=("unnoticed", "id"), name="send_unnoticed"),
        )

    def __str__(self) -> str:
        return f"send {self.pk}"

    @property
    def person_id(self) -> int:
        """The key of the person who sent it; raises `ValueError` for a bot's message."""
        if self.author_id is None:
            raise ValueError("a bot sent this")
        return self.author_id


class Message(models.Model):
    """A message, numbered in its conversation without gaps and never changed.

    `tenure` and `seat` are the author's at that time, NULL for people without a seat; `author` is
    the person, NULL for a bot. A gray message has none of the three. `phase` is the newest phase
    when the message was sent, NULL before the start and outside games. `attached` is the kind of
    attachment, so that pages without attachments don't query them. A message with an attachment may
    have no text.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.PROTECT, related_name="messages", db_index=False
    )
    number = models.PositiveIntegerField()
    send = models.ForeignKey(Send, on_delete=models.PROTECT, related_name="messages")
    author: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, null=True, related_name="+")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, null=True, related_name="+")
    subject = models.CharField(max_length=MAX_SUBJECT, blank=True)
    body = models.TextField(blank=True)
    attached = models.CharField(max_length=MAX_ATTACHED, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ("conversation", "number")
        constraints = (
            models.UniqueConstraint(fields=("conversation", "number"), name="message_number"),
        )

    def __str__(self) -> str:
        return f"{self.number} of {self.conversation_id}"


class WaitingMessage(models.Model):
    """A gray message that was accepted but not yet published; publishing it deletes the row."""

    send = models.OneToOneField(
        Send, on_delete=models.PROTECT, primary_key=True, related_name="waiting"
    )
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"waiting in {self.game_id}"


class HiddenMessage(models.Model):
    """A message that a person has deleted, which hides it only from that person."""

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="hidden")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "message"), name="hidden_message"),)

    def __str__(self) -> str:
        return f"{self.message_id} hidden from {self.user_id}"
