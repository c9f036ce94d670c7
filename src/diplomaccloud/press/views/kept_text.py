"""Forms that lose no text: whatever the reason for a refusal, the response shows the text."""

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from diplomaccloud.press.addresses import Address, Kind
from diplomaccloud.press.errors import KeyReused, NoSuchConversation
from diplomaccloud.press.presenters.press_page import CLOSED, NOT_NOW, Desk
from diplomaccloud.press.rules import Why
from diplomaccloud.press.views.answers import RefusedJson
from diplomaccloud.schedule.errors import Refused
from diplomaccloud.shared.responses import RefusedResponse, wants_json

LOGGED_OUT: Final = 401
"""The status for a script after its session has ended; a page gets 403 and the text."""
_LOGGED_OUT_TEXT: Final = "You are logged out, so nothing was sent."
_LOGGED_OUT_SCRIPT: Final = f"{_LOGGED_OUT_TEXT} Log in again: your text stays here."
_LABELS: Final = {
    "subject": "Subject",
    "text": "Your text",
    "wording": "Clauses",
    "body": "Your message",
    "note": "Your note",
    "reason": "Your reason",
}
"""The text fields of press forms, with their labels."""

_View = Callable[..., HttpResponse]


def keep_text(view: _View) -> _View:
    """Wrap a view so that refused forms return the text, even if there is no page for the form.

    Visitors get their text, too: their session ended while they were writing.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        if not request.user.is_authenticated:
            return _return_text_logged_out(request)
        try:
            return view(request, *args, **kwargs)
        except Refused as error:
            if not read_texts(request):
                raise
            return return_text(request, error)

    return answer


def read_texts(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Return the texts that a person typed into the posted form, each with its label."""
    found = ((label, _join(request.POST.getlist(name))) for name, label in _LABELS.items())
    return tuple((label, text) for label, text in found if text)


def return_text(request: HttpRequest, error: Refused) -> HttpResponse:
    """Return the text of a form that has no page to show it, and the reason for the refusal."""
    if wants_json(request):
        return RefusedJson(str(error), status=error.status)
    return _show(request, str(error), status=error.status, refused=str(error))


def keep_key(request: HttpRequest, error: Refused | None) -> str:
    """Return the key for a form shown again; blank if the key would be refused again."""
    return "" if isinstance(error, KeyReused) else request.POST.get("key", "")


def find_closed(desk: Desk, address: Address, *, is_sent: bool) -> str:
    """Return why no player can send something there now; blank if one can.

    Raises `NoSuchConversation` if the viewer never can. With `is_sent`, the form of a player who
    has just lost the seat is still shown again.
    """
    if address.kind not in (Kind.SEATS, Kind.PUBLIC):
        raise NoSuchConversation
    summary = desk.press.summary(address)
    if not desk.reader.has_seat and not (is_sent and summary.why is Why.LEFT):
        raise NoSuchConversation
    return "" if summary.is_writable else CLOSED.get(summary.why, NOT_NOW)


def _return_text_logged_out(request: HttpRequest) -> HttpResponse:
    if wants_json(request):
        return RefusedJson(_LOGGED_OUT_SCRIPT, status=LOGGED_OUT)
    return _show(request, _LOGGED_OUT_TEXT, status=403, refused="logged out")


def _show(request: HttpRequest, message: str, *, status: int, refused: str) -> HttpResponse:
    context = {"texts": read_texts(request), "message": message}
    content = render_to_string("press/refused.html", context, request)
    return RefusedResponse(content, status=status, refused=refused)


def _join(texts: list[str]) -> str:
    return "\n".join(text for text in texts if text.strip())
