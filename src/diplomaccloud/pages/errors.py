"""Pages that say what went wrong: a status, a title, one sentence, and the way back.

The sentence is also kept on the response as `refused`, for the request's one log line.
"""

from django.core.exceptions import RequestDataTooBig
from django.db import Error as DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games import viewpoint
from diplomaccloud.games.views.responses import render_page

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
    context = {"status": status, "title": _TITLES[status], "message": message}
    if HtmxDetails(request):
        template = "pages/_error.html"
    else:
        template = "pages/error.html"
        # Who asked is unknown before the session is read, and so is everything when we broke.
        context["game"] = _game_of(request) if status != 500 and hasattr(request, "user") else ""
    return render_page(request, template, context, status=status, refused=message)


def _game_of(request: HttpRequest) -> str:
    """Return the page of the game that the address is of, blank if the person may not see it."""
    match = request.resolver_match
    slug = match.kwargs.get("slug") if match and match.app_name == "games" else None
    if not slug or not viewpoint.may_see(slug, viewpoint.viewer_of(request.user)):
        return ""
    return reverse("games:detail", args=[slug])


def nothing_here(request: HttpRequest) -> HttpResponse:
    """Raise `Http404`: for an address that a library answers and this site has no use for."""
    raise Http404(request.path)


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
