"""Players' statistics, stored beside the facts they are counted from, so pages don't count."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.games.models.game import powers_played_by
from diplomaccloud.games.models.seats import Tenure
from diplomaccloud.judge.messages.english import write_sentence
from diplomaccloud.judge.standard.setups import setups

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

Figures = Mapping[str, int]
"""Numbers by the name of the column in `PlayerFigures`."""


class PlayerFigures(models.Model):
    """Statistics about a person's games; a person without games has no row.

    `turns`, `missed`, `games` and `left` leave out anonymous games until they are over, and turns
    that were excused or rolled back. `running` counts games that everyone may watch and that are
    not anonymous. `finished`, `won` and `shared` leave out unrated games, which `unrated` counts
    once they are over. `actions.figures` updates the row in the transaction that changes the facts,
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
    unrated = models.IntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return f"figures of {self.user_id}"

    @property
    def reliability(self) -> int | None:
        """How reliably the person plays, in percent; None for someone who never played.

        It is the share of turns that the person did not miss or of games that the person did not
        leave, whichever is lower, rounded down.
        """
        shares = [
            100 * (whole - lost) // whole
            for whole, lost in ((self.turns, self.missed), (self.games, self.left))
            if whole > 0
        ]
        return min(shares, default=None)


FIGURES: Final = (
    *("turns", "missed", "games", "left", "running"),
    *("finished", "won", "shared", "unrated"),
)
"""The columns of `PlayerFigures` that hold a number."""
MIN_PEOPLE: Final = 4
"""How many people must have played in a game for its result to count."""
_COUNTRY: Final = "\n"
_GIVEN_UP: Final = tuple(
    write_sentence(key, country=_COUNTRY).partition(_COUNTRY)[0]
    for key in (
        *("conceded", "all_surrendered", "last_one_left", "surrendered_to_alliance"),
        *("canceled", "ended_on_leaving"),
    )
)
"""How the reasons begin with which games end because players gave up, rather than on the board."""
_AGREED: Final = tuple(write_sentence(key) for key in ("agreed_with_orders", "agreed_draw"))
"""The reasons with which games end in a draw."""


class Unrated(StrEnum):
    """Why the result of a game does not count in its players' statistics."""

    FEW_PEOPLE = "few people"
    GIVEN_UP = "given up"


def find_unrated(people: int, reason: str = "", winners: int = 0) -> Unrated | None:
    """Return why a game is unrated, or None if it is rated.

    `people` is how many of its seats people have held, `reason` the sentence with which it ended,
    and `winners` how many powers won. Without these rules, two accounts could win as many games as
    they like against bots, and the last one left could agree with nobody on a draw.
    """
    if people < MIN_PEOPLE:
        return Unrated.FEW_PEOPLE
    is_alone = reason.startswith(_AGREED) and winners == 1
    return Unrated.GIVEN_UP if is_alone or reason.startswith(_GIVEN_UP) else None


def count_people(game: str) -> Coalesce:
    """Return an expression for how many seats of the game at the path `game` people have held."""
    held = Tenure.objects.filter(seat__game=OuterRef(game)).exclude(user=None).order_by()
    number = held.values("seat__game").annotate(number=Count("seat", distinct=True))
    return Coalesce(Subquery(number.values("number")), 0)


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
