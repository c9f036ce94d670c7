"""The ledger of a game: who kept which deal, after every phase."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.page.page import present_frame
from diplomaccloud.press.conversations.views import read_desk
from diplomaccloud.press.ledger.page import present_ledger


@never_cache
@require_safe
def show_ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the deals that the viewer can read and who kept them."""
    desk = read_desk(request, slug)
    view, ledger = present_frame(desk.reader), present_ledger(desk)
    context = {"view": view, "ledger": ledger, "press": desk.press}
    return render(request, "press/ledger/ledger.html", context)
