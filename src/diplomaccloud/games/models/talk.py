"""Who is done talking in a phase that ends with quiet time."""

from django.db import models

from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat


class TalkDone(models.Model):
    """A mark that the holder of a seat is done talking in a phase; removing it deletes the row.

    Nobody else can see it. Talk ends early once everyone is done.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="talk_done")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="talk_done")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="talk_done"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}"
