"""What the pages of games share: forms read, answers made."""

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.accounts.models import User
from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.errors import NoSuchGame, Refused
from diplomaccloud.games.presenters.game_page import GameView


@dataclass(frozen=True, slots=True)
class Refusal:
    """A piece that was refused, and why; `slot` counts in the order form, 0 for none of it.

    `line` is where it stands in the order box, 0 if that goes without saying.
    """

    text: str
    message: str
    slot: int
    line: int


class Act(TypedDict):
    """Who acts in which phase, and when: what every verb that is about a phase is told."""

    slug: str
    user_id: int
    sequence: int
    now: dt.datetime


_PAGES = {
    "forming": "games/forming.html",
    "running": "games/game.html",
    "finished": "games/end.html",
}


def game_page(
    request: HttpRequest, slug: str, *, code: str = "", status: int = 200, **extra: object
) -> HttpResponse:
    """Return the page of the game as it is now, or the part of it that htmx asked for."""
    draft = request.POST.get("draft", "") or request.GET.get("draft", "")
    viewer = viewpoint.viewer_of(request.user)
    view = viewpoint.game_view(slug, viewer, code=code, draft=draft)
    template = _PAGES[view.header.status]
    if HtmxDetails(request):
        if view.header.status != "running":
            return HttpResponseClientRedirect(view.header.url)
        template = "games/_play.html"
    return render(request, template, _context(view, **extra), status=status)


def _context(view: GameView, **extra: object) -> dict[str, object]:
    empty = {"problems": (), "saved": (), "sheet": ""}
    return {"view": view, **empty, **extra, "refusals": _refusals(view, extra.get("problems"))}


def _refusals(view: GameView, problems: object) -> tuple[Refusal, ...]:
    """Return each piece refused with the line of the order form that it belongs beside."""
    lines = view.desk.slots if view.desk else ()
    slots = {slot.key: number for number, slot in enumerate(lines, 1)}
    found = problems if isinstance(problems, tuple) else ()
    return tuple(
        Refusal(one.short, one.message, slots.get(one.key, 0), one.line)
        for one in found
        if isinstance(one, actions.Problem)
    )


def done(request: HttpRequest, slug: str, message: str) -> HttpResponse:
    """Return the way back to the game, where `message` is told."""
    messages.success(request, message)
    return see_other(reverse("games:detail", args=[slug]))


def gone(request: HttpRequest) -> HttpResponse:
    """Return the way to the lobby for whoever has left a game, where they are told so."""
    messages.success(request, "You have left the game.")
    return see_other(reverse("games:lobby"))


def see_other(url: str) -> HttpResponse:
    """Return a redirect after a form, which is never sent twice."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def act_of(request: HttpRequest, slug: str) -> Act:
    """Return who acts in which phase, as the form says; raise `Refused`."""
    return {
        "slug": slug,
        "user_id": user_id_of(request),
        "sequence": sequence_of(request),
        "now": timezone.now(),
    }


def sequence_of(request: HttpRequest, name: str = "phase") -> int:
    """Return the number of the phase that the form is for, or names otherwise; raise `Refused`."""
    number = whole_number(request.POST.get(name, ""), digits=6)
    if number is None:
        raise Refused("The form does not say which phase it is for. Reload the page.")
    return number


def page_of(request: HttpRequest) -> int:
    """Return the number of the page of a list that is asked for, the first by default."""
    number = whole_number(request.GET.get("page", ""), digits=5)
    return 1 if number is None else number


def key_in(request: HttpRequest, name: str, missing: str = "whom it is about") -> int:
    """Return the number that the form gives under `name`; raise `Refused` about the `missing`."""
    number = whole_number(request.POST.get(name, ""), digits=15)
    if number is None:
        raise Refused(f"The form does not say {missing}. Reload the page.")
    return number


def whole_number(text: str, *, digits: int) -> int | None:
    """Return the number that `text` is, None unless it is one to `digits` digits and no more."""
    plain = text.isascii() and text.isdecimal() and len(text) <= digits
    return int(text) if plain else None


def user_id_of(request: HttpRequest) -> int:
    """Return the key of the person who asks; raise `NoSuchGame` for nobody."""
    if not isinstance(request.user, User):
        raise NoSuchGame
    return request.user.pk


def owner() -> str:
    """Return a name for this request as the holder of a lease."""
    return f"web {uuid.uuid4().hex[:12]}"
