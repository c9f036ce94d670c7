"""A person's games on the home page: first those in which something waits for the person.

Features say in the setting `WAITING` what can wait besides orders. Each of its functions takes the
key of a person and returns slugs of unfinished games with a few words, and with a deadline if this
has one of its own, in a number of queries that does not depend on the number of games.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string

from diplomaccloud.games.hall.read import Card
from diplomaccloud.games.lobby.read import GameLists, ListQuery, Status, list_games
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.phases import Stage

_LISTS: Final = ListQuery(statuses=(Status.FORMING, Status.RUNNING), size=3, vacant=False)
_VISITORS_LISTS: Final = ListQuery(
    statuses=(Status.FORMING, Status.RUNNING), size=4, vacant=False, yours=False
)
_Waiting = tuple[str, dt.datetime | None]
"""What waits, in words, with its deadline."""
_NEVER: Final = dt.datetime.max.replace(tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the viewer, and what waits for the viewer in it besides orders, in words.

    `until_at` is the first deadline of what waits, if any of it has a deadline of its own.
    """

    card: Card
    waiting: tuple[str, ...] = ()
    until_at: dt.datetime | None = None

    @property
    def is_your_turn(self) -> bool:
        """Whether the viewer has orders to give, or something else to answer or to read."""
        return self.card.invited or bool(self.waiting) or _owes_orders(self.card)


@dataclass(frozen=True, slots=True)
class Home:
    """The home page of one viewer: games in which it is the viewer's turn, the others, and lists.

    The game with the nearest deadline comes first.
    """

    turn: tuple[OwnGame, ...]
    rest: tuple[OwnGame, ...]
    lobby: GameLists


def read_home(viewer: Viewer) -> Home:
    """Return the viewer's games, and a few that need players or can be watched."""
    if viewer.user_id is None:
        return Home((), (), list_games(viewer, _VISITORS_LISTS))
    lobby = list_games(viewer, _LISTS)
    waiting = _list_waiting(viewer.user_id) if lobby.yours else {}
    games = [_build_own_game(card, waiting.get(card.slug, ())) for card in lobby.yours]
    turn = sorted((game for game in games if game.is_your_turn), key=_find_deadline)
    return Home(tuple(turn), tuple(game for game in games if not game.is_your_turn), lobby)


def _owes_orders(card: Card) -> bool:
    """Return whether orders are missing; a player who is ready owes none."""
    if not card.needs_you or card.owed is None:
        return card.needs_you and not card.saved
    # A player need not build.
    may_waive = card.owed.stage is Stage.ADJUSTMENTS and card.owed.number > 0
    return not (card.saved and (may_waive or card.owed.given >= abs(card.owed.number)))


def _build_own_game(card: Card, waiting: Sequence[_Waiting]) -> OwnGame:
    until_at = min((at for _, at in waiting if at is not None), default=None)
    return OwnGame(card, tuple(words for words, _ in waiting), until_at)


def _find_deadline(game: OwnGame) -> dt.datetime:
    card = game.card
    is_stopped = card.suspended or card.paused_until is not None
    deadlines = (game.until_at, None if is_stopped else card.due_at)
    return min((at for at in deadlines if at is not None), default=_NEVER)


def _list_waiting(user_id: int) -> dict[str, list[_Waiting]]:
    waiting: dict[str, list[_Waiting]] = defaultdict(list)
    for find in _list_finders():
        for slug, words, *until in find(user_id):
            waiting[slug].append((words, until[0] if until else None))
    return waiting


_Found = tuple[str, str] | tuple[str, str, dt.datetime | None]


@cache
def _list_finders() -> tuple[Callable[[int], Iterable[_Found]], ...]:
    return tuple(import_string(path) for path in settings.WAITING)
