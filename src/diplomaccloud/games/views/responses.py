"""The responses that the views of games share: the game page, redirects, refusals."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games import viewpoint
from diplomaccloud.games.presenters.conditional_orders import ConditionsForm
from diplomaccloud.games.presenters.draft_conflict import (
    DraftConflict,
    SentOrders,
    present_conflict,
)
from diplomaccloud.games.presenters.game_page import GamePage, present_game
from diplomaccloud.games.presenters.invitation import present_invitation
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.views.panels import GamePanel, list_panels
from diplomaccloud.judge.legality.order_entry import Problem

if TYPE_CHECKING:
    from diplomaccloud.games.views.decorators import LateView

_MAX_PAGE_DIGITS = 5
_KNOWN_HEADER = "Map-Has"
"""The header in which a page with a map lists the territories that it has."""

_MAX_KNOWN = 100
"""More territories than a person looks at on one page."""


class RefusedResponse(HttpResponse):
    """The response to a refused request, with the reason for the request's log line."""

    def __init__(self, content: str, *, status: int, refused: str) -> None:
        super().__init__(content, status=status)
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused piece of text, and why.

    `slot` is its place in the order form, 0 if it is not there. `line` is its line in the order
    box, 0 if that is obvious.
    """

    text: str
    message: str
    slot: int
    line: int


@dataclass(frozen=True, slots=True)
class GameNotes:
    """What the game page shows in addition to the game: the result of a form that was just sent.

    `saved` and `counts` are orders as text, saved in the draft `saved_in` for the phase
    `saved_phase`, if something was saved; `sheet` is refused text to edit again; `not_ready`
    says why the player was not marked as ready, which a button can do anyway if `can_confirm`;
    `outdated` are orders from a page that is older
    than the saved ones; `conditions` are conditional orders as they were
    sent; `late` is a form that came too late.
    """

    problems: tuple[Problem, ...] = ()
    saved: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    sheet: str = ""
    not_ready: str = ""
    can_confirm: bool = False
    saved_in: str = ""
    saved_phase: int = 0
    outdated: SentOrders | None = None
    conditions: ConditionsForm | None = None
    late: "LateView | None" = None


NO_NOTES = GameNotes()
_TEMPLATES = {
    "forming": "games/game/forming.html",
    "running": "games/game/running.html",
    "finished": "games/game/finished.html",
}


def read_game(request: HttpRequest, slug: str, *, code: str = "", draft: str = "") -> GameReader:
    """Return the game as the viewer may see it; raise `NoSuchGame`."""
    viewer = viewpoint.viewer_of(request.user)
    return GameReader(slug, viewer, code=code, draft=draft)


def game_page(
    request: HttpRequest,
    slug: str,
    notes: GameNotes = NO_NOTES,
    *,
    code: str = "",
    draft: str = "",
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    """Return the current page of the game, or the part of it that htmx requested.

    `draft` is the draft to show, `code` opens a private game, and `refused` is the reason for
    the request's log line.
    """
    reader = read_game(request, slug, code=code, draft=draft)
    view = present_game(reader, known_parts(request))
    panels = () if reader.by_code else list_panels(request, reader, view)
    return render_game(request, view, notes, panels=panels, status=status, refused=refused)


def known_parts(request: HttpRequest) -> list[str]:
    """Return the territories that the page already has if it requests a part of itself."""
    known = request.headers.get(_KNOWN_HEADER, "")
    return known.split(" ")[:_MAX_KNOWN] if HtmxDetails(request) else []


def render_game(
    request: HttpRequest,
    view: GamePage,
    notes: GameNotes = NO_NOTES,
    *,
    panels: tuple[GamePanel, ...] = (),
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    """Return the page of a game, or the part of it that htmx requested."""
    template = _TEMPLATES[view.header.status]
    if view.by_code and view.header.status == "running":
        template = "games/game/replacement.html"
    elif HtmxDetails(request):
        if view.header.status != "running":
            return HttpResponseClientRedirect(view.header.url)
        template = "games/game/_board.html"
    context: dict[str, object] = {
        "view": view,
        "panels": panels,
        "problems": notes.problems,
        "saved": notes.saved,
        "saved_in": notes.saved_in,
        "saved_phase": notes.saved_phase,
        "counts": notes.counts,
        "sheet": notes.sheet,
        "not_ready": notes.not_ready,
        "can_confirm": notes.can_confirm,
        "conflict": _present_conflict(view, notes.outdated),
        "conditions": notes.conditions,
        "late": notes.late,
        "refusals": _place_refusals(view, notes.problems),
    }
    if view.header.status == "forming" and view.invite_url:
        context["invitation"] = present_invitation(request.build_absolute_uri(view.invite_url))
    return render_page(request, template, context, status=status, refused=refused)


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object],
    *,
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    """Return the rendered template; `refused` is why the request was refused, if it was."""
    content = render_to_string(template, dict(context), request)
    if refused:
        return RefusedResponse(content, status=status, refused=refused)
    return HttpResponse(content, status=status)


def _present_conflict(view: GamePage, outdated: SentOrders | None) -> DraftConflict | None:
    return present_conflict(view.order_form, outdated) if view.order_form and outdated else None


def _place_refusals(view: GamePage, problems: tuple[Problem, ...]) -> tuple[Refusal, ...]:
    """Return each refused piece with the line of the order form that it belongs to."""
    lines = view.order_form.slots if view.order_form else ()
    slots = {slot.key: number for number, slot in enumerate(lines, 1)}
    return tuple(
        Refusal(problem.short, problem.message, slots.get(problem.key, 0), problem.line)
        for problem in problems
    )


def redirect_with_message(request: HttpRequest, slug: str, message: str) -> HttpResponse:
    """Return a redirect to the game, which shows `message`."""
    messages.success(request, message)
    return see_other(reverse("games:detail", args=[slug]))


def redirect_to_lobby(request: HttpRequest) -> HttpResponse:
    """Return a redirect to the lobby for a person who has left a game."""
    messages.success(request, "You have left the game.")
    return see_other(reverse("games:lobby"))


def see_other(url: str) -> HttpResponse:
    """Return a redirect that answers a form, so that reloading does not send it again."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script sent the request and reads the response."""
    return request.headers.get("Accept", "") == "application/json"


def page_number(request: HttpRequest) -> int:
    """Return the number of the requested page of a list, 1 by default."""
    text = request.GET.get("page", "")
    plain = text.isascii() and text.isdecimal() and len(text) <= _MAX_PAGE_DIGITS
    return int(text) if plain else 1


def lease_owner() -> str:
    """Return a name for this request as the holder of a lease."""
    return f"web {uuid.uuid4().hex[:12]}"
