"""The page of a game, its picture for previews of links, and its state for pages that poll."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.page.page import present_state
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import game_page, read_game
from diplomaccloud.games.visibility.read import needs_code, viewer_of
from diplomaccloud.maps.pictures import load_position_picture
from diplomaccloud.maps.views import picture_response
from diplomaccloud.shared.responses import render_page

_PICTURE_CACHE = "public, max-age=300"


@never_cache
@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the game."""
    code, draft = request.GET.get("code", "").strip().lower(), request.GET.get("draft", "")
    try:
        response = game_page(request, slug, code=code, draft=draft)
    except NoSuchGame:
        if not needs_code(slug):
            raise
    else:
        if request.user.is_authenticated and not draft:
            response.headers["Offline-Copy"] = "allowed"
        return response
    # Probably a friend of a player who got the address without its code.
    context = {"slug": slug, "wrong": code}
    return render_page(request, "games/page/door.html", context, status=403, refused="no code")


@require_safe
def picture(_request: HttpRequest, slug: str) -> HttpResponse:
    """Send the board as everyone may see it, for previews of links."""
    reader = Reader(slug, viewer_of(AnonymousUser()))
    body = load_position_picture(reader.game.map_hash, reader.chart, reader.position)
    return picture_response(body, "image/png", _PICTURE_CACHE)


@never_cache
@require_safe
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the state of the game, for pages that poll for changes."""
    return JsonResponse(present_state(read_game(request, slug)))
