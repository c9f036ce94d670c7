"""The featured game as a card, or a turn of a demo game in its place."""

import datetime as dt
from dataclasses import dataclass

from django.templatetags.static import static
from django.urls import reverse

from diplomaccloud.games.featured.read import read_featured_game
from diplomaccloud.games.hall.page import CardPicture, CardView, present_card
from diplomaccloud.games.hall.wording import describe_turn
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.sandbox.moving_picture import SECONDS


@dataclass(frozen=True, slots=True)
class FeaturedView:
    """The featured game, or without a `card` a demo game.

    `picture` is still, and `turn` moves for `seconds`; it is the turn called `badge`.
    `follows` is None for a viewer who cannot follow the game.
    """

    card: CardView | None
    badge: str
    picture: CardPicture | None
    turn: CardPicture
    seconds: int = SECONDS
    follows: bool | None = None


DEMO_TURN = "Fall 1905"


def present_featured_game(viewer: Viewer, now: dt.datetime) -> FeaturedView:
    """Return the featured game at the time `now`, or a demo game if there is none."""
    featured = read_featured_game(viewer)
    if featured is None:
        return FeaturedView(None, DEMO_TURN, _find_demo("webp"), _find_demo("svg"))
    card = present_card(featured.card, now)
    light, dark = (
        reverse("games:featured-turn", args=[featured.turn, theme]) for theme in ("light", "dark")
    )
    turn = CardPicture(light, dark)
    badge = describe_turn(featured.phase)
    return FeaturedView(card, badge, card.picture, turn, follows=featured.follows)


def _find_demo(kind: str) -> CardPicture:
    light, dark = (static(f"games/featured/demo-{theme}.{kind}") for theme in ("light", "dark"))
    return CardPicture(light, dark)
