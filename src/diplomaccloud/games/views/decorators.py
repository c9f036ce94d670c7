"""Decorators for the views of one game: login first, and no lost input when a form is late."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.errors import DeadlinePassed, WrongMoment
from diplomaccloud.games.forms.drafts import CONDITION
from diplomaccloud.games.views.responses import GameNotes, game_page
from diplomaccloud.schedule import format_duration

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
}


@dataclass(frozen=True, slots=True)
class LateView:
    """Why a form was refused, and what it contained, each part with its label."""

    heading: str
    message: str
    sent: tuple[tuple[str, str], ...]


def game_login_required(view: View) -> View:
    """Return a view that asks visitors to log in, and then leads them to the game's page.

    A posted form cannot be repeated with GET, so its own address would be a dead end.
    """

    @wraps(view)
    def check_login(request: HttpRequest, slug: str) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, slug)
        return redirect_to_login(reverse("games:detail", args=[slug]))

    return check_login


def keep_late_input(view: View) -> View:
    """Return a view that answers a form at the wrong moment with the game and the form's input.

    The form came too late, or the game is suspended, for example. A form that htmx sent keeps its
    input on the page, so the sentence alone is enough there.
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
