"""Leaving a running game, and taking over a seat that somebody left."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.views.decorators import person_required
from diplomaccloud.games.views.late import in_time
from diplomaccloud.games.views.responses import act_of, done, gone, owner, see_other, user_id_of


@never_cache
@person_required
@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a running game, once asked whether one is sure."""
    if request.method != "POST":
        view = viewpoint.plain_view(slug, viewpoint.viewer_of(request.user))
        if not view.life.can_resign:
            raise NoSuchGame
        return render(request, "games/resign.html", {"view": view})
    game_id = actions.resign(slug=slug, user_id=user_id_of(request), now=timezone.now)
    if game_id is not None:
        actions.advance(game_id=game_id, owner=owner(), now=timezone.now)
    return gone(request)


@never_cache
@require_safe
def code(request: HttpRequest) -> HttpResponse:
    """Lead whoever brings the code of a private game to it."""
    viewer = viewpoint.viewer_of(request.user)
    return see_other(viewpoint.way_in(request.GET.get("code", ""), viewer))


@person_required
@require_POST
def take(request: HttpRequest, slug: str) -> HttpResponse:
    """Take over a vacant seat."""
    actions.take_seat(
        slug=slug,
        user_id=user_id_of(request),
        power=request.POST.get("power", ""),
        code=request.POST.get("code", ""),
        now=timezone.now,
    )
    return done(request, slug, "The country is yours now.")


@person_required
@require_POST
@in_time
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a vacant seat to a bot, which may end the phase."""
    game_id = actions.seat_bot(
        **act_of(request, slug),
        power=request.POST.get("power", ""),
        bot=request.POST.get("bot", ""),
        reason=request.POST.get("reason", ""),
    )
    actions.advance(game_id=game_id, owner=owner(), now=timezone.now)
    return done(request, slug, "A bot plays this country now.")
