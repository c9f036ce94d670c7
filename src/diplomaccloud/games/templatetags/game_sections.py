"""Tags and filters for lists of games, and for the chart of a game's centers."""

from django import template
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.hall.page import CardView, present_card
from diplomaccloud.games.hall.read import Card
from diplomaccloud.games.lobby.read import list_games_on
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.statistics.page import Plot, present_centers
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer, viewer_of

register = template.Library()


@register.filter("card")
def find_card(game: Card) -> CardView:
    """Return a game of a list as `games/hall/_card.html` shows it."""
    return present_card(game, timezone.now())


@register.inclusion_tag("games/lobby/_games_on_map.html", takes_context=True)
def games_on(context: template.Context, map_hash: str) -> dict[str, tuple[Card, ...]]:
    """Return the newest games on a map that the viewer may see."""
    return {"games": list_games_on(map_hash, _viewer(context))}


@register.inclusion_tag("games/statistics/_centers_chart.html", takes_context=True)
def centers_plot(context: template.Context, slug: str) -> dict[str, Plot]:
    """Return the chart of a game's centers through the years."""
    reader = Reader(slug, _viewer(context))
    return {"plot": present_centers(reader, present_seats(reader)).plot}


def _viewer(context: template.Context) -> Viewer:
    user = context.get("user")
    return viewer_of(user if isinstance(user, User) else AnonymousUser())
