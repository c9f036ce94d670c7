"""The game master's console: each act with a reason that all players read."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.errors import Refused
from diplomaccloud.games.views.common import owner, see_other, sequence_of, user_id_of
from diplomaccloud.games.views.voting import length_in, question_in
from diplomaccloud.games.visitors import View, person_required

_LONGEST_KEY = 32


@never_cache
@person_required
@require_safe
def console(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the game master can do now."""
    view, master = viewpoint.master_view(slug, viewpoint.viewer_of(request.user))
    context = {"view": view, "master": master, "now": timezone.now()}
    return render(request, "games/master.html", context)


@never_cache
@person_required
@require_POST
def look(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what would come of the orders as they stand; the log tells that this was done."""
    now, reason = timezone.now(), request.POST.get("reason", "")
    found = actions.look_ahead(slug=slug, user_id=user_id_of(request), reason=reason, now=now)
    viewer = viewpoint.viewer_of(request.user)
    report = viewpoint.preview(slug, viewer, found)
    view, master = viewpoint.master_view(slug, viewer)
    context = {"view": view, "master": master, "report": report, "now": now}
    return render(request, "games/master.html", context)


def _time(request: HttpRequest, slug: str) -> str:
    actions.change_time(
        slug=slug,
        user_id=user_id_of(request),
        question=question_in(request),
        length=length_in(request),
        reason=request.POST.get("reason", ""),
        key=_key(request),
        now=timezone.now(),
        sequence=sequence_of(request),
    )
    return "The deadline has moved."


def _force(request: HttpRequest, slug: str) -> str:
    now, reason = timezone.now(), request.POST.get("reason", "")
    game_id = actions.force_phase(
        slug=slug,
        user_id=user_id_of(request),
        reason=reason,
        key=_key(request),
        now=now,
        sequence=sequence_of(request),
    )
    actions.advance(game_id=game_id, owner=owner(), now=now)
    return "The phase is ended."


def _remove(request: HttpRequest, slug: str) -> str:
    actions.remove_player(
        slug=slug,
        user_id=user_id_of(request),
        power=request.POST.get("power", ""),
        reason=request.POST.get("reason", ""),
        now=timezone.now(),
    )
    return "The player is removed. Orders saved for the country do not run."


def _reprimand(request: HttpRequest, slug: str) -> str:
    actions.reprimand(
        slug=slug,
        user_id=user_id_of(request),
        power=request.POST.get("power", ""),
        reason=request.POST.get("reason", ""),
        now=timezone.now(),
    )
    return "The reprimand stands in the log."


def _back(request: HttpRequest, slug: str) -> str:
    actions.roll_back(
        slug=slug,
        user_id=user_id_of(request),
        sequence=sequence_of(request),
        reason=request.POST.get("reason", ""),
        now=timezone.now(),
    )
    return "The game is rolled back. What was left behind can still be seen under History."


def _forward(request: HttpRequest, slug: str) -> str:
    reason = request.POST.get("reason", "")
    user_id = user_id_of(request)
    actions.roll_forward(slug=slug, user_id=user_id, reason=reason, now=timezone.now())
    return "The roll-back is undone."


def _key(request: HttpRequest) -> str:
    """Return the key of the form, which makes its act happen once; raise `Refused`."""
    key = request.POST.get("key", "")
    if not (key.isascii() and key.isalnum() and len(key) <= _LONGEST_KEY):
        raise Refused("The form is not whole. Reload the page.")
    return f"master {key}"


def _act(do: Callable[[HttpRequest, str], str]) -> View:
    """Return the view of one of the console's forms: `do` says what was done."""

    @person_required
    @require_POST
    def acted(request: HttpRequest, slug: str) -> HttpResponse:
        messages.success(request, do(request, slug))
        return see_other(reverse("games:master", args=[slug]))

    return acted


change_time = _act(_time)
force = _act(_force)
remove = _act(_remove)
reprimand = _act(_reprimand)
back = _act(_back)
forward = _act(_forward)
