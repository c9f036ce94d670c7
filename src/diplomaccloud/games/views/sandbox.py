"""Phases of a game in the sandbox, where anyone who may see them can try other orders."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.presenters.sandbox import build_sandbox_url
from diplomaccloud.games.views.responses import read_game


@never_cache
@require_safe
def sandbox(request: HttpRequest, slug: str, sequence: int | None = None) -> HttpResponse:
    """Open the position now, or a processed phase with its orders, in the sandbox of its map."""
    return HttpResponseRedirect(build_sandbox_url(read_game(request, slug), sequence))
