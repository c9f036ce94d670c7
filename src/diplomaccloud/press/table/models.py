"""The rows that all of press shares: conversations, messages, events, and people's settings."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.text import MAX_SUBJECT

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_KEY = 200


def person_key(*, db_index: bool = True) -> "models.ForeignKey[User, User]":
    """Return a column for a person."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=db_index
    )


def _person_or_none(*, db_index: bool = True) -> "models.ForeignKey[User | None, User | None]":
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=db_index,
    )


class Conversation(models.Model):
    """A conversation with at least one message. Its `key` names the members; see `addresses`.

    `last` is the number of its newest message, and `last_at` the time when that was sent. `game` is
    NULL for personal messages.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(
        max_length=8, choices=[(kind.value, kind.value) for kind in AddressKind]
    )
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
    user = _person_or_none()
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

    author = _person_or_none(db_index=False)
    key = models.CharField(max_length=32)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(
        max_length=8, choices=[(kind.value, kind.value) for kind in AddressKind]
    )
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
    author = _person_or_none()
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

    user = person_key(db_index=False)
    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="hidden")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "message"), name="hidden_message"),)

    def __str__(self) -> str:
        return f"{self.message_id} hidden from {self.user_id}"


MAX_EVENT_KEY = 120


class PressEvent(models.Model):
    """Something to notify one person of, written in the same transaction as the change.

    Messages have no events; their `Send` is marked instead. `key` is unique, so that nothing is
    reported twice. `data` holds no message text and no names. `waiting` is true until the notice is
    written, then NULL.
    """

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=MAX_EVENT_KEY)
    user = person_key()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    message = models.ForeignKey(Message, on_delete=models.PROTECT, null=True, related_name="+")
    data: "models.JSONField[dict[str, object], dict[str, object]]" = models.JSONField(default=dict)
    at = models.DateTimeField()
    waiting = models.BooleanField(null=True, default=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("key", "user"), name="press_event_key"),)
        indexes = (models.Index(fields=("waiting", "id"), name="press_event_waiting"),)

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"


# People's mutes, blocks and settings, and the versions of their press.


EVERYWHERE = 0
"""The place of a person's version for all games and personal messages together."""


class SeatMute(models.Model):
    """A person's mute of a seat: its messages don't count as unread and cause no notices.

    It ends when the seat changes hands, because it belongs to the `tenure` of that holder.
    """

    user = person_key(db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "seat"), name="seat_mute"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} muted by {self.user_id}"


class Block(models.Model):
    """A person's block of another person's personal messages. The other is not notified."""

    user = person_key(db_index=False)
    blocked = person_key()
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "blocked"), name="block"),)

    def __str__(self) -> str:
        return f"{self.blocked_id} blocked by {self.user_id}"


class PressSettings(models.Model):
    """A person's press settings; a person without a row has the defaults."""

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )
    personal = models.BooleanField(default=True)
    """Whether others may write personal messages to the person."""

    def __str__(self) -> str:
        return f"press settings of {self.user_id}"


class PressVersion(models.Model):
    """A number that grows whenever a person's press changes: in one game, and everywhere.

    `place` is the key of the game, or `EVERYWHERE`. It is never NULL, so that the constraint works
    on every database. Only the person sees the number.
    """

    user = person_key()
    place = models.PositiveBigIntegerField()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    number = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("place", "user"), name="press_version"),)

    def __str__(self) -> str:
        return f"press of {self.user_id} in {self.game_id or 'all games'}"


class PressLimit(models.Model):
    """Until a time, a person may write only notes and messages to game masters.

    It applies in one game or everywhere, and a successful appeal ends it early.
    """

    decision = models.OneToOneField(
        "press.Decision", on_delete=models.PROTECT, primary_key=True, related_name="limit"
    )
    user = person_key(db_index=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    until = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("user", "until"), name="press_limit"),)

    def __str__(self) -> str:
        return f"press of {self.user_id} limited"
