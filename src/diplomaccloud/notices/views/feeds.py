"""Addresses with a secret, which work without logging in: e-mail links and the calendar."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.games.deadlines.read import read_own_deadlines
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices.calendar_feed import build_calendar
from diplomaccloud.notices.destinations import confirm, read_confirmation
from diplomaccloud.notices.kinds import Group
from diplomaccloud.notices.preferences import find_calendar_owner, switch_off
from diplomaccloud.notices.unsubscribe import read_token
from diplomaccloud.notices.wording import SHORT_LABELS
from diplomaccloud.shared.addresses import find_origin

_METHODS = ["GET", "HEAD", "POST"]


@csrf_exempt
@never_cache
@require_http_methods(_METHODS)
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to unsubscribe; a POST does it, including one from a mail program.

    The address itself is the authorization (RFC 8058), so the form doesn't need any other. A GET
    changes nothing, because programs that scan e-mail follow its links.
    """
    subscription = read_token(token)
    if subscription is None:
        raise Http404
    done = request.method == "POST"
    if done:
        switch_off(user_id=subscription.user, kinds=subscription.kinds, group=Group.EMAIL)
    kinds = [SHORT_LABELS[kind] for kind in subscription.kinds]
    return render(request, "notices/unsubscribe.html", {"done": done, "kinds": kinds})


@never_cache
@require_http_methods(_METHODS)
def confirmation(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether notices may be sent to an address; a POST allows it."""
    row = read_confirmation(token)
    if row is None:
        return render(request, "notices/confirm.html", {"row": None}, status=404)
    done = request.method == "POST"
    if done:
        confirm(row, now=timezone.now())
    is_done = done or row.confirmed_at is not None
    return render(request, "notices/confirm.html", {"row": row, "done": is_done})


@never_cache
@require_safe
def calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Send a person's deadlines to a calendar program."""
    user_id = find_calendar_owner(key)
    if user_id is None:
        raise Http404
    origin = find_origin(request)
    feed = build_calendar(
        read_own_deadlines(Viewer(user_id)),
        host=request.get_host().partition(":")[0],
        find_url=lambda slug: origin + reverse("games:detail", args=[slug]),
        now=timezone.now(),
    )
    return HttpResponse(feed, content_type="text/calendar; charset=utf-8")
