"""Events for notices (the outbox), and the public log of a game."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

ROLLED_BACK, ROLLED_FORWARD = "rolled back", "rolled forward"
LEFT, TAKEN = "left", "taken"
"""Kinds of log entries that other code looks for."""


class Event(models.Model):
    """The outbox: something that happened, written in the transaction that did it.

    `key` is unique within a game, so that nothing is reported twice. An event with a `seat` is
    private to that seat; others are public, so their `data` must not contain secrets. `waiting` is
    true until the notices for a public event are written, and then NULL; for private events it is
    always NULL.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    waiting = models.BooleanField(null=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("game", "key"), name="event_key"),)
        indexes = (
            models.Index(fields=("game", "seat", "id"), name="event_public"),
            models.Index(fields=("waiting", "id"), name="event_waiting"),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"


class LogEntry(models.Model):
    """One entry of the game's public log, such as why a deadline moved or what the game master did.

    `by` is NULL if the site did it. `text` is the whole sentence, and `reason` is what the person
    who did it wrote; neither may contain secrets. The `key` makes an act idempotent: the same act
    twice gives one entry.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="log")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, null=True, related_name="log")
    by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)
    text = models.TextField()
    reason = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("game", "key"), name="log_key"),)

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"
