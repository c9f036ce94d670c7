"""The first page, and what it tells machines."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from diplomaccloud.games import viewpoint

_SHOWN = 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show your games, open games, and the way to a game against bots."""
    viewer = viewpoint.viewer_of(request.user)
    return render(request, "pages/home.html", {"lobby": viewpoint.lobby(viewer, size=_SHOWN)})


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Ask crawlers to leave alone what is made anew for each who asks."""
    return HttpResponse("User-agent: *\nDisallow: /maps/test/\n", content_type="text/plain")
