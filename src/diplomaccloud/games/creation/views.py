"""The page that creates a game: its map, who plays, how fast, its name, and everything else."""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.setups import setup_charts
from diplomaccloud.bots.seats import BEGINNERS_BOT, USUAL_BOT
from diplomaccloud.games.creation import actions
from diplomaccloud.games.creation.forms import CUSTOM, GameForm, QuickGameForm, Who, initial_values
from diplomaccloud.games.creation.presets import (
    GAME_PRESETS,
    SPEEDS,
    USUAL,
    USUAL_SPEED,
    GamePlan,
    OptionFault,
)
from diplomaccloud.games.lobby.page import FIRST_CHOICE, present_opponents
from diplomaccloud.games.lobby.read import Twin, find_twin
from diplomaccloud.games.table.errors import BadValue, Refused
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.options import suggest_name, suggest_names
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.maps.gallery import MapCard, build_map_card
from diplomaccloud.maps.library import UnknownMapError, find_chart, standard_hash, store_standard
from diplomaccloud.maps.previews import store_preview
from diplomaccloud.schedule import Schedule, describe_schedule, zone_names
from diplomaccloud.shared.responses import see_other

_NAMES = 6
"""How many names the page suggests, one after the other."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Create a game; the `check` button only validates the form.

    If only `new_world` is posted, the key of a new world, show the form for a game on it.
    """
    if request.method != "POST":
        return _show_new_form(request)
    if new_world := request.POST.get("new_world"):
        query = urlencode({"map": _admit_new_world(new_world)})
        return see_other(f"{request.path}?{query}")
    chosen = request.POST.get("map", "")
    form = _read_form(request, partial(actions.plan_faults, now=timezone.now()))
    if form.is_valid() and "check" not in request.POST:
        try:
            if twin := _find_twin(request, form):
                schedule = form.cleaned_data.get("schedule")
                return _create_page(request, form, chosen, schedule, twin=twin)
            return _create_game(request, form)
        except Refused as error:
            name = error.name.rpartition(".")[2] if isinstance(error, BadValue) else None
            form.add_error(name if name in form.fields else None, str(error))
    status = 200 if form.is_valid() else 422
    return _create_page(request, form, chosen, form.cleaned_data.get("schedule"), status=status)


@login_required
@require_POST
def summary(request: HttpRequest) -> HttpResponse:
    """Describe the schedule that a partly filled form would give."""
    form = _read_form(request)
    form.is_valid()
    schedule = form.cleaned_data.get("schedule")
    context = {"form": form, "schedule_words": describe_schedule(schedule) if schedule else ""}
    return render(request, "games/creation/_schedule.html", context)


def resolve_map(wanted: str) -> str:
    """Return the hash of a map: of the standard one, a new one, or one from the gallery."""
    if wanted == "standard":
        return store_standard(now=timezone.now())
    if wanted == "new":
        return actions.new_map(now=timezone.now())
    try:
        find_chart(wanted)
    except UnknownMapError as error:
        raise Refused("This map is not in the gallery.") from error
    return wanted


def _admit_new_world(wanted: str) -> str:
    """Return the hash of the new world with the key `wanted`, now stored; else return `wanted`."""
    try:
        return store_preview(wanted, now=timezone.now())
    except UnknownMapError:
        return wanted


def _show_new_form(request: HttpRequest) -> HttpResponse:
    """Return the form with the values of a preset, or with the usual speed."""
    wanted, key = request.GET.get("map", ""), request.GET.get("preset")
    chart = _find_card(wanted)
    preset = GAME_PRESETS.get(key or "", USUAL)
    speed, who = key or USUAL_SPEED, Who.FRIENDS.value
    if key == Who.SOLO:
        speed, who = USUAL_SPEED, Who.SOLO.value
    elif key is not None and key not in SPEEDS:
        speed, who = CUSTOM, Who.ANYONE.value
    schedule = SPEEDS[speed].schedule if speed in SPEEDS else preset.options.schedule
    initial = {
        **initial_values(preset),
        "map": chart.hash if chart else "standard",
        "world": request.GET.get("world", "")[:40] or suggest_names(secrets.token_hex(8), 1)[0],
        "speed": speed,
        "who": who,
    }
    form = GameForm(initial=initial, setup_names=_setup_names(initial["map"]))
    return _create_page(request, form, str(initial["map"]), schedule)


def _read_form(
    request: HttpRequest, faults: Callable[[GamePlan], Iterable[OptionFault]] | None = None
) -> GameForm:
    names = _setup_names(request.POST.get("map", ""))
    return GameForm(request.POST, setup_names=names, faults=faults)


def _find_twin(request: HttpRequest, form: GameForm) -> Twin | None:
    """Return a waiting game to offer instead, unless the person wants another one anyway."""
    if form.is_solo or "anyway" in request.POST or form.cleaned_data["map"] == "new":
        return None
    plan = replace(form.plan(), map_hash=resolve_map(form.cleaned_data["map"]))
    if plan.private:
        return None
    plan = actions.choose_board(plan, now=timezone.now())
    return find_twin(
        viewer_of(request.user), map_hash=plan.map_hash, options=plan.options, rules=plan.rules
    )


def _create_game(request: HttpRequest, form: GameForm) -> HttpResponse:
    plan = replace(form.plan(), map_hash=resolve_map(form.cleaned_data["map"]))
    user_id, now, seed = require_user_id(request), timezone.now(), secrets.token_hex(16)
    if form.is_solo:
        solo = actions.make_solo(plan)
        slug = actions.play_solo(user_id=user_id, plan=solo, now=now, seed=seed)
        return see_other(reverse("games:detail", args=[slug]))
    game = actions.create_game(
        plan=plan,
        creator_id=user_id,
        now=now,
        slug=actions.random_text(10),
        code=actions.random_text(10),
        seed=seed,
    )
    return see_other(reverse("games:detail", args=[game.slug]))


def _create_page(
    request: HttpRequest,
    form: GameForm,
    chosen: str,
    schedule: Schedule | None,
    *,
    twin: Twin | None = None,
    status: int = 200,
) -> HttpResponse:
    card = _find_card(chosen)
    context = {
        "form": form,
        "twin": twin,
        "standard": _find_card(store_standard(now=timezone.now())),
        "chart": card if card and card.hash != standard_hash() else None,
        "map": str(form["map"].value() or ""),
        "people": list(Who),
        "who": str(form["who"].value() or ""),
        "opponents": present_opponents(form["opponents"].value() or FIRST_CHOICE),
        "fillers": present_opponents(_split(form["fill_with"].value())),
        "speeds": list(SPEEDS.values()),
        "speed": str(form["speed"].value() or CUSTOM),
        "presets": [preset for preset in GAME_PRESETS.values() if preset.key not in SPEEDS],
        "preset": str(form["preset"].value() or ""),
        "names": suggest_names(secrets.token_hex(8), _NAMES),
        "zones": zone_names(),
        "schedule_words": describe_schedule(schedule) if schedule else "",
    }
    return render(request, "games/creation/create.html", context, status=status)


def _split(chosen: object) -> list[str]:
    """Return the names of bots, from a form that was sent or from options."""
    if isinstance(chosen, str):
        return chosen.split(",") if chosen else []
    return list(chosen) if isinstance(chosen, list) else []


def _setup_names(chosen: object) -> tuple[str, ...]:
    """Return the setups for a game on the map; only the standard map has any."""
    return tuple(setup_charts()) if chosen in ("standard", standard_hash()) else ()


def _find_card(content_hash: str) -> MapCard | None:
    try:
        return build_map_card(content_hash)
    except UnknownMapError:
        return None


@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Start a game against bots now; visitors and guests see its board first."""
    form = QuickGameForm(request.POST or request.GET)
    if not form.is_valid():
        raise Refused("Choose a map and a bot from the list.")
    is_person = isinstance(request.user, User) and not request.user.guest
    usual = USUAL_BOT if is_person else BEGINNERS_BOT
    wanted, bot = form.cleaned_data["map"], form.cleaned_data["bot"] or usual
    asks = "choose" in request.GET and "bot" not in request.GET
    if request.method != "POST" and (is_person or asks):
        # Visitors and guests see the board next, and have hints.
        chosen = present_opponents(bot.split(","))
        context = {"map": wanted, "opponents": chosen, "ask_hints": is_person}
        return render(request, "games/creation/quick.html", context)
    if request.method == "POST":
        wanted = _admit_new_world(wanted)
    if not is_person:
        return see_other(f"{reverse('games:new-game')}?{urlencode({'map': wanted, 'bot': bot})}")
    seed = secrets.token_hex(16)
    slug = actions.play_solo(
        user_id=require_user_id(request),
        plan=actions.plan_solo(
            resolve_map(wanted), bot, name=suggest_name(seed), private=True, hints=form.has_hints
        ),
        now=timezone.now(),
        seed=seed,
    )
    return see_other(reverse("games:detail", args=[slug]))
