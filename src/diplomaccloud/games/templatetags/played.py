"""Sections that a page asks for itself: games played on a map, the chart of a game's centers."""

from django import template
from django.contrib.auth.models import AnonymousUser

from diplomaccloud.accounts.models import User
from diplomaccloud.games import viewpoint
from diplomaccloud.games.presenters.game_page import GameCard
from diplomaccloud.games.presenters.line_chart import Plot

register = template.Library()


@register.inclusion_tag("games/_played.html", takes_context=True)
def games_on(context: template.Context, map_hash: str) -> dict[str, tuple[GameCard, ...]]:
    """Return the newest games on a map that the person who looks may see."""
    return {"games": viewpoint.games_on(map_hash, _viewer(context))}


@register.inclusion_tag("games/_centers_plot.html", takes_context=True)
def centers_plot(context: template.Context, slug: str) -> dict[str, Plot]:
    """Return the chart of a game's centers through the years, for whoever may see the game."""
    return {"plot": viewpoint.centers_plot(slug, _viewer(context))}


def _viewer(context: template.Context) -> viewpoint.Viewer:
    user = context.get("user")
    return viewpoint.viewer_of(user if isinstance(user, User) else AnonymousUser())
