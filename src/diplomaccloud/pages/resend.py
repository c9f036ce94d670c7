"""The page for a request that failed through no fault of the person; it keeps what they typed.

It does not use the database: no user, no session, and no template that reads either.
"""

import errno
from typing import Final

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django_htmx.middleware import HtmxDetails

from diplomaccloud.pages.sent_form import read_sent_form
from diplomaccloud.shared.responses import RefusedResponse

RETRY_SECONDS: Final = 15
UNAVAILABLE: Final = "Our database is not responding or cannot save anything right now."
NOT_SAVED: Final = "Nothing was saved. What you sent is below: send it again in a moment."
NOT_SAVED_PART: Final = "Nothing was saved. What you typed is still here: try again in a moment."
_FULL_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})


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
