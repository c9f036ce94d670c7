"""The map test page: a typed seed becomes a map at once, and may be kept."""

import secrets
import time

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.render.scene import view_box
from diplomaccloud.maps.bench import BENCH, BusyError, TooSlowError, Wish
from diplomaccloud.maps.drafts import Draft, draft_picture, find_draft, make_draft
from diplomaccloud.maps.forms import SEA, KeepForm, SeedForm
from diplomaccloud.maps.gallery import power_swatches
from diplomaccloud.maps.keeping import TooManyError, count_making, keep
from diplomaccloud.maps.library import UnknownMapError
from diplomaccloud.maps.pictures import starting_overlay
from diplomaccloud.maps.views import picture
from diplomaccloud.maps.workshop import NoMapError

_WORDS = ("amber", "harbour", "lantern", "marten", "north", "orchard", "raven", "sable", "thistle")


@require_http_methods(["GET", "HEAD", "POST"])
def test(request: HttpRequest) -> HttpResponse:
    """Make a map from a typed seed and show it at once; keep it when a name is posted.

    Anybody may look; who keeps a map is logged in.
    """
    if request.method == "POST":
        return _keep(request)
    if "seed" not in request.GET:
        BENCH.warm_up()
        return _page(request, SeedForm())
    given = request.GET.copy()
    given.setdefault("sea", str(SEA))
    form = SeedForm(given)
    return _shown(request, form) if form.is_valid() else _page(request, form)


@require_safe
def draft(_request: HttpRequest, key: str, theme: str) -> HttpResponse:
    """Send the bare map of a draft; it is there for a while only."""
    try:
        return picture(draft_picture(key, theme), "image/svg+xml", "private, max-age=3600")
    except UnknownMapError as error:
        raise Http404(str(error)) from error


def _shown(request: HttpRequest, form: SeedForm) -> HttpResponse:
    began = time.perf_counter()
    made, status = _made(request, form)
    if made is None:
        return _page(request, form, status=status)
    overlay = starting_overlay(made.chart)
    seconds = round(time.perf_counter() - began, 1)
    return _page(request, form, made=made, overlay=overlay, seconds=seconds)


@login_required
def _keep(request: HttpRequest) -> HttpResponse:
    form = KeepForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    made, status = _made(request, form)
    if made is None:
        return _page(request, form, status=status)
    name = form.cleaned_data["name"]
    try:
        key = keep(made.chart, name, user_id=_user(request).pk, now=timezone.now())
    except TooManyError as error:
        form.add_error("name", str(error))
        return _page(request, form, status=422)
    messages.success(request, f"{name} is in the gallery.")
    return redirect("maps:detail", key)


def _made(request: HttpRequest, form: SeedForm) -> tuple[Draft | None, int]:
    """Return the map of a valid form; or none, a note in the form and the status for it."""
    wish: Wish = form.wish()
    try:
        found = find_draft(wish)
        if found is None:
            address = get_adapter().get_client_ip(request)
            count_making(person=request.user.pk, address=address)
            found = make_draft(wish)
    except TooManyError as error:
        form.add_error(None, str(error))
        return None, 429
    except (BusyError, TooSlowError) as error:
        form.add_error(None, str(error))
        return None, 503
    except NoMapError as error:
        form.add_error("seed", str(error))
        return None, 422
    return found, 200


def _page(
    request: HttpRequest,
    form: SeedForm,
    *,
    made: Draft | None = None,
    status: int = 200,
    **extra: object,
) -> HttpResponse:
    surprise = f"{secrets.choice(_WORDS)} {secrets.randbelow(10_000)}"
    context: dict[str, object] = {"form": form, "surprise": surprise, **extra}
    if made is not None:
        board = made.chart.board
        width, height = (float(side) for side in view_box(made.chart).split()[2:])
        context |= {
            "made": made.chart,
            "powers": power_swatches(made.chart),
            "centers": len(board.centers),
            "picture": {
                "light_url": reverse("maps:draft", args=[made.key, "light"]),
                "dark_url": reverse("maps:draft", args=[made.key, "dark"]),
                "width": round(width),
                "height": round(height),
            },
        }
    return render(request, "maps/test.html", context, status=status)


def _user(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
