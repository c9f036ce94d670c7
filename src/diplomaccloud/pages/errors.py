"""Error pages: a status, a title, one sentence, and a link back.

The sentence is also stored on the response as `refused`, for the log line of the request; pages
where people write to each other leave it out.

The page for a request that failed through no fault of the person keeps what they typed, except
passwords and tokens. It does not use the database: no user, no session, and no template that reads
either.
"""

import errno
import re
import sys
from dataclasses import dataclass
from typing import Final

import structlog
from django.core.exceptions import (
    DisallowedHost,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import DatabaseError, Error, InterfaceError, InternalError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException, UnreadablePostError
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import escape_leading_slashes
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.record.read import is_damaged
from diplomaccloud.games.table.errors import DamagedData
from diplomaccloud.games.table.views import FIELD_LABELS
from diplomaccloud.games.visibility.read import is_suspended, may_see, viewer_of
from diplomaccloud.pages.wrong_settings import find_form_fault, find_host_fault, note_fault
from diplomaccloud.shared.responses import RefusedResponse, render_page, wants_json

_NO_DAMAGE = (Error, Http404, PermissionDenied, SuspiciousOperation)
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
_KEPT = "Nothing was saved. What you sent is below."
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
RETRY_SECONDS: Final = 15
UNAVAILABLE: Final = "Our database is not responding or cannot save anything right now."
NOT_SAVED: Final = "Nothing was saved. What you sent is below: send it again in a moment."
NOT_SAVED_PART: Final = "Nothing was saved. What you typed is still here: try again in a moment."
_FULL_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})
NUL: Final = "\x00"
LOGIN_PATH: Final = "/accounts/"
_PASSWORD: Final = re.compile(r"passw", re.IGNORECASE)
_TOKEN: Final = re.compile(r"token|secret", re.IGNORECASE)
_LOGIN_CODE: Final = re.compile(r"code|key|otp", re.IGNORECASE)
"""Fields of the pages under `LOGIN_PATH` that prove who someone is."""
_UNREADABLE: Final = (
    MultiPartParserError,
    RawPostDataException,
    RequestDataTooBig,
    SuspiciousOperation,
    UnreadablePostError,
)
_MACHINE_VALUE: Final = re.compile(r"[\w.:-]{0,64}")
"""A value that buttons and hidden fields send; everything else is shown as text."""


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
            slug = _find_slug(request)
            is_visible = slug and may_see(slug, viewer_of(request.user))
            context["game"] = reverse("games:detail", args=[slug]) if is_visible else ""
    return render_page(request, template, context, status=status, refused=message)


def cut_path(path: str) -> str:
    """Return the path for a log line, without the part that names the person someone writes to."""
    for place in _PRIVATE_PLACES:
        start, separator, _ = path.partition(place)
        if separator:
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


def damaged_game_page(request: HttpRequest, exception: Exception) -> HttpResponse | None:
    """Return the page for a game that cannot be shown because of its data; None for other errors.

    A suspended game may be damaged in any way; in other games, a stored value may be unreadable.
    """
    if isinstance(exception, _NO_DAMAGE):
        return None
    slug = _find_slug(request)
    if slug and is_suspended(slug, viewer_of(request.user)):
        message = "This game is suspended while we fix a problem. No orders are lost."
    elif isinstance(exception, DamagedData) or (
        slug and may_see(slug, viewer_of(request.user)) and is_damaged(slug)
    ):
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
    if isinstance(exception, DisallowedHost) and (fault := find_host_fault(request)):
        note_fault(fault)
        return error_page(request, 400, fault.message)
    return error_page(request, 400, "The server could not understand the request.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for 403."""
    return error_page(request, 403, str(exception) or "You are not allowed to do that.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Return the page for a form that failed the CSRF check.

    If the reason is a setting of the site, the page names it.
    """
    fault = find_form_fault(request)
    if fault:
        note_fault(fault)
    match = request.resolver_match
    if match and match.view_name == "games:play" and not request.COOKIES and not fault:
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
        message, advice = (fault.message, _KEPT) if fault else (_OLD_FORM, _OLD_FORM_ADVICE)
        return resend_page(request, 403, _TITLES[403], message, advice=advice)
    if fault:
        return error_page(request, 403, fault.message)
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


def is_outage(error: BaseException | None) -> bool:
    """Return whether the error means that the database or the disk cannot be used now."""
    if isinstance(error, OperationalError | InterfaceError | InternalError):
        return True
    if isinstance(error, OSError):
        return error.errno in _FULL_DISK
    # A damaged database file raises exactly this class.
    return type(error) is DatabaseError


def unavailable_page(request: HttpRequest) -> HttpResponse:
    """Return the page for a request that failed because of the database or the disk."""
    return resend_page(request, 503, "Not available now", UNAVAILABLE, retry_after=RETRY_SECONDS)


def resend_page(
    request: HttpRequest,
    status: int,
    title: str,
    message: str,
    *,
    advice: str = NOT_SAVED,
    retry_after: int = 0,
) -> HttpResponse:
    """Return a page with everything that was sent and a button that sends it again.

    If htmx sent the request, what was typed is still on the page, so a notice is enough.
    """
    sent = read_sent_form(request)
    if HtmxDetails(request):
        text = f"{message} {NOT_SAVED_PART}" if advice == NOT_SAVED else message
        content = render_to_string("pages/_error.html", {"title": title, "message": text})
    else:
        context = {
            "status": status,
            "title": title,
            "message": message,
            "advice": advice if sent.texts or sent.files else "",
            "sent": sent,
        }
        content = render_to_string("pages/resend.html", context)
    response = RefusedResponse(content, status=status, refused=message)
    response.headers["Cache-Control"] = "no-store"
    if retry_after:
        response.headers["Retry-After"] = str(retry_after)
    return response


@dataclass(frozen=True, slots=True)
class SentField:
    """One value that was sent; without a `label` it is sent again but not shown."""

    name: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class SentForm:
    """Everything that a request sent.

    `passwords` and `files` are the names of fields that must be filled in again. `token` is blank
    if the form cannot be sent again from the page that shows it.
    """

    url: str
    method: str
    fields: tuple[SentField, ...]
    passwords: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    token: str = ""

    @property
    def texts(self) -> tuple[SentField, ...]:
        """The values to show."""
        return tuple(field for field in self.fields if field.label)

    @property
    def can_send(self) -> bool:
        """Whether the same request can be sent again with a button."""
        return self.method == "get" or bool(self.token)


def read_sent_form(request: HttpRequest) -> SentForm:
    """Return what the request sent, without NUL characters.

    A form that has not passed the CSRF check is left out, since another site may have forged it:
    the page would show its text and add a valid token.
    """
    url = escape_leading_slashes(request.get_full_path().replace("%00", "").replace(NUL, ""))
    if request.method in ("GET", "HEAD"):
        path, _, query = url.partition("?")
        return SentForm(path, "get", _read_fields(QueryDict(query), path))
    if request.method != "POST" or not getattr(request, "csrf_processing_done", False):
        return SentForm(url, "", ())
    try:
        sent, files = request.POST, tuple(map(clean_text, request.FILES))
    except _UNREADABLE:
        return SentForm(url, "", ())
    passwords = tuple(name for name in map(clean_text, sent) if _PASSWORD.search(name))
    return SentForm(
        url, "post", _read_fields(sent, request.path), passwords, files, get_token(request)
    )


def clean_text(text: str) -> str:
    """Return the text without NUL characters."""
    return text.replace(NUL, "")


def _read_fields(sent: QueryDict, path: str) -> tuple[SentField, ...]:
    fields: list[SentField] = []
    for raw_name, values in sent.lists():
        name = clean_text(raw_name)
        if not _is_secret(name, path):
            texts = [clean_text(str(value)) for value in values]
            fields += [SentField(name, text, _find_label(name, text)) for text in texts]
    return tuple(fields)


def _is_secret(name: str, path: str) -> bool:
    secret = _PASSWORD.search(name) or _TOKEN.search(name)
    return bool(secret or (path.startswith(LOGIN_PATH) and _LOGIN_CODE.search(name)))


def _find_label(name: str, value: str) -> str:
    """Return the label of a value that a person wrote or chose, blank for any other."""
    if name in FIELD_LABELS and value.strip():
        return FIELD_LABELS[name]
    if _MACHINE_VALUE.fullmatch(value):
        return ""
    return name.replace("_", " ").replace("-", " ").strip().capitalize() or "Text"
