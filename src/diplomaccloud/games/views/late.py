"""What a person is told whose form came too late: why, and what was sent, so that none is lost."""

import re
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.errors import DeadlinePassed
from diplomaccloud.games.views.decorators import View
from diplomaccloud.games.views.responses import game_page, whole_number
from diplomaccloud.schedule import format_duration

CONDITION = re.compile(r"([^:;\n]{1,40}: )?if [^:;\n]{1,60}")
"""The name of a list in which something is written ahead."""
_LABELS = {
    "order": "Orders from the list",
    "sheet": "Orders typed",
    "ahead": "Written ahead",
    "vote": "Vote with orders",
    "answer": "Answer",
    "question": "Vote about",
    "length": "For how long",
    "power": "Country",
    "name": "Name of the draft",
    "reason": "Reason",
}


@dataclass(frozen=True, slots=True)
class LateView:
    """Why a form came too late, and what it held, each with its label."""

    message: str
    kept: tuple[tuple[str, str], ...]


def in_time(view: View) -> View:
    """Return a view that shows the game as it is now, and what was sent, if that came too late.

    A form that htmx sent stays on its page as it was filled in: there the sentence is enough.
    """

    @wraps(view)
    def shown(request: HttpRequest, slug: str) -> HttpResponse:
        try:
            return view(request, slug)
        except DeadlinePassed as late:
            if HtmxDetails(request):
                raise
            told = LateView(str(late), _sent(request))
            response = game_page(request, slug, status=late.status, late=told)
            response.refused = str(late)  # type: ignore[attr-defined]
            return response

    return shown


def _sent(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Return what the person wrote and chose in the form, in the order of its fields."""
    found = []
    for name, values in request.POST.lists():
        label = _LABELS.get(name) or (name if CONDITION.fullmatch(name) else "")
        text = "\n".join(value for value in values if value.strip())
        if label and text:
            found.append((label, _length(text) if name == "length" else text))
    return tuple(found)


def _length(text: str) -> str:
    seconds = whole_number(text, digits=8)
    return text if seconds is None else format_duration(timedelta(seconds=seconds))
