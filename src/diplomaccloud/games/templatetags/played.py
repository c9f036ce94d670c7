"""A section for the page of a map, which may not read games itself: those played on it."""

from django import template
from django.contrib.auth.models import AnonymousUser

from diplomaccloud.accounts.models import User
from diplomaccloud.games import viewpoint
from diplomaccloud.games.shown import GameCard

register = template.Library()


@register.inclusion_tag("games/_played.html", takes_context=True)
def games_on(context: template.Context, map_hash: str) -> dict[str, tuple[GameCard, ...]]:
    """Return the newest games on a map that the person who looks may see."""
    user = context.get("user")
    viewer = viewpoint.viewer_of(user if isinstance(user, User) else AnonymousUser())
    return {"games": viewpoint.games_on(map_hash, viewer)}
