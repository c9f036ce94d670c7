"""Which game is featured, and its last turn as pictures."""

from django.db import models

from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase

SLOT = 1
"""The key of the only row."""


class FeaturedGame(models.Model):
    """The game that is featured, since when, and its last movement phase as moving pictures.

    There is one row, or none if no game fits. `drawn` is the version of the pictures, and `turn`
    a hash of both, which names them.
    """

    slot = models.PositiveSmallIntegerField(primary_key=True, default=SLOT)
    game = models.ForeignKey(Game, models.PROTECT, related_name="+")
    phase = models.ForeignKey(Phase, models.PROTECT, related_name="+")
    chosen_at = models.DateTimeField()
    drawn = models.CharField(max_length=20)
    turn = models.CharField(max_length=64)
    light = models.TextField()
    dark = models.TextField()

    def __str__(self) -> str:
        return f"featured game {self.game_id}"
