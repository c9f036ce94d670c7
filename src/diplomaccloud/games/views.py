"""Pages of games: parse, one action or one read, answer.

A refused action raises `Refused`, which becomes a page in one place, `pages.middleware`.
"""

import secrets
import uuid
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.bots import BOTS
from diplomaccloud.games import actions, solo, viewpoint
from diplomaccloud.games.errors import NoSuchGame, Refused
from diplomaccloud.games.forms import GameForm, QuickForm
from diplomaccloud.games.htmx import wants_partial
from diplomaccloud.games.shown import GameView
from diplomaccloud.games.visitors import person_required
from diplomaccloud.maps.gallery import MapCard, map_card
from diplomaccloud.maps.library import UnknownMapError, find_chart, store_standard

_PAGES = {
    "forming": "games/forming.html",
    "running": "games/game.html",
    "finished": "games/end.html",
}


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the games to join, to watch, to look back on."""
    number = request.GET.get("page", "1")
    page = int(number) if number.isdecimal() and 0 < len(number) < 6 else 1
    view = viewpoint.lobby(viewpoint.viewer_of(request.user), page=page)
    return render(request, "games/lobby.html", {"lobby": view})


@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Begin a game against bots at once; a visitor signs up first and comes back here."""
    form = QuickForm(request.POST or request.GET)
    if not form.is_valid():
        raise Refused("There is no such map or bot.")
    wanted = form.cleaned_data["map"]
    if not isinstance(request.user, User):
        back = f"{reverse('games:quick')}?{urlencode({'map': wanted})}"
        return _see_other(f"{reverse('account_signup')}?{urlencode({'next': back})}")
    if request.method != "POST":
        return render(request, "games/quick.html", {"map": wanted, "bots": list(BOTS)})
    slug = solo.play_solo(
        user_id=request.user.pk,
        map_hash=_map_hash(wanted),
        bot=form.cleaned_data["bot"] or solo.DEFAULT_BOT,
        now=timezone.now(),
        seed=secrets.token_hex(16),
    )
    return _see_other(reverse("games:detail", args=[slug]))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Make a game on a map from the gallery."""
    if request.method == "POST":
        form = GameForm(request.POST)
        if form.is_valid():
            game = actions.create_game(
                plan=form.plan(),
                creator_id=_user_id(request),
                now=timezone.now(),
                slug=actions.random_text(10),
                code=actions.random_text(10),
                seed=secrets.token_hex(16),
            )
            return _see_other(reverse("games:detail", args=[game.slug]))
        chart, status = _card(request.POST.get("map", "")), 422
    else:
        chart, status = _card(request.GET.get("map", "")), 200
        form = GameForm(initial={"map": chart.hash, "world": chart.name} if chart else None)
    return render(request, "games/create.html", {"form": form, "chart": chart}, status=status)


@never_cache
@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the game as it is now."""
    return _game_page(request, slug, code=request.GET.get("code", ""))


@person_required
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a seat."""
    code = request.POST.get("code", "")
    actions.join_game(slug=slug, user_id=_user_id(request), now=timezone.now(), code=code)
    return _done(request, slug, "You have joined the game.")


@person_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the seat back."""
    actions.leave_game(slug=slug, user_id=_user_id(request), now=timezone.now())
    messages.success(request, "You have left the game.")
    return _see_other(reverse("games:lobby"))


@person_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the countries and open the first phase."""
    now = timezone.now()
    game = actions.start_game(slug=slug, user_id=_user_id(request), now=now)
    actions.advance(game_id=game.pk, owner=_owner(), now=now)
    return _done(request, slug, "The countries are drawn: the game has begun.")


@person_required
@require_POST
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Save orders, and with `ready` be ready too unless a line was refused."""
    sequence, now, user_id = _sequence(request), timezone.now(), _user_id(request)
    saved = actions.save_orders(
        slug=slug,
        user_id=user_id,
        sequence=sequence,
        choices=request.POST.getlist("order"),
        sheet=request.POST.get("sheet", ""),
        now=now,
    )
    if not saved.problems and request.POST.get("ready") == "1":
        _be_ready(slug, user_id, sequence)
    if not saved.problems and not wants_partial(request):
        return _done(request, slug, "Your orders are saved.")
    response = _game_page(
        request,
        slug,
        status=422 if saved.problems else 200,
        saved=tuple(str(order) for order in saved.orders),
        problems=saved.problems,
        sheet="\n".join(problem.text for problem in saved.problems),
    )
    if saved.problems:
        response.refused = "; ".join(problem.message for problem in saved.problems)  # type: ignore[attr-defined]
    return response


@person_required
@require_POST
def sketch(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw orders that are not saved."""
    drawn = viewpoint.sketch(
        slug,
        viewpoint.viewer_of(request.user),
        choices=request.POST.getlist("order"),
        sheet=request.POST.get("sheet", ""),
    )
    return HttpResponse(drawn)


@person_required
@require_POST
def ready(request: HttpRequest, slug: str) -> HttpResponse:
    """Set or take back the ready flag; the last one to be ready sees the result at once."""
    sequence, user_id = _sequence(request), _user_id(request)
    if request.POST.get("ready") == "1":
        _be_ready(slug, user_id, sequence)
    else:
        actions.unset_ready(slug=slug, user_id=user_id, sequence=sequence, now=timezone.now())
    if wants_partial(request):
        return _game_page(request, slug)
    return _see_other(reverse("games:detail", args=[slug]))


@person_required
@require_POST
def country(request: HttpRequest, slug: str) -> HttpResponse:
    """Name one's country."""
    name = request.POST.get("country", "")
    actions.name_country(slug=slug, user_id=_user_id(request), country=name, now=timezone.now())
    return _done(request, slug, "Your country has its name.")


@never_cache
@require_safe
def phase(request: HttpRequest, slug: str, sequence: int) -> HttpResponse:
    """Show a processed phase with everybody's orders and what became of them."""
    view, report = viewpoint.phase_view(slug, viewpoint.viewer_of(request.user), sequence)
    template = "games/_phase.html" if wants_partial(request) else "games/phase.html"
    return render(request, template, {"view": view, "report": report, "now": timezone.now()})


@never_cache
@require_safe
def centers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show rankings and who owned which center when."""
    view, owned = viewpoint.centers_view(slug, viewpoint.viewer_of(request.user))
    context = {"view": view, "centers": owned, "now": timezone.now()}
    return render(request, "games/centers.html", context)


@never_cache
@require_safe
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell a page that cannot listen whether anything has changed."""
    return JsonResponse(viewpoint.state_of(slug, viewpoint.viewer_of(request.user)))


def _be_ready(slug: str, user_id: int, sequence: int) -> None:
    now = timezone.now()
    due = actions.set_ready(slug=slug, user_id=user_id, sequence=sequence, now=now)
    if due is not None:
        actions.advance(game_id=due, owner=_owner(), now=now)


def _game_page(
    request: HttpRequest, slug: str, *, code: str = "", status: int = 200, **extra: object
) -> HttpResponse:
    view = viewpoint.game_view(slug, viewpoint.viewer_of(request.user), code=code)
    template = _PAGES[view.header.status]
    if wants_partial(request):
        if view.header.status != "running":
            return HttpResponse(headers={"HX-Redirect": view.header.url})
        template = "games/_play.html"
    return render(request, template, _context(view, **extra), status=status)


def _context(view: GameView, **extra: object) -> dict[str, object]:
    return {"view": view, "now": timezone.now(), "problems": (), "saved": (), "sheet": "", **extra}


def _done(request: HttpRequest, slug: str, message: str) -> HttpResponse:
    messages.success(request, message)
    return _see_other(reverse("games:detail", args=[slug]))


def _see_other(url: str) -> HttpResponse:
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def _sequence(request: HttpRequest) -> int:
    text = request.POST.get("phase", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise Refused("The form does not say which phase it is for. Reload the page.")
    return int(text)


def _user_id(request: HttpRequest) -> int:
    if not isinstance(request.user, User):
        raise NoSuchGame
    return request.user.pk


def _owner() -> str:
    return f"web {uuid.uuid4().hex[:12]}"


def _map_hash(wanted: str) -> str:
    if wanted == "standard":
        return store_standard(now=timezone.now())
    if wanted == "new":
        return solo.new_map(now=timezone.now())
    try:
        find_chart(wanted)
    except UnknownMapError as error:
        raise Refused("This map is not in the gallery.") from error
    return wanted


def _card(content_hash: str) -> MapCard | None:
    try:
        return map_card(content_hash)
    except UnknownMapError:
        return None
