"""The game master's console: each act with a reason that all players read."""

import datetime as dt
from collections.abc import Callable
from typing import Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.errors import Refused
from diplomaccloud.games.views.decorators import View, person_required
from diplomaccloud.games.views.late import in_time
from diplomaccloud.games.views.responses import act_of, owner, see_other, sequence_of
from diplomaccloud.games.views.votes import length_in, question_in

_LONGEST_KEY = 32


@never_cache
@person_required
@require_safe
def console(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the game master can do now."""
    view, master = viewpoint.master_view(slug, viewpoint.viewer_of(request.user))
    return render(request, "games/master.html", {"view": view, "master": master})


@never_cache
@person_required
@require_POST
@in_time
def look(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what would come of the orders as they stand; the log tells that this was done."""
    act = act_of(request, slug)
    found = actions.look_ahead(**act, reason=request.POST.get("reason", ""))
    viewer = viewpoint.viewer_of(request.user)
    report = viewpoint.preview(slug, viewer, found)
    view, master = viewpoint.master_view(slug, viewer)
    return render(request, "games/master.html", {"view": view, "master": master, "report": report})


def _time(request: HttpRequest, slug: str) -> str:
    actions.change_time(
        **act_of(request, slug),
        question=question_in(request),
        length=length_in(request),
        reason=request.POST.get("reason", ""),
        key=_key(request),
    )
    return "The deadline has moved."


def _force(request: HttpRequest, slug: str) -> str:
    act = act_of(request, slug)
    game_id = actions.force_phase(**act, reason=request.POST.get("reason", ""), key=_key(request))
    actions.advance(game_id=game_id, owner=owner(), now=timezone.now)
    return "The phase is ended."


def _release(request: HttpRequest, slug: str) -> str:
    act = act_of(request, slug)
    game_id = actions.try_again(**act, reason=request.POST.get("reason", ""), key=_key(request))
    actions.advance(game_id=game_id, owner=owner(), now=timezone.now)
    return "The clock has the game again. If the fault is still there, it is put aside once more."


class _AboutPlayer(Protocol):
    def __call__(
        self,
        *,
        slug: str,
        user_id: int,
        sequence: int,
        now: dt.datetime,
        power: str,
        reason: str,
    ) -> int | None: ...


def _about_player(verb: _AboutPlayer, told: str) -> Callable[[HttpRequest, str], str]:
    """Return what does `verb` to the player that the form names, and says `told`."""

    def do(request: HttpRequest, slug: str) -> str:
        power, reason = request.POST.get("power", ""), request.POST.get("reason", "")
        act = act_of(request, slug)
        game_id = verb(**act, power=power, reason=reason)
        if game_id is not None:
            actions.advance(game_id=game_id, owner=owner(), now=timezone.now)
        return told

    return do


def _back(request: HttpRequest, slug: str) -> str:
    actions.roll_back(
        **act_of(request, slug),
        to=sequence_of(request, "to"),
        reason=request.POST.get("reason", ""),
    )
    return "The game is rolled back. What was left behind can still be seen under History."


def _forward(request: HttpRequest, slug: str) -> str:
    actions.roll_forward(**act_of(request, slug), reason=request.POST.get("reason", ""))
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
    @in_time
    def acted(request: HttpRequest, slug: str) -> HttpResponse:
        messages.success(request, do(request, slug))
        return see_other(reverse("games:master", args=[slug]))

    return acted


change_time = _act(_time)
force = _act(_force)
release = _act(_release)
remove = _act(
    _about_player(
        actions.remove_player, "The player is removed. Orders saved for the country do not run."
    )
)
reprimand = _act(_about_player(actions.reprimand, "The reprimand stands in the log."))
back = _act(_back)
forward = _act(_forward)
