"""The home page and `robots.txt`."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from diplomaccloud.games.lobby.page import present_lobby
from diplomaccloud.games.lobby.read import ListQuery, Status, list_games
from diplomaccloud.games.visibility.read import viewer_of

_LISTS = ListQuery(statuses=(Status.FORMING, Status.RUNNING), size=6, vacant=False)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the user's games, open games, and buttons to start a game against bots."""
    viewer = viewer_of(request.user)
    lobby = present_lobby(list_games(viewer, _LISTS))
    return render(request, "pages/home.html", {"lobby": lobby})


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Ask crawlers to skip pages that make a new map or board for each request."""
    return HttpResponse(
        "User-agent: *\nDisallow: /maps/test/\nDisallow: /games/play/\n", content_type="text/plain"
    )
