"""Players' statistics, stored beside the facts they are counted from, so pages don't count."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models

from diplomaccloud.games.models.game import powers_played_by
from diplomaccloud.judge.standard.setups import setups

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

Figures = Mapping[str, int]
"""Numbers by the name of the column in `PlayerFigures`."""


class PlayerFigures(models.Model):
    """Statistics about a person's games; a person without games has no row.

    `turns`, `missed`, `games` and `left` leave out anonymous games until they are over, and turns
    that were excused or rolled back. `running` counts games that everyone may watch and that are
    not anonymous. `actions.figures` updates the row in the transaction that changes the facts,
    and `manage recount` compares the two.
    """

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="figures"
    )
    # No check constraint: a wrong number must not stop a game.
    turns = models.IntegerField(default=0)
    missed = models.IntegerField(default=0)
    games = models.IntegerField(default=0)
    left = models.IntegerField(default=0)
    running = models.IntegerField(default=0)
    finished = models.IntegerField(default=0)
    won = models.IntegerField(default=0)
    shared = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"figures of {self.user_id}"


FIGURES: Final = ("turns", "missed", "games", "left", "running", "finished", "won", "shared")
"""The columns of `PlayerFigures` that hold a number."""


class GameResult(StrEnum):
    """How a finished game ended for one player; `FINISHED` if the game has no winner."""

    WON = "won"
    SHARED = "shared"
    LOST = "lost"
    FINISHED = "finished"


def find_result(winners: Collection[str], power: str | None, setup: str) -> GameResult:
    """Return how the game ended for the player whose first power is `power`.

    `setup` is the name of the game's setup, blank for the map's own.
    """
    players = setups()[setup].players if setup else ()
    won = set(winners)
    if players:
        # A power that joined a player by a coin flip wins with that player.
        won.intersection_update(chain(*players))
    played = set(powers_played_by(power, players)) if players else {power}
    if not won & played:
        return GameResult.LOST if won else GameResult.FINISHED
    return GameResult.WON if won <= played else GameResult.SHARED
