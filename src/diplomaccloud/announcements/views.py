"""The page of announcements, dismissing one, and what pages show of them."""

import datetime as dt
import re
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.announcements.actions import NoSuchAnnouncement, dismiss
from diplomaccloud.announcements.read import AnnouncementFacts, list_current, list_maintenance
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.shared.addresses import find_last_page, require_own_form
from diplomaccloud.shared.responses import see_other

COOKIE: Final = "dismissed"
MAX_DISMISSED: Final = 30
"""How many announcements a visitor's cookie names; older ones are over."""
MAX_KEY: Final = 2**31
_READ: Final = "current_announcements"
"""The request attribute that keeps what was read."""
_KEEP_FOR: Final = dt.timedelta(days=365)
_KEYS: Final = re.compile(r"\d{1,10}(?:\.\d{1,10})*")


@require_safe
def show_all(request: HttpRequest) -> HttpResponse:
    """Show all current announcements in full, also dismissed ones."""
    return render(request, "announcements/list.html", {"all": _read(request)})


@csrf_exempt
@require_POST
def dismiss_one(request: HttpRequest, key: int) -> HttpResponse:
    """Show the announcement no longer, and return to the page; the form has no token."""
    require_own_form(request)
    response = see_other(find_last_page(request))
    user = request.user
    if key >= MAX_KEY:
        raise Http404
    if isinstance(user, User) and not user.guest:
        try:
            dismiss(key=key, user_id=user.pk)
        except NoSuchAnnouncement as error:
            raise Http404 from error
        return response
    keys = [*_read_cookie(request), key][-MAX_DISMISSED:]
    response.set_cookie(
        COOKIE,
        ".".join(map(str, dict.fromkeys(keys))),
        max_age=_KEEP_FOR,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


def announcements_context(request: HttpRequest) -> dict[str, object]:
    """Return what a page shows of the announcements that the reader has not dismissed."""
    return {
        "announcements": lambda: list_undismissed(request),
        "maintenance": lambda: list_maintenance(
            list_undismissed(request),
            now=timezone.now(),
        ),
    }


def list_undismissed(request: HttpRequest) -> tuple[AnnouncementFacts, ...]:
    """Return the announcements that the reader has not dismissed, read once for a request."""
    return tuple(one for one in _read(request) if not one.dismissed)


def _read(request: HttpRequest) -> tuple[AnnouncementFacts, ...]:
    if not hasattr(request, "user"):  # the page of an error before anybody was recognized
        return ()
    found = getattr(request, _READ, None)
    if found is None:
        viewer, dismissed = viewer_of(request.user), _read_cookie(request)
        found = list_current(viewer, now=timezone.now(), dismissed=dismissed)
        setattr(request, _READ, found)
    return found


def _read_cookie(request: HttpRequest) -> list[int]:
    text = request.COOKIES.get(COOKIE, "")
    return [int(key) for key in text.split(".")] if _KEYS.fullmatch(text) else []
