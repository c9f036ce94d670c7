"""The pages with the centers and statistics of a game."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.results.page import draw_position
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.statistics.actions import store_tallies
from diplomaccloud.games.statistics.page import present_centers, present_statistics
from diplomaccloud.games.table.options import MAX_YEAR
from diplomaccloud.games.table.views import read_game, show_page


class OwnerYearForm(forms.Form):
    """The last year of the table of owners; an invalid value is ignored."""

    last = forms.IntegerField(min_value=1, max_value=MAX_YEAR)


@never_cache
@require_safe
def centers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show rankings, and who owned which supply center when."""
    reader = read_game(request, slug)
    form = OwnerYearForm(request.GET)
    until = form.cleaned_data["last"] if form.is_valid() else None
    owned = present_centers(reader, present_seats(reader), until)
    shown = {"centers": owned, "overlay": draw_position(reader, reader.position, ())}
    return show_page(request, reader, "games/statistics/centers.html", shown)


@never_cache
@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the statistics of the game."""
    reader = read_game(request, slug)
    figures = present_statistics(reader, present_seats(reader))
    if figures.uncounted:
        store_tallies(slug=slug, tallies=figures.uncounted)
    return show_page(request, reader, "games/statistics/statistics.html", {"figures": figures})
