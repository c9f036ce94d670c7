"""What the views of all features share: the log-in, reading the game, and answering with its page.

The page of a game shows all features, so none of them can import it: `settings.GAME_PAGE` names it.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from importlib import import_module
from typing import cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django_htmx.middleware import HtmxDetails

from diplomaccloud.entry.orders import Problem
from diplomaccloud.games.table.errors import DeadlinePassed, NotYourSeat, WrongMoment
from diplomaccloud.games.table.forms import CONDITION
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.schedule import format_duration
from diplomaccloud.shared.responses import render_page, see_other, wants_json

_KNOWN_HEADER = "Map-Has"
"""The header in which a page with a map lists the territories that it has."""

_MAX_KNOWN = 100
"""More territories than a person looks at on one page."""


@dataclass(frozen=True, slots=True)
class GameNotes:
    """What the game page shows in addition to the game: the result of a form that was just sent.

    `saved` and `counts` are orders as text, saved in the draft `saved_in` for the phase
    `saved_phase`, if something was saved; `sheet` is refused text to edit again; `not_ready`
    says why the player was not marked as ready, which a button can do anyway if `can_confirm`;
    `outdated` are orders from a page that is older than the saved ones, and `conditions` are
    conditional orders as they were sent, both as values of their features; `late` is a form that
    came too late. `added` are orders that were just added to the live draft, with `saved_in` blank.
    """

    problems: tuple[Problem, ...] = ()
    saved: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    sheet: str = ""
    not_ready: str = ""
    can_confirm: bool = False
    saved_in: str = ""
    saved_phase: int = 0
    outdated: object = None
    conditions: object = None
    late: "LateView | None" = None
    added: "AddedView | None" = None


@dataclass(frozen=True, slots=True)
class LateView:
    """Why a form was refused, and what it contained, each part with its label."""

    heading: str
    message: str
    sent: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AddedView:
    """Orders that were added, and those that were refused, with the reasons.

    `before` are the orders that Undo brings back, if the draft still has the `version`.
    """

    orders: tuple[str, ...]
    problems: tuple[Problem, ...]
    before: tuple[str, ...]
    version: str


NO_NOTES = GameNotes()


def read_game(request: HttpRequest, slug: str, *, code: str = "", draft: str = "") -> Reader:
    """Return the game as the viewer may see it; raise `NoSuchGame`."""
    return Reader(slug, viewer_of(request.user), code=code, draft=draft)


def known_parts(request: HttpRequest) -> list[str]:
    """Return the territories that the page already has if it requests a part of itself."""
    known = request.headers.get(_KNOWN_HEADER, "")
    return known.split(" ")[:_MAX_KNOWN] if HtmxDetails(request) else []


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
    page: HttpResponse = import_module(settings.GAME_PAGE).game_page(
        request, slug, notes, code=code, draft=draft, status=status, refused=refused
    )
    return page


def show_page(
    request: HttpRequest,
    reader: Reader,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    with_board: bool = False,
) -> HttpResponse:
    """Return another page of the game, which gets the game as `view`, with `context`.

    Only `with_board`, the view has the board and the order form.
    """
    pages = import_module(settings.GAME_PAGE)
    view = pages.present_game(reader) if with_board else pages.present_summary(reader)
    return render(request, template, {"view": view, **(context or {})})


def process_if_due(game_id: int | None) -> int:
    """Process the due phases of the game at once, and return how many, as the last player expects.

    `settings.GAME_TURN` names the function, since a turn knows all features.
    """
    if game_id is None:
        return 0
    advance = cast("Callable[..., int]", import_string(settings.GAME_TURN))
    return advance(game_id=game_id, owner=lease_owner(), now=timezone.now)


def redirect_with_message(request: HttpRequest, slug: str, message: str) -> HttpResponse:
    """Return a redirect to the game, which shows `message`."""
    messages.success(request, message)
    return see_other(reverse("games:detail", args=[slug]))


def redirect_to_lobby(request: HttpRequest) -> HttpResponse:
    """Return a redirect to the lobby for a person who has left a game."""
    messages.success(request, "You have left the game.")
    return see_other(reverse("games:lobby"))


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
    template = "games/page/logged_out.html"
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
            if name == "length" and text.isascii() and text.isdecimal() and len(text) <= 8:
                text = format_duration(timedelta(seconds=int(text)))
            labeled.append((label, text))
    return tuple(labeled)
