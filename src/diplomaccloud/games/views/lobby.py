"""Finding a game, making one, joining, leaving, starting."""

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
from diplomaccloud.games.forms.create_game import GameForm, QuickForm
from diplomaccloud.games.forms.create_game_mapping import initial_of
from diplomaccloud.games.options.presets import GAME_PRESETS, USUAL
from diplomaccloud.games.views.decorators import person_required
from diplomaccloud.games.views.responses import (
    done,
    gone,
    key_in,
    owner,
    page_of,
    see_other,
    user_id_of,
)
from diplomaccloud.maps.gallery import MapCard, build_map_card
from diplomaccloud.maps.library import UnknownMapError, find_chart, standard_hash, store_standard
from diplomaccloud.schedule import Schedule, describe_schedule, zone_names

_ASKED = "asked to play"
"""In a visitor's session: the map of the game against bots that begins after signing up."""


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the games to join, to watch, to look back on."""
    viewer = viewpoint.viewer_of(request.user)
    view = viewpoint.lobby(viewer, page=max(1, page_of(request)))
    context = {"lobby": view, "vacancies": viewpoint.vacancies(viewer)}
    return render(request, "games/lobby.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Begin a game against bots at once; a visitor signs up first and comes back here.

    Whoever comes back so has asked already, and is not asked again.
    """
    form = QuickForm(request.POST or request.GET)
    if not form.is_valid():
        raise Refused("There is no such map or bot.")
    wanted = form.cleaned_data["map"]
    if not isinstance(request.user, User):
        request.session[_ASKED] = wanted
        back = f"{reverse('games:quick')}?{urlencode({'map': wanted})}"
        return see_other(f"{reverse('account_signup')}?{urlencode({'next': back})}")
    asked = request.method == "GET" and request.session.pop(_ASKED, None) == wanted
    if request.method != "POST" and not asked:
        return render(request, "games/quick.html", {"map": wanted, "bots": list(BOTS)})
    slug = quick_game.play_solo(
        user_id=request.user.pk,
        map_hash=_map_hash(wanted),
        bot=form.cleaned_data["bot"] or quick_game.DEFAULT_BOT,
        now=timezone.now(),
        seed=secrets.token_hex(16),
    )
    return see_other(reverse("games:detail", args=[slug]))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Make a game on a map from the gallery; `check` only says what was chosen."""
    if request.method != "POST":
        chart = _card(request.GET.get("map", ""))
        preset = GAME_PRESETS.get(request.GET.get("preset", ""), USUAL)
        world = request.GET.get("world", "")[:40]
        given = {"map": chart.hash, "world": world or chart.name} if chart else {}
        form = GameForm(initial={**initial_of(preset), **given}, setup_names=_setups_on(chart))
        return _create_page(request, form, chart, preset.options.schedule)
    chart = _card(request.POST.get("map", ""))
    faults = partial(actions.plan_faults, now=timezone.now())
    form = GameForm(request.POST, setup_names=_setups_on(chart), faults=faults)
    valid = form.is_valid()
    if valid and "check" not in request.POST:
        try:
            return _make(request, form)
        except Refused as error:
            form.add_error(None, str(error))
    schedule = form.cleaned_data.get("schedule")
    return _create_page(request, form, chart, schedule, status=200 if form.is_valid() else 422)


@login_required
@require_POST
def summary(request: HttpRequest) -> HttpResponse:
    """Say the schedule that a form half filled in would give, in plain words."""
    chart = _card(request.POST.get("map", ""))
    form = GameForm(request.POST, setup_names=_setups_on(chart))
    form.is_valid()
    context = {"form": form, "schedule_words": _words(form.cleaned_data.get("schedule"))}
    return render(request, "games/_summary.html", context)


def _make(request: HttpRequest, form: GameForm) -> HttpResponse:
    game = actions.create_game(
        plan=form.plan(),
        creator_id=user_id_of(request),
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
        "schedule_words": _words(schedule),
    }
    return render(request, "games/create.html", context, status=status)


def _words(schedule: Schedule | None) -> str:
    return describe_schedule(schedule) if schedule else ""


def _setups_on(chart: MapCard | None) -> tuple[str, ...]:
    """Return the setups that a game on the map can begin with: all of Europe's on the standard."""
    if chart is None or chart.hash != standard_hash():
        return ()
    return tuple(setup_charts())


@person_required
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a seat."""
    code, person = request.POST.get("code", ""), user_id_of(request)
    seat = actions.join_game(slug=slug, user_id=person, now=timezone.now, code=code)
    if seat.power:
        actions.advance(game_id=seat.game_id, owner=owner(), now=timezone.now)
        return done(request, slug, "You took the last seat: the game has begun.")
    return done(request, slug, "You have joined the game.")


@person_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the seat back."""
    actions.leave_game(slug=slug, user_id=user_id_of(request), now=timezone.now())
    return gone(request)


@person_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the countries and open the first phase."""
    game = actions.start_game(slug=slug, user_id=user_id_of(request), now=timezone.now)
    actions.advance(game_id=game.pk, owner=owner(), now=timezone.now)
    return done(request, slug, "The countries are drawn: the game has begun.")


@person_required
@require_POST
def country(request: HttpRequest, slug: str) -> HttpResponse:
    """Name one's country."""
    name = request.POST.get("country", "")
    actions.name_country(slug=slug, user_id=user_id_of(request), country=name, now=timezone.now())
    return done(request, slug, "Your country has its name.")


@person_required
@require_POST
def color(request: HttpRequest, slug: str) -> HttpResponse:
    """Give one of one's countries another color."""
    ink, power = request.POST.get("color", ""), request.POST.get("power", "")
    actions.color_country(
        slug=slug, user_id=user_id_of(request), power=power, color=ink, now=timezone.now()
    )
    return done(request, slug, "Your country has its color.")


@person_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a person by screen name."""
    name, now = request.POST.get("name", ""), timezone.now()
    try:
        invited = actions.invite(slug=slug, user_id=user_id_of(request), name=name, now=now)
    except NoSuchPlayer as error:
        messages.error(request, str(error))
        return see_other(reverse("games:detail", args=[slug]))
    return done(request, slug, f"{invited.user.screen_name} is invited.")


@person_required
@require_POST
def uninvite(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an invitation back."""
    actions.withdraw_invitation(
        slug=slug,
        user_id=user_id_of(request),
        invited_id=key_in(request, "user"),
        now=timezone.now(),
    )
    return done(request, slug, "The invitation is withdrawn.")


@person_required
@require_POST
def dismiss(request: HttpRequest, slug: str) -> HttpResponse:
    """Free the seat of somebody who joined, before the start."""
    actions.dismiss(
        slug=slug,
        user_id=user_id_of(request),
        seat_id=key_in(request, "seat"),
        now=timezone.now(),
    )
    return done(request, slug, "The seat is free again.")


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
