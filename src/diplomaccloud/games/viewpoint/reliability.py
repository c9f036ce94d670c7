"""How reliably people play, as their figures say.

Anonymous games count once they are over: until then a changing figure would reveal who plays.
"""

from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import PlayerFigures


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many turns a person missed and how many games the person left."""

    turns: int = 0
    missed: int = 0
    games: int = 0
    left: int = 0


def read_figures(people: Collection[int]) -> dict[int, PlayerFigures]:
    """Return the figures of each of the people by key; zeros for someone who never played."""
    stored = PlayerFigures.objects.in_bulk(list(people))
    return {key: stored.get(key) or PlayerFigures(user_id=key) for key in people}


def figures_of(user: User) -> PlayerFigures:
    """Return the figures of a person, read from the database unless they came with the row."""
    return getattr(user, "figures", None) or PlayerFigures(user_id=user.pk)


def reliability_of(figures: PlayerFigures) -> Reliability:
    """Return the part of the figures that says how reliably a person plays."""
    return Reliability(figures.turns, figures.missed, figures.games, figures.left)
