"""The games that a moderator has stopped, for moderators."""

from dataclasses import dataclass
from typing import Final

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import FROZEN
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.judges import select_games

MAX_LISTED: Final = 50
"""How many games the page lists."""


@dataclass(frozen=True, slots=True)
class StoppedGame:
    """A stopped game."""

    slug: str
    world: str


def read_stopped_games(viewer: Viewer) -> tuple[StoppedGame, ...]:
    """Return the stopped games without a seat of the viewer; raise `NoSuchCase` for others."""
    user = User.objects.filter(pk=viewer.user_id or 0, moderator=True, is_active=True).first()
    if user is None:
        raise NoSuchCase
    games = select_games(user).filter(suspended_reason=FROZEN).order_by("-pk")
    found = games.values_list("slug", "world")[:MAX_LISTED]
    return tuple(StoppedGame(slug, world) for slug, world in found)
