"""Conversations, and who can read which of their messages."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.press.addresses import Kind

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_KEY = 200


class Conversation(models.Model):
    """A conversation with at least one message. Its `key` names the members; see `addresses`.

    `last` is the number of its newest message, and `last_at` the time when that was sent. `game` is
    NULL for personal messages.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=8, choices=[(kind.value, kind.value) for kind in Kind])
    key = models.CharField(max_length=MAX_KEY, unique=True)
    last = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("game", "kind"), name="conversation_game"),)

    def __str__(self) -> str:
        return self.key


class Membership(models.Model):
    """What a person, or a vacant seat, can read of a conversation during one period.

    `first` to `last` are numbers of messages; `last` is NULL while the period lasts. Rows are only
    updated with the next message, so a row may still be open after its period has ended. `seat` is
    NULL in conversations between people: notes, before the draw, personal, and with the game
    master. `tenure` is the newest one of the seat when the row was written, and `user` its person,
    NULL while a bot has the seat or it is vacant.

    `since` is the number of the first message sent in the period. `read` is the highest number that
    the person has read, and `unread` counts the messages of others above it. Marking messages as
    unread lowers `read`; `read_before` is the highest value it had before, or 0. `active_at` sorts
    a person's conversations; it is NULL once the person has a newer row for the conversation.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.PROTECT, related_name="memberships"
    )
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, null=True, related_name="+")
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    first = models.PositiveIntegerField()
    since = models.PositiveIntegerField()
    last = models.PositiveIntegerField(null=True)
    read = models.PositiveIntegerField(default=0)
    read_before = models.PositiveIntegerField(default=0, db_default=0)
    unread = models.PositiveIntegerField(default=0)
    muted_at = models.DateTimeField(null=True)
    active_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("user", "active_at", "id"), name="membership_person"),
            models.Index(fields=("user", "unread"), name="membership_unread"),
            models.Index(fields=("seat", "last"), name="membership_seat"),
            models.Index(fields=("conversation", "user"), name="membership_reader"),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(seat__isnull=False, tenure__isnull=False)
                | Q(seat__isnull=True, tenure__isnull=True, user__isnull=False),
                name="membership_holder",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id or 'nobody'} in {self.conversation_id}"

    @property
    def seen(self) -> int:
        """The highest number that the person has ever read. No notice announces it again."""
        return max(self.read, self.read_before)
