"""Error pages: a status, a title, one sentence, and a link back.

The sentence is also stored on the response as `refused`, for the log line of the request; pages
where people write to each other leave it out.
"""

import sys

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import Error as DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.record.read import is_damaged
from diplomaccloud.games.table.errors import DamagedData
from diplomaccloud.games.visibility.read import is_suspended, may_see, viewer_of
from diplomaccloud.pages.resend import is_outage, resend_page, unavailable_page
from diplomaccloud.pages.sent_form import read_sent_form
from diplomaccloud.shared.responses import render_page, wants_json

_NO_DAMAGE = (DatabaseError, Http404, PermissionDenied, SuspiciousOperation)
"""Exceptions that say nothing about the data of a game."""
_PRIVATE_PLACES = (
    *("/press/", "/messages/"),
    *("/notices/calendar/", "/notices/confirm/", "/notices/unsubscribe/"),
    "/account/email/confirm/",
)
"""The rest of such a path names the person someone writes to, or opens a page without a login."""
_MAX_LOGGED = 200
_OLD_FORM = "You have logged in or out since you opened the page, so its form has expired."
_OLD_FORM_ADVICE = "Nothing was saved. What you sent is below: send it again."
_log = structlog.get_logger(__name__)
_TITLES = {
    400: "Bad request",
    403: "Not allowed",
    404: "Page not found",
    405: "Method not allowed",
    409: "Not possible now",
    410: "Game canceled",
    411: "Length required",
    413: "Too much text",
    422: "Not accepted",
    500: "Something went wrong",
    503: "Not available now",
}


def error_page(request: HttpRequest, status: int, message: str, *, back: str = "") -> HttpResponse:
    """Return the page for `status`, or only its partial if htmx sent the request.

    `back` is the address of the page to try again from.
    """
    context = {"status": status, "title": _TITLES[status], "message": message, "back": back}
    if HtmxDetails(request):
        template = "pages/_error.html"
    else:
        template = "pages/error.html"
        # The user is unknown before the session is read, and nothing can be trusted after a crash.
        if status < 500 and hasattr(request, "user"):
            context["game"] = _find_game_url(request)
    return render_page(request, template, context, status=status, refused=message)


def cut_path(path: str) -> str:
    """Return the path for a log line, without the part that names the person someone writes to."""
    for place in _PRIVATE_PLACES:
        start, found, _ = path.partition(place)
        if found:
            return start[:_MAX_LOGGED] + place
    return path[:_MAX_LOGGED]


def is_private(path: str) -> bool:
    """Return whether the path leads to a page on which people write to each other."""
    return any(place in path for place in _PRIVATE_PLACES)


def _find_slug(request: HttpRequest) -> str:
    """Return the slug of the game that was requested, blank for other pages."""
    match = request.resolver_match
    is_game = match is not None and match.app_name in ("games", "press")
    slug: str = match.kwargs.get("slug", "") if match and is_game else ""
    return slug


def _is_suspended(request: HttpRequest) -> bool:
    slug = _find_slug(request)
    return bool(slug) and is_suspended(slug, viewer_of(request.user))


def _is_damaged(request: HttpRequest) -> bool:
    slug = _find_slug(request)
    if not slug or not may_see(slug, viewer_of(request.user)):
        return False
    return is_damaged(slug)


def _find_game_url(request: HttpRequest) -> str:
    """Return the URL of the game that was requested, blank if the user may not see it."""
    slug = _find_slug(request)
    if not slug or not may_see(slug, viewer_of(request.user)):
        return ""
    return reverse("games:detail", args=[slug])


def damaged_game_page(request: HttpRequest, exception: Exception) -> HttpResponse | None:
    """Return the page for a game that cannot be shown because of its data; None for other errors.

    A suspended game may be damaged in any way; in other games, a stored value may be unreadable.
    """
    if isinstance(exception, _NO_DAMAGE):
        return None
    if _is_suspended(request):
        message = "This game is suspended while we fix a problem. No orders are lost."
    elif isinstance(exception, DamagedData) or _is_damaged(request):
        message = (
            "This page needs data that cannot be read. This is our fault, and it has been logged. "
            "No orders are lost."
        )
    else:
        return None
    _log.error("damaged game", path=cut_path(request.path), exc_info=exception)
    return resend_page(request, 503, _TITLES[503], message, advice="What you sent is below.")


def raise_not_found(request: HttpRequest) -> HttpResponse:
    """Raise `Http404` for a library's URL that this site does not use."""
    raise Http404(request.path)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for 400, or 413 if the body was too long."""
    if isinstance(exception, RequestDataTooBig):
        return error_page(request, 413, "The text is too long for this page.")
    return error_page(request, 400, "The server could not understand the request.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for 403."""
    return error_page(request, 403, str(exception) or "You are not allowed to do that.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Return the page for a form that failed the CSRF check."""
    match = request.resolver_match
    if match and match.view_name == "games:play" and not request.COOKIES:
        message = (
            "Your browser does not send cookies to this site, so it cannot remember which game is "
            "yours. Nothing was saved. Allow cookies for this site, go back and send your orders "
            "again. They are still in the form."
        )
        return error_page(request, 403, message, back=request.path)
    if request.headers.get("Sec-Fetch-Site") == "same-origin":
        # A page of this site sent it, so it is not forged: only its token is old.
        request.csrf_processing_done = True  # type: ignore[attr-defined]
    if wants_json(request):
        return JsonResponse({"stale": True}, status=403)
    if read_sent_form(request).texts:
        return resend_page(request, 403, _TITLES[403], _OLD_FORM, advice=_OLD_FORM_ADVICE)
    message = "This form has expired or did not come from this site. Go back, reload and try again."
    return error_page(request, 403, message)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Return the page for 404; a hidden game looks like one that does not exist."""
    return error_page(request, 404, "Page not found, or you don't have access to it.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for a crash, or for a database that does not answer.

    Django calls this while it handles the exception.
    """
    if is_outage(sys.exc_info()[1]):
        return unavailable_page(request)
    message = "This is our fault, and it has been logged. Nothing you saved was lost."
    advice = "What you sent is below. If you send it again, it may fail again."
    return resend_page(request, 500, _TITLES[500], message, advice=advice)
