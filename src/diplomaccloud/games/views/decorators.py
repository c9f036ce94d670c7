"""Decorators for views of a game: one requires a login, another keeps the input of a late form."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import resolve_url
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.errors import DeadlinePassed, NotYourSeat, WrongMoment
from diplomaccloud.games.forms.drafts import CONDITION
from diplomaccloud.games.views.responses import GameNotes, game_page, render_page, wants_json
from diplomaccloud.schedule import format_duration

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


@dataclass(frozen=True, slots=True)
class LateView:
    """Why a form was refused, and what it contained, each part with its label."""

    heading: str
    message: str
    sent: tuple[tuple[str, str], ...]


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
