"""The home page as its template shows it."""

import datetime as dt
from dataclasses import dataclass, replace
from typing import Final

from diplomaccloud.games.featured.page import FeaturedView, present_featured_game
from diplomaccloud.games.hall.page import CardView, present_card
from diplomaccloud.games.home.read import Home, OwnGame
from diplomaccloud.games.lobby.read import Status
from diplomaccloud.games.next_game.page import NextGameBox, present_next_games
from diplomaccloud.games.ratings.read import Listed, list_best
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.visibility.read import Viewer

_BEST: Final = 3
"""How many of the best players the home page names."""


@dataclass(frozen=True, slots=True)
class HomeView:
    """Cards of the viewer's games and of others, the next games, and the best players.

    `running` leaves out the `featured` game.
    """

    turn: tuple[CardView, ...]
    rest: tuple[CardView, ...]
    open: tuple[CardView, ...]
    running: tuple[CardView, ...]
    featured: FeaturedView
    next_games: tuple[NextGameBox, ...]
    best: tuple[Listed, ...]


def present_home(home: Home, viewer: Viewer, now: dt.datetime) -> HomeView:
    """Return the cards of the home page at the time `now`."""
    forming, running = (
        home.lobby.others[status].games for status in (Status.FORMING, Status.RUNNING)
    )
    next_games = present_next_games(viewer)
    featured = present_featured_game(viewer, now)
    boxed = {box.offer.slug for box in next_games}
    boxed |= {featured.card.slug} if featured.card else set()
    return HomeView(
        turn=tuple(_present_own(game, now) for game in home.turn),
        rest=tuple(_present_own(game, now) for game in home.rest),
        open=tuple(
            present_card(card, now)
            for card in forming
            if card.slug not in boxed and not card.is_full
        ),
        running=tuple(present_card(card, now) for card in running if card.slug not in boxed),
        featured=featured,
        next_games=next_games,
        best=list_best(Kind.FULL, _BEST, viewer, now=now),
    )


def _present_own(game: OwnGame, now: dt.datetime) -> CardView:
    view = present_card(game.card, now)
    view = replace(view, marks=(*game.waiting, *view.marks))
    return view if game.until_at is None else replace(view, ends_at=game.until_at, is_due=True)
