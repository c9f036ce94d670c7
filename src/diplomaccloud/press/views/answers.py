"""Responses shared by the press views: JSON for scripts, and redirects and pages for the rest."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from diplomaccloud.shared.responses import see_other, wants_json

_PREFETCH_HEADERS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")


class RefusedJson(JsonResponse):
    """A refusal for a script, which also adds the reason to the request's log line.

    `is_used` says that the form's key would be refused again, so the script needs a new one.
    """

    def __init__(self, refused: str, *, status: int, is_used: bool = False) -> None:
        used = {"used": True} if is_used else {}
        super().__init__({"error": refused, **used}, status=status)
        self.refused = refused


def is_prefetch(request: HttpRequest) -> bool:
    """Return whether the request is a browser's prefetch."""
    headers = (request.headers.get(name, "") for name in _PREFETCH_HEADERS)
    return any("prefetch" in value or "preview" in value for value in headers)


def done(request: HttpRequest, url: str) -> HttpResponse:
    """Return the response to a small form: nothing for a script, else a redirect to `url`."""
    return JsonResponse({}) if wants_json(request) else see_other(url)
