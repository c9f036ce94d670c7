"""The home page, `robots.txt`, and the template context of every page."""

from functools import cache

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from diplomaccloud import __version__
from diplomaccloud.accounts.addresses import sends_mail
from diplomaccloud.accounts.two_factor import can_use_passkeys
from diplomaccloud.games.deadlines.read import find_stopped_clock
from diplomaccloud.games.lobby.read import ListQuery, Status, list_games
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.pages.installation import account_mark
from diplomaccloud.pages.operator_texts import TITLES
from diplomaccloud.press.inbox.page import present_inbox_link
from diplomaccloud.shared.addresses import find_origin

_LISTS = ListQuery(statuses=(Status.FORMING, Status.RUNNING), size=6, vacant=False)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the user's games, open games, and buttons to start a game against bots."""
    viewer = viewer_of(request.user)
    lobby = list_games(viewer, _LISTS)
    return render(request, "pages/home.html", {"lobby": lobby})


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Ask crawlers to skip pages that make a new map or board for each request."""
    return HttpResponse(
        "User-agent: *\nDisallow: /maps/test/\nDisallow: /games/play/\n", content_type="text/plain"
    )


TRADEMARK = "Diplomacy is a trademark of its owner, who is not affiliated with this project."


def site_context(request: HttpRequest) -> dict[str, object]:
    """Return the values of the page footer, facts about the site, and who is logged in.

    The account's values are functions, so a page without them needs no session and no database.
    """
    return {
        "trademark": TRADEMARK,
        "operator_texts": TITLES,
        "version": __version__,
        "sends_mail": sends_mail(),
        "can_use_passkeys": lambda: can_use_passkeys(request),
        "account_mark": lambda: account_mark(request.user),
        "stopped_clock": find_stopped_clock,
        "site_address": lambda: _find_address(request),
        "inbox_link": cache(lambda: present_inbox_link(request.user)),
        "preview_icon": static("pages/icon-512.png"),
    }


def _find_address(request: HttpRequest) -> str:
    """Return the address of the site without a slash, blank if its host is not allowed."""
    try:
        return find_origin(request)
    except DisallowedHost:
        return ""
