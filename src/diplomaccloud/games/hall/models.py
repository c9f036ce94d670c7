"""What cards show of a game's position, copied so that lists need not read whole positions."""

from django.db import models

from diplomaccloud.games.table.models import Game


class Standing(models.Model):
    """The newest position of a game as its card shows it, from the start on.

    `changes` counts its positions. A worker fills in the rest and draws the pictures. `drawn` is
    the version of the pictures; it is blank while the position is new, and then everything else is
    about an older one. `position_hash` is blank if there is no picture. `phase` is the name of the
    newest phase. `strengths` holds the
    centers and units of each power, and `gained` by how many centers the last Fall changed it.
    """

    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, primary_key=True, related_name="standing"
    )
    changes = models.PositiveIntegerField(default=1)
    position_hash = models.CharField(max_length=64, blank=True)
    drawn = models.CharField(max_length=20, blank=True)
    phase = models.CharField(max_length=8, blank=True)
    strengths: "models.JSONField[dict[str, list[int]], dict[str, list[int]]]" = models.JSONField(
        default=dict
    )
    gained: "models.JSONField[dict[str, int], dict[str, int]]" = models.JSONField(default=dict)

    class Meta:
        indexes = (models.Index(fields=("drawn",), name="standing_drawn"),)

    def __str__(self) -> str:
        return f"standing of {self.game_id}"
