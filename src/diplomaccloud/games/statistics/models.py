"""What a phase's statistics are, so that they are counted once."""

from typing import Any

from django.db import models

from diplomaccloud.games.table.phase_models import Phase


class PhaseFigures(models.Model):
    """The statistics of a processed phase, as `deeds.tally_to_json` writes them.

    They follow from the results of the phase and of those before it, which never change: a phase
    that was rolled back keeps its row. Phases that were processed by an earlier version have none
    until somebody asks for the game's statistics.
    """

    # Without a constraint, the previous release can delete the games of guests, which it does
    # without knowing this table.
    phase = models.OneToOneField(
        Phase,
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="figures",
        db_constraint=False,
    )
    counts: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField()

    def __str__(self) -> str:
        return f"figures of {self.phase_id}"
