"""The responses that the views of games share: the game page, redirects, refusals."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, wraps
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.module_loading import import_string
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.conditional_orders.page import ConditionsForm
from diplomaccloud.games.drafts.forms import CONDITION
from diplomaccloud.games.lobby.page import present_invitation
from diplomaccloud.games.orders.page import DraftConflict, SentOrders, present_conflict
from diplomaccloud.games.page.page import GamePage, present_game
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.table.errors import DeadlinePassed, NotYourSeat, WrongMoment
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.judge.legality.order_entry import Problem
from diplomaccloud.schedule import format_duration

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


# Decorators for views of a game: one requires a login, another keeps the input of a late form.


@dataclass(frozen=True, slots=True)
class LateView:
    """Why a form was refused, and what it contained, each part with its label."""

    heading: str
    message: str
    sent: tuple[tuple[str, str], ...]


NO_NOTES = GameNotes()
_TEMPLATES = {
    "forming": "games/game/forming.html",
    "running": "games/game/running.html",
    "finished": "games/game/finished.html",
}


def read_game(request: HttpRequest, slug: str, *, code: str = "", draft: str = "") -> Reader:
    """Return the game as the viewer may see it; raise `NoSuchGame`."""
    viewer = viewer_of(request.user)
    return Reader(slug, viewer, code=code, draft=draft)


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


# Panels that other apps add to the page of a game and to those of its past phases.
#
# `settings.GAME_PANELS` and `settings.PHASE_PANELS` name their functions.
#
# `games` imports none of these apps. A panel has a tab and a section beside the map, and a section
# in the waiting room. Its scripts learn of changes from the event `own-changed` on the document:
# the live stream's number `own` has changed.


@dataclass(frozen=True, slots=True)
class PanelLink:
    """A page that belongs to a panel."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class GamePanel:
    """A panel of the game page for one viewer.

    `key` names its tab and section, `icon` a symbol of `pages/_icons.html`. The template gets
    `view` as `panel`. `unread` is a number on the tab, with `unread_word` after it for screen
    readers. `styles` and `scripts` are static files that the page must load. `link` is shown beside
    the result of a finished game. `phase_query` is a query that links to other phases keep.
    """

    key: str
    title: str
    icon: str
    template: str
    view: object
    unread: int = 0
    unread_word: str = "unread"
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    link: PanelLink | None = None
    phase_query: str = ""


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


LOGGED_OUT = "You are logged out, so nothing was saved."
View = Callable[[HttpRequest, str], HttpResponse]
FIELD_LABELS = {
    "order": "Orders from the list",
    "sheet": "Orders as text",
    "ahead": "Conditional orders",
    "vote": "Draw vote",
    "answer": "Answer",
    "question": "Vote about",
    "length": "Length",
    "power": "Country",
    "name": "Name of the draft",
    "reason": "Reason",
    "subject": "Subject",
    "body": "Message",
}


def game_login_required(view: View) -> View:
    """Return a view that asks visitors to log in, and then sends them to the game's page.

    A posted form cannot be repeated with GET, so its own address would be a dead end. If the form
    was sent after the session ended, its input is shown instead, to be copied. A script that sends
    orders from the browser's store gets 401, and sends them again after the next log-in.
    """

    @wraps(view)
    def check_login(request: HttpRequest, slug: str) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, slug)
        if wants_json(request):
            return JsonResponse({"error": LOGGED_OUT}, status=401)
        page = reverse("games:detail", args=[slug])
        if sent := _sent_input(request):
            return _show_logged_out(request, page, sent)
        return redirect_to_login(page)

    return check_login


def _show_logged_out(
    request: HttpRequest, page: str, sent: tuple[tuple[str, str], ...]
) -> HttpResponse:
    """Return a page with the input of a logged-out person, unless htmx still has it on the page."""
    if HtmxDetails(request):
        raise NotYourSeat(f"{LOGGED_OUT} Log in on another page, then copy what you typed there.")
    late = LateView("Logged out", LOGGED_OUT, sent)
    login = f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': page})}"
    context = {"late": late, "login_url": login}
    template = "games/game/logged_out.html"
    return render_page(request, template, context, status=403, refused=LOGGED_OUT)


def keep_late_input(view: View) -> View:
    """Return a view that answers a form sent at the wrong time with the game and the form's input.

    For example, the form came too late, or the game is suspended. A form that htmx sent keeps its
    input on the page, so the error message is enough there.
    """

    @wraps(view)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        try:
            return view(request, slug)
        except (DeadlinePassed, WrongMoment) as error:
            is_late, sent = isinstance(error, DeadlinePassed), _sent_input(request)
            if HtmxDetails(request) or not (is_late or sent):
                raise
            heading = "Too late." if is_late else "Nothing was changed."
            notes = GameNotes(late=LateView(heading, str(error), sent))
            return game_page(request, slug, notes, status=error.status, refused=str(error))

    return answer


def _sent_input(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Return what the person wrote and chose, with labels, in the order of the form's fields."""
    labeled = []
    for name, values in request.POST.lists():
        label = FIELD_LABELS.get(name) or (name if CONDITION.fullmatch(name) else "")
        text = "\n".join(value for value in values if value.strip())
        if label and text:
            labeled.append((label, _format_seconds(text) if name == "length" else text))
    return tuple(labeled)


def _format_seconds(text: str) -> str:
    plain = text.isascii() and text.isdecimal() and len(text) <= 8
    return format_duration(timedelta(seconds=int(text))) if plain else text


PanelFunction = Callable[[HttpRequest, Reader, GamePage], GamePanel | None]
"""Returns the panel of one app, None if there is nothing in it for the viewer."""

PhasePanelFunction = Callable[[HttpRequest, Reader, Seats, int], GamePanel | None]
"""The same for the page of a processed phase, which is named by its sequence."""


def list_panels(request: HttpRequest, reader: Reader, page: GamePage) -> tuple[GamePanel, ...]:
    """Return the panels for the viewer of the game page, in the order of the setting."""
    panels = (function(request, reader, page) for function in _load_functions())
    return tuple(panel for panel in panels if panel is not None)


def list_phase_panels(
    request: HttpRequest, reader: Reader, seats: Seats, sequence: int
) -> tuple[GamePanel, ...]:
    """Return the panels of the page of a past phase, in the order of the setting."""
    panels = (function(request, reader, seats, sequence) for function in _load_phase_functions())
    return tuple(panel for panel in panels if panel is not None)


@cache
def _load_functions() -> tuple[PanelFunction, ...]:
    return tuple(import_string(path) for path in settings.GAME_PANELS)


@cache
def _load_phase_functions() -> tuple[PhasePanelFunction, ...]:
    return tuple(import_string(path) for path in settings.PHASE_PANELS)
