"""What happened: the outbox for those who tell people, and the log that everyone may read."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

ROLLED_BACK, ROLLED_FORWARD = "rolled back", "rolled forward"
"""Kinds of log entries that other code asks for."""


class Event(models.Model):
    """The outbox: what happened, written in the transaction that did it.

    `key` is unique within a game, so that nothing is reported twice. An event with a `seat` is
    that seat's own business; the others are public, and `data` holds nothing secret. `waiting` is
    true until the notices that follow from a public event are written, then NULL; it was never true
    for the events of seats.
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
    """One line of the game's public log: why a deadline moved, what the game master did.

    `by` is NULL where the site did it. `text` is the whole sentence, `reason` what the
    person who did it said; neither holds anything secret. A `key` makes an act idempotent: the
    same act twice is one line.
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
