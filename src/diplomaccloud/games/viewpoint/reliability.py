"""How reliably people play, according to their statistics.

Anonymous games count only once they are over; before that, a changing number would reveal who
plays.
"""

from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import PlayerFigures
from diplomaccloud.shared.prepared_queries import PreparedQuery

_figures = PreparedQuery(lambda people: PlayerFigures.objects.filter(user__in=people), list)


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many turns a person missed, how many games the person left, and the lower share kept."""

    turns: int = 0
    missed: int = 0
    games: int = 0
    left: int = 0
    percent: int | None = None


def read_figures(people: Collection[int]) -> dict[int, PlayerFigures]:
    """Return the statistics of each person by key, with zeros for someone who never played."""
    stored = {row.user_id: row for row in _figures.read(list(people))}
    return {key: stored.get(key) or PlayerFigures(user_id=key) for key in people}


def figures_of(user: User) -> PlayerFigures:
    """Return the statistics of a person, read from the database unless they came with the row."""
    return getattr(user, "figures", None) or PlayerFigures(user_id=user.pk)


def find_own_reliability(user_id: int | None) -> int | None:
    """Return a person's reliability in percent, None for a visitor or someone who never played."""
    return None if user_id is None else read_figures([user_id])[user_id].reliability


def reliability_of(figures: PlayerFigures) -> Reliability:
    """Return the part of the statistics that shows how reliably a person plays."""
    return Reliability(
        figures.turns, figures.missed, figures.games, figures.left, figures.reliability
    )
