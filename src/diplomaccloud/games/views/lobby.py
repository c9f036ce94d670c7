"""The lobby: lists of games, creating one, joining, leaving and starting it."""

import secrets
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import (
    HttpRequest,
    HttpResponse,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.standard.boards import setup_charts
from diplomaccloud.bots import BOTS
from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.actions.lobby import quick_game
from diplomaccloud.games.errors import NoSuchPlayer, Refused
from diplomaccloud.games.forms.base import require_user_id
from diplomaccloud.games.forms.create_game import GameForm
from diplomaccloud.games.forms.create_game_mapping import initial_values
from diplomaccloud.games.forms.lobby import (
    ColorForm,
    CountryForm,
    DismissForm,
    InvitationForm,
    JoinForm,
    LobbyForm,
    QuickGameForm,
    WithdrawInvitationForm,
)
from diplomaccloud.games.options.presets import GAME_PRESETS, USUAL
from diplomaccloud.games.presenters.lobby import present_lobby
from diplomaccloud.games.presenters.seats import present_offers
from diplomaccloud.games.viewpoint.lobby import list_games
from diplomaccloud.games.views.decorators import game_login_required
from diplomaccloud.games.views.responses import (
    lease_owner,
    redirect_to_lobby,
    redirect_with_message,
    see_other,
)
from diplomaccloud.maps.gallery import MapCard, build_map_card
from diplomaccloud.maps.library import UnknownMapError, find_chart, standard_hash, store_standard
from diplomaccloud.schedule import Schedule, describe_schedule, zone_names


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the games to join, to watch and to look back on."""
    query = LobbyForm(request.GET).query()
    lists = list_games(viewpoint.viewer_of(request.user), query)
    only = "" if query.own else query.statuses[0].value
    context = {
        "lobby": present_lobby(lists, only=only),
        "vacancies": present_offers(lists.vacant),
    }
    return render(request, "games/lobby/lobby.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Start a game against bots now; visitors and guests see its board first."""
    form = QuickGameForm(request.POST or request.GET)
    if not form.is_valid():
        raise Refused("Choose a map and a bot from the list.")
    wanted, bot = form.cleaned_data["map"], form.cleaned_data["bot"] or quick_game.DEFAULT_BOT
    if not isinstance(request.user, User) or request.user.guest:
        return see_other(f"{reverse('games:new-game')}?{urlencode({'map': wanted, 'bot': bot})}")
    if request.method != "POST":
        return render(request, "games/lobby/quick.html", {"map": wanted, "bots": list(BOTS)})
    slug = quick_game.play_solo(
        user_id=request.user.pk,
        map_hash=_map_hash(wanted),
        bot=bot,
        now=timezone.now(),
        seed=secrets.token_hex(16),
    )
    return see_other(reverse("games:detail", args=[slug]))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Create a game on a map from the gallery; the `check` button only validates the form."""
    if request.method != "POST":
        chart = _card(request.GET.get("map", ""))
        preset = GAME_PRESETS.get(request.GET.get("preset", ""), USUAL)
        world = request.GET.get("world", "")[:40]
        given = {"map": chart.hash, "world": world or chart.name} if chart else {}
        form = GameForm(
            initial={**initial_values(preset), **given}, setup_names=_setup_names(chart)
        )
        return _create_page(request, form, chart, preset.options.schedule)
    chart = _card(request.POST.get("map", ""))
    faults = partial(actions.plan_faults, now=timezone.now())
    form = GameForm(request.POST, setup_names=_setup_names(chart), faults=faults)
    valid = form.is_valid()
    if valid and "check" not in request.POST:
        try:
            return _create_game(request, form)
        except Refused as error:
            form.add_error(None, str(error))
    schedule = form.cleaned_data.get("schedule")
    return _create_page(request, form, chart, schedule, status=200 if form.is_valid() else 422)


@login_required
@require_POST
def summary(request: HttpRequest) -> HttpResponse:
    """Describe the schedule that a partly filled form would give."""
    chart = _card(request.POST.get("map", ""))
    form = GameForm(request.POST, setup_names=_setup_names(chart))
    form.is_valid()
    context = {"form": form, "schedule_words": _describe(form.cleaned_data.get("schedule"))}
    return render(request, "games/lobby/_schedule.html", context)


def _create_game(request: HttpRequest, form: GameForm) -> HttpResponse:
    game = actions.create_game(
        plan=form.plan(),
        creator_id=require_user_id(request),
        now=timezone.now(),
        slug=actions.random_text(10),
        code=actions.random_text(10),
        seed=secrets.token_hex(16),
    )
    return see_other(reverse("games:detail", args=[game.slug]))


def _create_page(
    request: HttpRequest,
    form: GameForm,
    chart: MapCard | None,
    schedule: Schedule | None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "chart": chart,
        "presets": [USUAL, *GAME_PRESETS.values()],
        "preset": str(form["preset"].value() or ""),
        "zones": zone_names(),
        "schedule_words": _describe(schedule),
    }
    return render(request, "games/lobby/create.html", context, status=status)


def _describe(schedule: Schedule | None) -> str:
    return describe_schedule(schedule) if schedule else ""


def _setup_names(chart: MapCard | None) -> tuple[str, ...]:
    """Return the setups for a game on the map; only the standard map has any."""
    if chart is None or chart.hash != standard_hash():
        return ()
    return tuple(setup_charts())


@game_login_required
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a free seat; the last one may start the game."""
    code, user_id = JoinForm.read(request).cleaned_data["code"], require_user_id(request)
    seat = actions.join_game(slug=slug, user_id=user_id, now=timezone.now, code=code)
    if seat.power:
        actions.advance(game_id=seat.game_id, owner=lease_owner(), now=timezone.now)
        return redirect_with_message(request, slug, "You took the last seat. The game has started.")
    return redirect_with_message(request, slug, "You have joined the game.")


@game_login_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a game that has not started."""
    actions.leave_game(slug=slug, user_id=require_user_id(request), now=timezone.now())
    return redirect_to_lobby(request)


@game_login_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Assign the countries and open the first phase."""
    game = actions.start_game(slug=slug, user_id=require_user_id(request), now=timezone.now)
    actions.advance(game_id=game.pk, owner=lease_owner(), now=timezone.now)
    return redirect_with_message(request, slug, "Countries assigned; the game has started.")


@game_login_required
@require_POST
def country(request: HttpRequest, slug: str) -> HttpResponse:
    """Name the player's country."""
    name = CountryForm.read(request).cleaned_data["country"]
    user_id = require_user_id(request)
    actions.name_country(slug=slug, user_id=user_id, country=name, now=timezone.now())
    return redirect_with_message(request, slug, "Country renamed.")


@game_login_required
@require_POST
def color(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the color of one of the player's countries."""
    form = ColorForm.read(request)
    actions.color_country(
        slug=slug,
        user_id=require_user_id(request),
        power=form.cleaned_data["power"],
        color=form.cleaned_data["color"],
        now=timezone.now(),
    )
    return redirect_with_message(request, slug, "Color changed.")


@game_login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a person by screen name."""
    name, user_id = InvitationForm.read(request).cleaned_data["name"], require_user_id(request)
    try:
        invitation = actions.invite(slug=slug, user_id=user_id, name=name, now=timezone.now())
    except NoSuchPlayer as error:
        messages.error(request, str(error))
        return see_other(reverse("games:detail", args=[slug]))
    return redirect_with_message(request, slug, f"{invitation.user.screen_name} is invited.")


@game_login_required
@require_POST
def uninvite(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw an invitation."""
    actions.withdraw_invitation(
        slug=slug,
        user_id=require_user_id(request),
        invited_id=WithdrawInvitationForm.read(request).cleaned_data["user"],
        now=timezone.now(),
    )
    return redirect_with_message(request, slug, "Invitation withdrawn.")


@game_login_required
@require_POST
def dismiss(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove a player before the game starts."""
    actions.dismiss(
        slug=slug,
        user_id=require_user_id(request),
        seat_id=DismissForm.read(request).cleaned_data["seat"],
        now=timezone.now(),
    )
    return redirect_with_message(request, slug, "Player removed. The seat is free again.")


def _map_hash(wanted: str) -> str:
    if wanted == "standard":
        return store_standard(now=timezone.now())
    if wanted == "new":
        return quick_game.new_map(now=timezone.now())
    try:
        find_chart(wanted)
    except UnknownMapError as error:
        raise Refused("This map is not in the gallery.") from error
    return wanted


def _card(content_hash: str) -> MapCard | None:
    try:
        return build_map_card(content_hash)
    except UnknownMapError:
        return None
