"""The page of announcements, dismissing one, and what pages show of them."""

import datetime as dt
import re
from functools import cache
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
    read = cache(lambda: tuple(one for one in _read(request) if not one.dismissed))
    return {
        "announcements": read,
        "maintenance": lambda: list_maintenance(read(), now=timezone.now()),
    }


def _read(request: HttpRequest) -> tuple[AnnouncementFacts, ...]:
    now = timezone.now()
    if not hasattr(request, "user"):  # the page of an error before anybody was recognized
        return ()
    viewer = viewer_of(request.user)
    return list_current(viewer, now=now, dismissed=_read_cookie(request))


def _read_cookie(request: HttpRequest) -> list[int]:
    text = request.COOKIES.get(COOKIE, "")
    return [int(key) for key in text.split(".")] if _KEYS.fullmatch(text) else []
