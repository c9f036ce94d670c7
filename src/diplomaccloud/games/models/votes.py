"""Votes that players hold apart from their orders: a draw, a concession, more time, a pause."""

from django.db import models
from django.db.models import Q

from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat


class Vote(models.Model):
    """A question put to the players of a game: who asked it, until when it is open, its outcome.

    `kind` is draw, concede, cancel, extend, pause or resume; `data` says to whom or how long.
    `open` is true or NULL, so that the unique constraint allows one open vote of a kind. `outcome`
    is carried, failed, expired or withdrawn once `closed_at` is set.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="votes")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="votes")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="votes")
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
            models.UniqueConstraint(fields=("game", "kind", "open"), name="vote_open"),
            models.CheckConstraint(
                condition=Q(open=True, closed_at__isnull=True, outcome="")
                | Q(open__isnull=True, closed_at__isnull=False) & ~Q(outcome=""),
                name="vote_closed",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"


class Ballot(models.Model):
    """One seat's answer to a vote."""

    vote = models.ForeignKey(Vote, on_delete=models.PROTECT, related_name="ballots")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    yes = models.BooleanField()
    cast_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("vote", "seat"), name="ballot_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} on {self.vote_id}"
