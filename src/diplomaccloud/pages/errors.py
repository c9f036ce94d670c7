"""Pages that say what went wrong: a status, a title, one sentence.

The sentence is also kept on the response as `refused`, for the request's one log line.
"""

from django.core.exceptions import RequestDataTooBig
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from diplomaccloud.games.htmx import wants_partial

_TITLES = {
    400: "That request makes no sense",
    403: "Not allowed",
    404: "Nothing here",
    405: "Not that way",
    409: "Not now",
    411: "How long is it?",
    413: "Too much text",
    422: "Refused",
    500: "Something broke",
}


def error_page(request: HttpRequest, status: int, message: str) -> HttpResponse:
    """Return the page for `status`, or its partial when htmx asks."""
    template = "pages/_error.html" if wants_partial(request) else "pages/error.html"
    context = {"status": status, "title": _TITLES[status], "message": message}
    response = render(request, template, context, status=status)
    response.refused = message  # type: ignore[attr-defined]
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for 400, or 413 when the body was too long."""
    if isinstance(exception, RequestDataTooBig):
        return error_page(request, 413, "That is more text than this page takes.")
    return error_page(request, 400, "The request could not be understood.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for 403."""
    return error_page(request, 403, str(exception) or "You may not do that.")


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Return the page for a form that did not come from this site."""
    message = "This form has expired or did not come from this site. Go back, reload and try again."
    return error_page(request, 403, message)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Return the page for 404; it never tells a hidden game from one that does not exist."""
    return error_page(request, 404, "There is nothing at this address, or it is not yours to see.")


def broken(request: HttpRequest) -> HttpResponse:
    """Return the page for 500, as nobody in particular sees it if the database is what broke."""
    message = "The fault is ours and has been logged. Nothing you had saved is lost."
    try:
        return error_page(request, 500, message)
    except DatabaseError:
        context = {"status": 500, "title": _TITLES[500], "message": message}
        return HttpResponse(render_to_string("pages/error.html", context), status=500)
