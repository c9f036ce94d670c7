"""The answers that the views of press share: JSON for scripts, redirects and pages for the rest."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from diplomaccloud.games.views.responses import RefusedResponse, see_other
from diplomaccloud.press.forms.messages import SentMessage
from diplomaccloud.schedule.errors import Refused

LOGGED_OUT = 401
"""The status for a script whose session has ended; a page gets 403 and the text."""
_PREFETCH_HEADERS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
_LOGGED_OUT_TEXT = "You are logged out, so nothing was sent. Log in again: your text stays here."


class RefusedJson(JsonResponse):
    """A refusal for a script, with the reason for the request's log line."""

    def __init__(self, refused: str, *, status: int) -> None:
        super().__init__({"error": refused}, status=status)
        self.refused = refused


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script sent the request and reads the answer itself."""
    return request.headers.get("Accept", "") == "application/json"


def is_prefetch(request: HttpRequest) -> bool:
    """Return whether a browser asks for a page that nobody has asked to see."""
    headers = (request.headers.get(name, "") for name in _PREFETCH_HEADERS)
    return any("prefetch" in value or "preview" in value for value in headers)


def done(request: HttpRequest, url: str) -> HttpResponse:
    """Return the answer to a small form: nothing for a script, the page `url` for the rest."""
    return JsonResponse({}) if wants_json(request) else see_other(url)


def return_text(request: HttpRequest, sent: SentMessage, error: Refused) -> HttpResponse:
    """Return the text of a message that has no page to be shown on."""
    if wants_json(request):
        return RefusedJson(str(error), status=error.status)
    context = {"sent": sent, "message": str(error)}
    content = render_to_string("press/refused.html", context, request)
    return RefusedResponse(content, status=error.status, refused=str(error))


def return_text_logged_out(request: HttpRequest, sent: SentMessage) -> HttpResponse:
    """Return the text of a person whose session has ended."""
    if wants_json(request):
        return RefusedJson(_LOGGED_OUT_TEXT, status=LOGGED_OUT)
    context = {"sent": sent, "message": "You are logged out, so nothing was sent."}
    content = render_to_string("press/refused.html", context, request)
    return RefusedResponse(content, status=403, refused="logged out")
