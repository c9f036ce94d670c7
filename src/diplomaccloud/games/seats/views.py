"""Resigning from a running game, and taking over vacant seats."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from diplomaccloud.games.seats import actions
from diplomaccloud.games.seats.forms import ResignForm
from diplomaccloud.games.seats.page import can_resign
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.views import (
    game_login_required,
    process_if_due,
    read_game,
    redirect_to_lobby,
    redirect_with_message,
    show_page,
)
from diplomaccloud.shared.responses import see_other


@never_cache
@game_login_required
@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for confirmation, then leave a running game."""
    if request.method != "POST":
        reader = read_game(request, slug)
        if not can_resign(reader):
            raise NoSuchGame
        return show_page(request, reader, "games/seats/resign.html")
    then, user_id = ResignForm.read(request).cleaned_data["then"], require_user_id(request)
    game_id = actions.resign(slug=slug, user_id=user_id, then=then, now=timezone.now)
    process_if_due(game_id)
    return redirect_to_lobby(request)


@game_login_required
@require_POST
def take_over(request: HttpRequest, slug: str) -> HttpResponse:
    """Take over a vacant seat."""
    actions.take_seat(
        slug=slug,
        user_id=require_user_id(request),
        power=request.POST.get("power", ""),
        code=request.POST.get("code", ""),
        now=timezone.now,
    )
    if request.POST.get("more_time") != "1":
        return redirect_with_message(request, slug, "You now play this country.")
    messages.success(request, "You now play this country. Ask for more time below.")
    address = reverse("games:detail", args=[slug])
    return see_other(f"{address}?{urlencode({'ask': 'extend'})}#votes-drawer")


@game_login_required
@require_POST
def country(request: HttpRequest, slug: str) -> HttpResponse:
    """Name the player's country."""
    name, user_id = request.POST.get("country", ""), require_user_id(request)
    actions.name_country(slug=slug, user_id=user_id, country=name, now=timezone.now())
    return redirect_with_message(request, slug, "Country renamed.")


@game_login_required
@require_POST
def color(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the color of one of the player's countries."""
    actions.color_country(
        slug=slug,
        user_id=require_user_id(request),
        power=request.POST.get("power", ""),
        color=request.POST.get("color", ""),
        now=timezone.now(),
    )
    return redirect_with_message(request, slug, "Color changed.")
