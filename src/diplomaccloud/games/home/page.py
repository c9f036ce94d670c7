"""The home page as its template shows it."""

import datetime as dt
from dataclasses import dataclass, replace

from diplomaccloud.games.hall.page import CardView, present_card
from diplomaccloud.games.home.read import Home, OwnGame
from diplomaccloud.games.lobby.read import Status


@dataclass(frozen=True, slots=True)
class HomeView:
    """Cards of the viewer's games, and of a few others."""

    turn: tuple[CardView, ...]
    rest: tuple[CardView, ...]
    open: tuple[CardView, ...]
    running: tuple[CardView, ...]


def present_home(home: Home, now: dt.datetime) -> HomeView:
    """Return the cards of the home page at the time `now`."""
    forming, running = (
        home.lobby.others[status].games for status in (Status.FORMING, Status.RUNNING)
    )
    return HomeView(
        turn=tuple(_present_own(game, now) for game in home.turn),
        rest=tuple(_present_own(game, now) for game in home.rest),
        open=tuple(present_card(card, now) for card in forming),
        running=tuple(present_card(card, now) for card in running),
    )


def _present_own(game: OwnGame, now: dt.datetime) -> CardView:
    view = present_card(game.card, now)
    return replace(view, marks=(*view.marks, *game.waiting))
