"""Votes that are not part of the orders: on a draw, a concession, more time, a pause."""

from django.db import models
from django.db.models import Q

from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat


class Motion(models.Model):
    """A question put to the players of a game: what, by whom, until when, and what came of it.

    `kind` is draw, concede, cancel, extend, pause or resume; `data` says for whom or how
    long. `open` is true or NULL: one motion of a kind is open at a time, by the unique
    constraint. `outcome` is carried, failed, expired or withdrawn once `closed_at` is set.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="motions")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="motions")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="motions")
    kind = models.CharField(max_length=10)
    data = models.JSONField(default=dict)
    open = models.BooleanField(null=True)
    opened_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("game", "kind", "open"), name="motion_open"),
            models.CheckConstraint(
                condition=Q(open=True, closed_at__isnull=True, outcome="")
                | Q(open__isnull=True, closed_at__isnull=False) & ~Q(outcome=""),
                name="motion_closed",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"


class Ballot(models.Model):
    """One seat's answer to a motion."""

    motion = models.ForeignKey(Motion, on_delete=models.PROTECT, related_name="ballots")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    yes = models.BooleanField()
    cast_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("motion", "seat"), name="ballot_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} on {self.motion_id}"
