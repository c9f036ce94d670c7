"""The pages with the centers and statistics of a game."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.page.page import present_summary
from diplomaccloud.games.page.responses import read_game
from diplomaccloud.games.results.forms import OwnerYearForm
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.statistics.page import present_centers, present_statistics


@never_cache
@require_safe
def centers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show rankings, and who owned which supply center when."""
    reader = read_game(request, slug)
    seats = present_seats(reader)
    until = OwnerYearForm(request.GET).until()
    view, owned = present_summary(reader, seats), present_centers(reader, seats, until)
    return render(request, "games/statistics/centers.html", {"view": view, "centers": owned})


@never_cache
@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the statistics of the game."""
    reader = read_game(request, slug)
    seats = present_seats(reader)
    view, figures = present_summary(reader, seats), present_statistics(reader, seats)
    return render(request, "games/statistics/statistics.html", {"view": view, "figures": figures})
