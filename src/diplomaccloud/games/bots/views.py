"""Asking a bot for a hint."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.bots import actions
from diplomaccloud.games.table.forms import PhaseForm
from diplomaccloud.games.table.views import game_login_required, game_page
from diplomaccloud.shared.responses import see_other


@game_login_required
@require_POST
def hint(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask what a General would order."""
    actions.ask_hint(**PhaseForm.read(request).action(request, slug))
    if HtmxDetails(request):
        return game_page(request, slug)
    return see_other(reverse("games:detail", args=[slug]))
