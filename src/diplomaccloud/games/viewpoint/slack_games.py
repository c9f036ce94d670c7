"""The games in which a person can send orders by Slack."""

from dataclasses import dataclass
from typing import Final

from diplomaccloud.games.models import Seat, Status

MAX_GAMES: Final = 40
"""A person with more running games than this can order by Slack only in the newest."""


@dataclass(frozen=True, slots=True)
class OrderGame:
    """A running game that takes orders by Slack."""

    slug: str
    world: str


def list_order_games(user_id: int) -> tuple[OrderGame, ...]:
    """Return the person's running games that take orders by Slack, newest first."""
    seats = Seat.objects.filter(user=user_id, finished_at=None, game__status=Status.RUNNING)
    seats = seats.select_related("game").order_by("-game")[:MAX_GAMES]
    return tuple(
        OrderGame(seat.game.slug, seat.game.world) for seat in seats if seat.game.options.slack
    )
