"""The game master's page: every act takes a reason, which all players can read."""

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

from diplomaccloud.games import actions
from diplomaccloud.games.forms.game_master import (
    OnceForm,
    PlayerForm,
    ReasonForm,
    RollbackForm,
    TimeForm,
)
from diplomaccloud.games.presenters.game_master import present_game_master
from diplomaccloud.games.presenters.game_page import present_summary
from diplomaccloud.games.presenters.results import preview_phase
from diplomaccloud.games.presenters.seats import present_seats
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.views.decorators import View, game_login_required, keep_late_input
from diplomaccloud.games.views.responses import lease_owner, read_game, see_other


@never_cache
@game_login_required
@require_safe
def console(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the game master can do now."""
    return render(
        request, "games/game_master/game_master.html", _make_context(read_game(request, slug))
    )


@never_cache
@game_login_required
@require_POST
@keep_late_input
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the results of the orders as they stand; the log records that this was done."""
    form = ReasonForm.read(request)
    resolution = actions.preview_results(
        **form.action(request, slug), reason=form.cleaned_data["reason"]
    )
    reader = read_game(request, slug)
    context = _make_context(reader)
    context["report"] = preview_phase(reader, present_seats(reader), resolution)
    return render(request, "games/game_master/game_master.html", context)


def _make_context(reader: GameReader) -> dict[str, object]:
    seats = present_seats(reader)
    master = present_game_master(reader, seats)
    return {"view": present_summary(reader, seats), "master": master}


def _make_view(act: Callable[[HttpRequest, str], str]) -> View:
    """Return the view of one form; `act` changes the game and returns a message."""

    @game_login_required
    @require_POST
    @keep_late_input
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        messages.success(request, act(request, slug))
        return see_other(reverse("games:master", args=[slug]))

    return view


def _change_time(request: HttpRequest, slug: str) -> str:
    form = TimeForm.read(request)
    actions.change_time(
        **form.action(request, slug),
        question=form.cleaned_data["question"],
        length=form.cleaned_data["length"],
        reason=form.cleaned_data["reason"],
        key=_log_key(form),
    )
    return "Deadline changed."


def _end_phase(request: HttpRequest, slug: str) -> str:
    form = OnceForm.read(request)
    game_id = actions.force_phase(
        **form.action(request, slug), reason=form.cleaned_data["reason"], key=_log_key(form)
    )
    actions.advance(game_id=game_id, owner=lease_owner(), now=timezone.now)
    return "Phase ended."


def _resume(request: HttpRequest, slug: str) -> str:
    form = OnceForm.read(request)
    game_id = actions.try_again(
        **form.action(request, slug), reason=form.cleaned_data["reason"], key=_log_key(form)
    )
    actions.advance(game_id=game_id, owner=lease_owner(), now=timezone.now)
    return "The game is resumed. If processing fails again, it will be suspended again."


def _roll_back(request: HttpRequest, slug: str) -> str:
    form = RollbackForm.read(request)
    actions.roll_back(
        **form.action(request, slug),
        to=form.cleaned_data["to"],
        reason=form.cleaned_data["reason"],
    )
    return "The game is rolled back. The later phases stay visible under History."


def _roll_forward(request: HttpRequest, slug: str) -> str:
    form = ReasonForm.read(request)
    actions.roll_forward(**form.action(request, slug), reason=form.cleaned_data["reason"])
    return "The rollback is undone."


class _PlayerAction(Protocol):
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


def _act_on_player(action: _PlayerAction, message: str) -> Callable[[HttpRequest, str], str]:
    """Return what does `action` to the player named in the form and returns `message`."""

    def act(request: HttpRequest, slug: str) -> str:
        form = PlayerForm.read(request)
        power, reason = form.cleaned_data["power"], form.cleaned_data["reason"]
        game_id = action(**form.action(request, slug), power=power, reason=reason)
        if game_id is not None:
            actions.advance(game_id=game_id, owner=lease_owner(), now=timezone.now)
        return message

    return act


def _log_key(form: OnceForm) -> str:
    return f"master {form.cleaned_data['key']}"


change_time = _make_view(_change_time)
end_phase = _make_view(_end_phase)
resume = _make_view(_resume)
remove = _make_view(
    _act_on_player(
        actions.remove_player,
        "The player is removed. Orders saved for the country will not be used.",
    )
)
reprimand = _make_view(
    _act_on_player(actions.reprimand, "The reprimand is recorded in the public log.")
)
roll_back = _make_view(_roll_back)
roll_forward = _make_view(_roll_forward)
