"""Messages across all games: conversations, sent messages and search."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.views import is_part
from diplomaccloud.press.inbox import read
from diplomaccloud.press.inbox.page import InboxView, present_inbox, present_search, present_sent

_MAX_CURSOR = 100


@never_cache
@login_required
@require_safe
def show_inbox(request: HttpRequest) -> HttpResponse:
    """Show the conversations of all games, newest first."""
    page = read.read_inbox(viewer_of(request.user), cursor=_cursor(request))
    return _show(request, present_inbox(page))


@never_cache
@login_required
@require_safe
def show_sent(request: HttpRequest) -> HttpResponse:
    """Show sent messages, newest first."""
    page = read.read_sent(viewer_of(request.user), cursor=_cursor(request))
    return _show(request, present_sent(page))


@never_cache
@login_required
@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show the newest messages that contain the search text."""
    text = request.GET.get("q", "").strip()
    hits = read.search(viewer_of(request.user), text)
    return _show(request, present_search(text, hits))


def _show(request: HttpRequest, view: InboxView) -> HttpResponse:
    template = "press/inbox/_inbox.html" if is_part(request) else "press/inbox/inbox.html"
    return render(request, template, {"inbox": view})


def _cursor(request: HttpRequest) -> str:
    return request.GET.get("from", "")[:_MAX_CURSOR]
