"""Answers to requests that many pages give: a page, a refusal, a redirect after a form."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string

_MAX_PAGE_DIGITS = 5


class RefusedResponse(HttpResponse):
    """The response to a refused request, with the reason for the request's log line."""

    def __init__(self, content: str, *, status: int, refused: str) -> None:
        super().__init__(content, status=status)
        self.refused = refused


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
